// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/trace_session.hpp"

#include <fmt/format.h>

namespace picknext::vectors {

namespace {

Policy policy_of(const Value& v) {
    switch (v.number()) {
    case 0: return Policy::normal;
    case 3: return Policy::batch;
    case 5: return Policy::idle;
    default: throw Malformed(fmt::format("policy {} is not known", v.number()));
    }
}

int nice_of(const Value& v) {
    if (v.number() < -20 || v.number() > 19) throw Malformed(fmt::format("nice {} is out of range", v.number()));
    return v.integer();
}

} // namespace

TraceSession::TraceSession(const Settings& settings, VTime reference)
    : m_scene(empty_scene(settings, reference)), m_log(m_scene), m_sink{&m_log}, m_recorder(m_sink),
      m_cx{m_scene.st, m_recorder} {}

void TraceSession::perform(const Value& record) {
    const std::string& op = record["o"].text();
    const Value nothing{Value::List{}};
    const Value* found = record.find("a");
    const Value& a = found != nullptr ? *found : nothing;
    m_log.clear();
    m_scene.st.now = record["t"].number();
    if (op == "fork") {
        fork(a);
    } else if (op == "wake") {
        wake(m_scene.task(a[0].number()));
    } else if (op == "sleep" || op == "exit") {
        leave(op == "exit");
    } else if (op == "tick") {
        sched_tick(m_cx, the_cpu);
    } else if (op == "sched") {
        schedule(m_cx, the_cpu);
    } else if (op == "yield") {
        (void)running(); // somebody must
        yield_current(m_cx, the_cpu);
        schedule(m_cx, the_cpu);
    } else if (op == "yto") {
        (void)running(); // somebody must
        yield_to(m_cx, the_cpu, m_scene.task(a[0].number()));
        schedule(m_cx, the_cpu);
    } else if (op == "nice") {
        set_nice(m_cx, m_scene.task(a[0].number()), nice_of(a[1]));
    } else if (op == "attr") {
        change_attributes(a);
    } else if (op == "group") {
        make_group(a);
    } else if (op == "shares") {
        set_group_shares(m_cx, group_of(a[0]), a[1].pattern());
    } else {
        throw Malformed(fmt::format("operation \"{}\" is not known", op));
    }
}

TaskId TraceSession::running() const {
    const TaskId task = m_scene.st.rq(the_cpu).curr;
    if (!task) throw Malformed("nobody runs that could do this");
    return task;
}

GroupId TraceSession::group_of(const Value& v) const {
    if (v.number() < 0 || v.pattern() >= m_scene.st.groups.size()) throw Malformed(fmt::format("group {} never appeared", v.number()));
    return GroupId{static_cast<std::size_t>(v.number())};
}

void TraceSession::fork(const Value& a) {
    const GroupId group = a.list().size() > 4 ? group_of(a[4]) : GroupId{0};
    const TaskId task = add_task(m_scene.st, policy_of(a[2]), nice_of(a[1]), a[3].number(), group, MaskId{0});
    m_scene.name(m_scene.st.task(task).entity, a[0].number());
    wake_up_new_task(m_cx, task, the_cpu, the_cpu);
}

void TraceSession::wake(TaskId task) {
    const Entity& e = m_scene.st.entity(task);
    if (e.on_rq != 0 && e.sched_delayed == 0) throw Malformed(fmt::format("task {} is awake already", m_scene.name_of(task)));
    if (e.on_rq != 0) revive_task(m_cx, task, {});
    else activate_task(m_cx, task, the_cpu, {});
}

void TraceSession::leave(bool exiting) {
    const TaskId task = running();
    block_current(m_cx, the_cpu, exiting);
    schedule(m_cx, the_cpu);
    if (exiting) task_dead(m_scene.st, task);
}

void TraceSession::change_attributes(const Value& a) {
    set_attributes(m_cx, m_scene.task(a[0].number()),
                   SchedAttr{.policy = policy_of(a[1]), .nice = nice_of(a[2]), .slice = a[3].number()});
}

void TraceSession::make_group(const Value& a) {
    update_rq_clock(m_scene.st, the_cpu, m_scene.st.now);
    const GroupId group = add_group(m_scene.st, GroupId{0}, a[1].pattern(), false);
    if (group.value != a[0].number()) throw Malformed(fmt::format("group {} appears out of order", a[0].number()));
    m_scene.name(m_scene.st.groups[group.index()].first_entity, first_group_entity + group.value);
}

} // namespace picknext::vectors
