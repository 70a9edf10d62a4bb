// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/programs.hpp"

namespace picknext::commands {
namespace {

Op timed(OpKind kind, std::int64_t ns) {
    Op op;
    op.kind = kind;
    op.amount.a = ns;
    return op;
}
Op transfer(OpKind kind, std::int32_t channel, std::int64_t bytes) {
    Op op = on(kind, channel);
    op.bytes = bytes;
    return op;
}

} // namespace

Op run(std::int64_t ns) { return timed(OpKind::run, ns); }
Op spin(std::int64_t ns) { return timed(OpKind::spin, ns); }
Op sleep(std::int64_t ns) { return timed(OpKind::sleep, ns); }
Op sleep_between(std::int64_t low, std::int64_t high) {
    Op op = sleep(low);
    op.amount.kind = Dist::Kind::uniform;
    op.amount.b = high;
    return op;
}
Op on(OpKind kind, std::int32_t resource) {
    Op op;
    op.kind = kind;
    op.resource = resource;
    return op;
}
Op read(std::int32_t channel, std::int64_t bytes) { return transfer(OpKind::read, channel, bytes); }
Op write(std::int32_t channel, std::int64_t bytes) { return transfer(OpKind::write, channel, bytes); }
Op post(std::int32_t mailbox, std::int32_t series) {
    Op op = on(OpKind::post, mailbox);
    op.target = series;
    return op;
}
Op stamp() { return on(OpKind::stamp, -1); }
Op sample(std::int32_t series) {
    Op op = on(OpKind::sample, -1);
    op.target = series;
    return op;
}

Phase phase(std::string name, std::vector<Op> ops, std::int64_t loop) {
    Phase p;
    p.name = std::move(name);
    p.loop = loop;
    p.ops = std::move(ops);
    return p;
}
TaskSpec task(std::string name, std::vector<Phase> phases) {
    TaskSpec t;
    t.name = std::move(name);
    t.loop = 1;
    t.phases = std::move(phases);
    return t;
}

std::int32_t add_resource(Workload& workload, std::string name, ResourceKind kind, std::int64_t initial) {
    if (kind == ResourceKind::pipe && initial == 0) initial = default_pipe_capacity;
    workload.resources.push_back({.name = std::move(name), .kind = kind, .initial = initial});
    return static_cast<std::int32_t>(workload.resources.size() - 1);
}
std::int32_t add_series(Workload& workload, std::string name) {
    workload.series.push_back(std::move(name));
    return static_cast<std::int32_t>(workload.series.size() - 1);
}

std::vector<std::int64_t> samples_of(const State& state, std::int32_t series) {
    std::vector<std::int64_t> out;
    for (const Sample& s : state.samples)
        if (s.series == series) out.push_back(s.ns);
    return out;
}

} // namespace picknext::commands
