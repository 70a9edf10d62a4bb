// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/tbench.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/commands/programs.hpp"

namespace picknext::commands {
namespace {

constexpr std::int64_t small = 100, kib = 1024;          // bytes
constexpr std::int64_t think = 2'000, serve = 4'000;     // ns
constexpr std::array large{4 * kib, 24 * kib, 44 * kib, 64 * kib};
constexpr std::size_t cycle = 40, stride = 11;

struct Exchange {
    std::int64_t request, response;
};
/// Every fifth operation is large, in turn a read and a write.
constexpr Exchange exchange(std::size_t n) {
    if (n % 5 != 4) return {small, small};
    const std::size_t which = n / 5;
    const std::int64_t bytes = large[which / 2];
    return which % 2 == 0 ? Exchange{small, bytes} : Exchange{bytes, small};
}
constexpr std::int64_t cycle_bytes = [] {
    std::int64_t sum = 0;
    for (const std::int64_t bytes : large) sum += 2 * bytes;
    return sum;
}();

constexpr std::array options{Option{'t', "timelimit", true}, Option{'c', "loadfile", true, Honour::harmless, "the operations are a fixed mix"},
                             Option{'T', "tcp-options", true, Honour::harmless, "messages are never held back"},
                             Option{'\1', "warmup", true, Honour::harmless, "the run counts from its start"},
                             Option{'R', "target-rate", true, Honour::no, "clients go as fast as they can; leave it out"}};

} // namespace

Tbench read_tbench(Arguments& args, std::int64_t scale) {
    Tbench tool;
    bool counted = false;
    while (const auto a = args.next(options)) {
        if (a->letter == 't') {
            tool.runtime = args.seconds(a->value);
        } else if (a->letter == 0 && !counted) {
            tool.clients = args.integer(a->value, 1, 10'000);
            counted = true;
        } else if (a->letter == 0 && a->value.text != "localhost" && a->value.text != "127.0.0.1") {
            args.note(fmt::format("server {} of tbench is taken as loopback: there is one machine", a->value.text));
        }
    }
    if (!counted) args.fail("E-VALUE", {{}, 1}, "tbench needs the number of clients: \"tbench 24\"");
    tool.runtime = std::max<std::int64_t>(tool.runtime / scale, 1'000'000);
    return tool;
}

Workload workload_of(const Tbench& tool) {
    Workload w;
    w.name = "tbench";
    for (std::int64_t i = 0; i < tool.clients; ++i) {
        const std::int32_t there = add_resource(w, fmt::format("there {}", i), ResourceKind::tcp_socket);
        const std::int32_t back = add_resource(w, fmt::format("back {}", i), ResourceKind::tcp_socket);
        std::vector<Op> client, server;
        for (std::size_t n = 0; n < cycle; ++n) {
            const Exchange e = exchange((n + stride * static_cast<std::size_t>(i)) % cycle);
            client.insert(client.end(), {run(think), write(there, e.request), read(back, e.response)});
            server.insert(server.end(), {read(there, e.request), run(serve), write(back, e.response)});
        }
        w.tasks.push_back(task(fmt::format("tbench_srv {}", i), {phase("serve", std::move(server), forever)}));
        w.tasks.back().process = true;
        w.tasks.push_back(task(fmt::format("tbench {}", i), {phase("replay", std::move(client), forever)}));
        w.tasks.back().process = true;
    }
    return w;
}

std::vector<Figure> figures(const Tbench&, const State& state) {
    const double cycles = static_cast<double>(state.accounts[Tally::messages]) / (2 * cycle);
    const double seconds = static_cast<double>(state.now) / 1e9;
    return {{"throughput", "MB/s", Better::higher, seconds > 0 ? cycles * cycle_bytes / 1e6 / seconds : 0}};
}

std::string report(const Tbench& tool, const State& state) {
    return fmt::format("Throughput {:g} MB/sec  {} clients  {} procs\n", figures(tool, state)[0].value, tool.clients, tool.clients);
}

} // namespace picknext::commands
