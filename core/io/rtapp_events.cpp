// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/rtapp_events.hpp"

#include <algorithm>
#include <array>

#include "core/base/nearest.hpp"
#include "core/io/native_keys.hpp"
#include "core/io/workload_rules.hpp"

namespace picknext::io {
namespace {

using Kind = JsonValue::Kind;
using rtapp::Event;

constexpr std::int64_t longest_in_us = 2'147'483'647; // rt-app keeps an int

Op of_kind(OpKind kind) {
    Op op;
    op.kind = kind;
    return op;
}

void only_keys(const JsonNode& n, std::span<const std::string_view> known) {
    if (!n.is(Kind::object)) n.fail("E-TYPE", "an object is needed here, as {\"ref\": ...}");
    else n.keys(known);
}

} // namespace

void RtappEvents::declare_task(const std::string& name) {
    m_task.emplace(name, m_suspended.size());
    m_suspended.emplace_back();
    m_out.resources.push_back(ResourceSpec{name, ResourceKind::suspend, 0, true}); // its index is the task's
}

void RtappEvents::begin_task(const TaskSpec& task) {
    m_current = m_task.at(task.name);
    m_instances = std::max(task.count, 1);
}

std::int64_t RtappEvents::microseconds(const JsonNode& value, bool negative_is_zero) {
    std::int64_t us = value.integer(INT64_MIN, INT64_MAX);
    if (us > longest_in_us) {
        value.warn("W-SATURATED", fmt::format("{} us is more than rt-app can hold; taken as {} us, as there", us, longest_in_us));
        us = longest_in_us;
    }
    if (us >= 0) return us * 1000;
    if (negative_is_zero) value.warn("W-NEGATIVE", fmt::format("{} us is negative; taken as 0, as rt-app returns at once", us));
    else value.fail("E-RANGE", fmt::format("{} us is negative", us));
    return 0;
}

std::int32_t RtappEvents::resource(const JsonNode& n, ResourceKind kind, bool shared) {
    const std::string name = n.name();
    const auto [at, fresh] = m_resource.emplace(std::pair{kind, name}, static_cast<std::int32_t>(m_out.resources.size()));
    if (fresh) m_out.resources.push_back(ResourceSpec{name, kind, 0, shared});
    return at->second;
}

std::optional<std::size_t> RtappEvents::named_task(const JsonNode& n) {
    const auto at = m_task.find(n.text());
    if (at == m_task.end()) return std::nullopt;
    return at->second;
}

void RtappEvents::add(Event event, const JsonNode& n, Phase& phase) {
    m_reading = &n.reading();
    Op op;
    switch (event) {
    case Event::run:
        op.amount.a = microseconds(n) * m_capacity / full_capacity;
        break;
    case Event::runtime:
        op = of_kind(OpKind::spin);
        op.amount.a = microseconds(n);
        break;
    case Event::sleep:
        op = of_kind(OpKind::sleep);
        op.amount.a = microseconds(n, true);
        if (!m_noted_slack) n.note("N-SLACK", "a real machine adds up to 50 us of timer slack to a sleep; that is not modelled");
        m_noted_slack = true;
        break;
    case Event::timer: op = timer(n); break;
    case Event::lock:
    case Event::unlock:
        op = of_kind(event == Event::lock ? OpKind::lock : OpKind::unlock);
        op.resource = resource(n, ResourceKind::mutex);
        break;
    case Event::wait: return wait(n, false, phase);
    case Event::sync: return wait(n, true, phase);
    case Event::signal:
    case Event::broadcast:
        op = of_kind(event == Event::signal ? OpKind::signal : OpKind::broadcast);
        op.resource = resource(n, ResourceKind::cond);
        break;
    case Event::barrier:
        op = of_kind(OpKind::barrier);
        op.resource = resource(n, ResourceKind::barrier);
        m_out.resources[static_cast<std::size_t>(op.resource)].initial += m_instances; // each use in the text is a party
        break;
    case Event::sem_post:
    case Event::sem_wait:
        op = of_kind(event == Event::sem_post ? OpKind::sem_post : OpKind::sem_wait);
        op.resource = resource(n, ResourceKind::sem);
        break;
    case Event::suspend: op = suspend(n); break;
    case Event::resume: op = resume(n); break;
    case Event::fork:
        op = of_kind(OpKind::fork);
        if (const auto task = named_task(n)) op.target = static_cast<std::int32_t>(*task);
        else n.fail("E-UNKNOWN", fmt::format("no task has the name \"{}\"", n.value().text));
        break;
    case Event::yield: op = of_kind(OpKind::yield); break;
    case Event::mem:
    case Event::iorun:
    case Event::memrun: op = work(n, event); break;
    }
    phase.ops.push_back(std::move(op));
}

Op RtappEvents::timer(const JsonNode& n) {
    Op op = of_kind(OpKind::timer);
    only_keys(n, rtapp::timer_keys);
    const JsonNode ref = n.required("ref");
    const bool own = ref.is(Kind::string) && ref.value().text.starts_with("unique");
    op.resource = resource(ref, ResourceKind::timer, !own);
    const JsonNode period = n.required("period");
    op.period = microseconds(period);
    if (op.period == 0) period.fail("E-RANGE", "a timer needs a period longer than 0");
    if (const auto mode = n.find("mode")) op.absolute = mode->word(words::timer_modes) == 1;
    return op;
}

void RtappEvents::wait(const JsonNode& n, bool signal_first, Phase& phase) {
    only_keys(n, rtapp::wait_keys);
    Op op = of_kind(OpKind::wait);
    op.resource = resource(n.required("ref"), ResourceKind::cond);
    op.second = resource(n.required("mutex"), ResourceKind::mutex);
    if (signal_first) {
        Op signal = of_kind(OpKind::signal);
        signal.resource = op.resource;
        phase.ops.push_back(std::move(signal));
    }
    phase.ops.push_back(std::move(op));
}

Op RtappEvents::suspend(const JsonNode& n) {
    Op op = of_kind(OpKind::suspend);
    op.resource = static_cast<std::int32_t>(m_current);
    std::string text;
    if (!n.is(Kind::null)) text = n.text();
    auto& first = m_suspended[m_current];
    if (!first) first = Suspension{n.place(), text};
    return op;
}

Op RtappEvents::resume(const JsonNode& n) {
    const std::string name = n.text();
    m_resumed.emplace(name, n.line());
    if (const auto task = m_task.find(name); task != m_task.end()) {
        Op op = of_kind(OpKind::resume);
        op.resource = static_cast<std::int32_t>(task->second);
        return op;
    }
    std::vector<std::string_view> names;
    for (const auto& [known, index] : m_task) names.push_back(known);
    if (n.is(Kind::string)) n.warn("W-NO-TASK", fmt::format("no task has the name \"{}\", so this wakes nobody{}", name, did_you_mean(name, names)));
    Op op = of_kind(OpKind::mark); // keeps its place
    op.text = "resume " + name;
    return op;
}

/// Memory and file work is a guess: so much time for so many bytes or accesses.
Op RtappEvents::work(const JsonNode& n, Event event) {
    Op op;
    if (event == Event::memrun) {
        only_keys(n, rtapp::memrun_keys);
        const std::int64_t accesses = n.required("count").integer(0, longest_in_us);
        op.amount.a = accesses * m_options.ns_per_access;
        n.warn("W-APPROX", fmt::format("{} memory accesses are taken as {} ns of work ({} ns each)", accesses, op.amount.a, m_options.ns_per_access));
        return op;
    }
    const std::int64_t bytes = n.integer(0, longest_in_us);
    op.amount.a = bytes * m_options.ps_per_byte / 1000;
    n.warn("W-APPROX", fmt::format("{} bytes of {} are taken as {} ns of work ({} ps for each byte)", bytes,
                                   event == Event::mem ? "memory" : "output", op.amount.a, m_options.ps_per_byte));
    return op;
}

void RtappEvents::finish() {
    sort_resources(m_out);
    drop_unused_suspends(m_out);
}

void RtappEvents::warn_never_woken(std::size_t task) {
    const std::optional<Suspension>& s = m_suspended[task];
    if (!s || m_reading == nullptr) return;
    const std::string& name = m_out.tasks[task].name;
    std::string text = fmt::format("task \"{}\" suspends itself here, and no resume names it: it never runs again", name);
    if (!s->text.empty() && s->text != name) {
        text += fmt::format("; rt-app ignores the text \"{}\"", s->text);
        if (const auto at = m_resumed.find(s->text); at != m_resumed.end()) text += fmt::format(", which line {} resumes", at->second);
    }
    m_reading->message(Severity::warning, "W-NEVER-WOKEN", s->place, name, std::move(text));
}

} // namespace picknext::io
