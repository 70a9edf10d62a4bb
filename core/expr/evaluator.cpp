// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expr/evaluator.hpp"

#include <algorithm>
#include <array>

#include "core/expr/names.hpp"

namespace picknext::expr {
namespace {

constexpr Value flag(bool v) { return Value::of(v ? 1 : 0); }

TaskId task_id(std::int64_t v) { return TaskId{static_cast<std::int32_t>(v)}; }

class Evaluation {
  public:
    Evaluation(const Program& program, const Seen& seen) : m_program(program), m_seen(seen) {}

    Value value(std::int32_t step) {
        const Step& s = m_program.steps[static_cast<std::size_t>(step)];
        switch (s.op) {
        case Op::constant: return Value::of(s.value);
        case Op::bound: return Value::of(m_bound[s.slot]);
        case Op::field: return field(s);
        case Op::outcome: return outcome(s.type);
        case Op::nobody: return nobody();
        case Op::named_task: return named_task(m_program.matches[s.from]);
        case Op::negative: return negative(value(s.first));
        case Op::no: return flag(!holds(s.first));
        case Op::both: return flag(holds(s.first) && holds(s.second));
        case Op::either: return flag(holds(s.first) || holds(s.second));
        case Op::arithmetic:
        case Op::wrapping: return arithmetic(s);
        case Op::compare:
        case Op::compare_vtime: return compare(s);
        case Op::within: return within(s, value(s.first));
        case Op::matches: return matches(s, value(s.first));
        case Op::contains_cpu: return contains_cpu(s);
        case Op::contains_check: return flag(find(s.value, false) != nullptr);
        case Op::check_value: return check_value(s);
        case Op::any_cpu: return flag(among_cpus(s, true));
        case Op::all_cpu: return flag(!among_cpus(s, false));
        case Op::any_task: return flag(among_tasks(s, true));
        case Op::all_task: return flag(!among_tasks(s, false));
        }
        return Value::none();
    }

  private:
    /// A condition without a value is false.
    bool holds(std::int32_t step) {
        const Value v = value(step);
        return v.has && v.v != 0;
    }

    Value field(const Step& s) {
        if (s.first == no_step) return s.field->read(m_seen, 0);
        const Value of = value(s.first);
        if (!of.has || of.v < 0 || static_cast<std::uint64_t>(of.v) >= owners(s.field->owner)) return Value::none();
        return s.field->read(m_seen, of.v);
    }
    [[nodiscard]] std::size_t owners(Owner owner) const {
        switch (owner) {
        case Owner::task: return m_seen.st.tasks.size();
        case Owner::cpu: return std::min(m_seen.st.rqs.size(), m_seen.llc_of.size());
        case Owner::llc: return m_seen.llc_row.size();
        case Owner::group: return m_seen.st.groups.size();
        case Owner::decision: break;
        }
        return 0;
    }

    [[nodiscard]] Value raw_outcome(OutcomeType type) const {
        const DecisionHeader& h = m_seen.header;
        return h.kind != Kind::count && info(h.kind).outcome == type ? Value::of(h.outcome) : Value::none();
    }
    /// The outcome as what it is compared with; none when decisions of this kind have another. An entity is its task or group.
    [[nodiscard]] Value outcome(Type type) const {
        if (type == Type::cpu) return raw_outcome(OutcomeType::cpu);
        if (type == Type::condition) {
            const Value v = raw_outcome(OutcomeType::yes_no);
            return v.has ? flag(v.v == 1) : v;
        }
        const Value entity = raw_outcome(OutcomeType::entity);
        if (!entity.has) return type == Type::task ? raw_outcome(OutcomeType::task) : entity;
        if (entity.v < 0 || static_cast<std::size_t>(entity.v) >= m_seen.st.entities.size()) return type == Type::task ? Value::of(-1) : Value::none();
        const Entity& e = m_seen.st.entities[static_cast<std::size_t>(entity.v)];
        if (type == Type::task) return e.task ? Value::of(e.task.value) : Value::none();
        return e.my_queue ? Value::of(m_seen.st.queue(e.my_queue).group.value) : Value::none();
    }
    [[nodiscard]] Value nobody() const {
        if (m_seen.header.kind == Kind::count) return Value::none();
        const OutcomeType type = info(m_seen.header.kind).outcome;
        return type == OutcomeType::none || type == OutcomeType::yes_no ? Value::none() : flag(m_seen.header.outcome < 0);
    }
    [[nodiscard]] Value named_task(const Match& match) const {
        const std::vector<Task>& tasks = m_seen.st.tasks;
        for (std::size_t i = 0; i < tasks.size(); ++i)
            if (tasks[i].program == match.program && is_meant(match, tasks[i].instance)) return Value::of(static_cast<std::int64_t>(i));
        return Value::none(); // not yet forked
    }

    static Value negative(Value v) {
        std::int64_t out = 0;
        return v.has && !__builtin_sub_overflow(std::int64_t{0}, v.v, &out) ? Value::of(out) : Value::none();
    }
    Value arithmetic(const Step& s) {
        const Value a = value(s.first), b = value(s.second);
        if (!a.has || !b.has) return Value::none();
        if (s.op == Op::wrapping) { // as the kernel's u64 does
            const auto left = static_cast<std::uint64_t>(a.v), right = static_cast<std::uint64_t>(b.v);
            return Value::of(static_cast<std::int64_t>(s.sign == TokenKind::minus ? left - right : left + right));
        }
        std::int64_t out = 0;
        bool wrong = false;
        switch (s.sign) {
        case TokenKind::plus: wrong = __builtin_add_overflow(a.v, b.v, &out); break;
        case TokenKind::minus: wrong = __builtin_sub_overflow(a.v, b.v, &out); break;
        case TokenKind::times: wrong = __builtin_mul_overflow(a.v, b.v, &out); break;
        default: // rounded towards zero, as C does
            wrong = b.v == 0 || (a.v == INT64_MIN && b.v == -1);
            if (!wrong) out = s.sign == TokenKind::divide ? a.v / b.v : a.v % b.v;
        }
        return wrong ? Value::none() : Value::of(out);
    }
    Value compare(const Step& s) {
        Value a = value(s.first), b = value(s.second);
        if (!a.has || !b.has) return flag(false);
        if (s.op == Op::compare_vtime) { // the sign of the wrapped distance, as entity_before does
            a.v = static_cast<std::int64_t>(static_cast<std::uint64_t>(a.v) - static_cast<std::uint64_t>(b.v));
            b.v = 0;
        }
        switch (s.sign) {
        case TokenKind::equal: return flag(a.v == b.v);
        case TokenKind::not_equal: return flag(a.v != b.v);
        case TokenKind::less: return flag(a.v < b.v);
        case TokenKind::less_equal: return flag(a.v <= b.v);
        case TokenKind::greater: return flag(a.v > b.v);
        default: return flag(a.v >= b.v);
        }
    }
    [[nodiscard]] Value within(const Step& s, Value v) const {
        if (!v.has) return v;
        for (std::uint32_t i = 0; i < s.count; ++i) {
            const Range& r = m_program.ranges[s.from + i];
            if (r.low <= v.v && v.v <= r.high) return flag(true);
        }
        return flag(false);
    }
    [[nodiscard]] bool meant(const Step& s, const Task& task) const {
        for (std::uint32_t i = 0; i < s.count; ++i) {
            const Match& m = m_program.matches[s.from + i];
            if (m.program == task.program && is_meant(m, task.instance)) return true;
        }
        return false;
    }
    [[nodiscard]] Value matches(const Step& s, Value v) const {
        if (!v.has) return v;
        const TaskId id = task_id(v.v);
        return flag(id.valid() && id.index() < m_seen.st.tasks.size() && meant(s, m_seen.st.task(id)));
    }
    Value contains_cpu(const Step& s) {
        const Value mask = value(s.first), cpu = value(s.second);
        if (!mask.has || !cpu.has || cpu.v < 0 || static_cast<std::size_t>(cpu.v) >= m_seen.llc_of.size()) return Value::none();
        return mask_contains(m_seen, mask.v, CpuId{static_cast<std::int32_t>(cpu.v)});
    }

    /// The first check of this name, or the first that was really asked; null without one.
    [[nodiscard]] const Check* find(std::int64_t id, bool asked) const {
        for (const Check& c : m_seen.checks)
            if (static_cast<std::int64_t>(c.id) == id && (!asked || c.verdict != Verdict::not_asked)) return &c;
        return nullptr;
    }
    [[nodiscard]] Value check_value(const Step& s) const {
        const Check* c = find(s.value, true);
        if (c == nullptr) return Value::none();
        const ChkInfo& row = info(c->id);
        switch (s.part) {
        case CheckPart::left: return as_value(row.unit, c->left);
        case CheckPart::right: return as_value(row.unit, c->right);
        case CheckPart::margin: return Value::of(static_cast<std::int64_t>(static_cast<std::uint64_t>(c->left) - static_cast<std::uint64_t>(c->right)));
        case CheckPart::passed: return c->verdict == Verdict::noted ? Value::none() : flag(c->verdict == Verdict::yes);
        case CheckPart::subject: return row.subject == SubjectType::entity ? task_of_entity(c->subject) : Value::of(c->subject);
        }
        return Value::none();
    }
    [[nodiscard]] Value as_value(Unit unit, std::int64_t v) const { return unit == Unit::entity ? task_of_entity(v) : Value::of(v); }
    [[nodiscard]] Value task_of_entity(std::int64_t entity) const {
        if (entity < 0) return Value::of(-1);
        if (static_cast<std::size_t>(entity) >= m_seen.st.entities.size()) return Value::none();
        const TaskId t = m_seen.st.entities[static_cast<std::size_t>(entity)].task;
        return t ? Value::of(t.value) : Value::none(); // a group's
    }

    /// Whether the condition comes out as `wanted` for some CPU: any asks for true, all for false.
    bool among_cpus(const Step& s, bool wanted) {
        if (s.count == 0) {
            for (std::size_t c = 0; c < m_seen.st.rqs.size(); ++c)
                if (m_seen.st.rqs[c].online != 0 && holds_at(s, c) == wanted) return true;
            return false;
        }
        for (std::uint32_t i = 0; i < s.count; ++i) {
            const Range& r = m_program.ranges[s.from + i];
            for (std::int64_t c = r.low; c <= r.high; ++c)
                if (holds_at(s, static_cast<std::size_t>(c)) == wanted) return true;
        }
        return false;
    }
    bool among_tasks(const Step& s, bool wanted) {
        const std::vector<Task>& tasks = m_seen.st.tasks;
        for (std::size_t t = 0; t < tasks.size(); ++t) {
            if (s.count == 0 ? tasks[t].state == TaskState::dead : !meant(s, tasks[t])) continue;
            if (holds_at(s, t) == wanted) return true;
        }
        return false;
    }
    bool holds_at(const Step& s, std::size_t id) {
        m_bound[s.slot] = static_cast<std::int64_t>(id);
        return holds(s.second);
    }

    const Program& m_program;
    const Seen& m_seen;
    std::array<std::int64_t, slots> m_bound = {};
};

} // namespace

Value evaluate(const Program& program, std::int32_t step, const Seen& seen) { return Evaluation(program, seen).value(step); }

} // namespace picknext::expr
