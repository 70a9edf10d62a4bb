// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of the balancer of CPUs without a tick: single kicks, and sequences of events.
#include "app/vectors/multi_fixture.hpp"
#include "core/nohz/nohz.hpp"
#include "core/state/idle.hpp"

namespace picknext::vectors {
namespace {

std::string kick_names(std::uint8_t flags) {
    std::string out;
    constexpr std::array<std::pair<std::uint8_t, const char*>, 4> names{
        {{nohz::balance_kick, "BALANCE"}, {nohz::stats_kick, "STATS"}, {nohz::newidle_kick, "NEWILB"}, {nohz::next_kick, "NEXT"}}};
    for (const auto& [flag, name] : names)
        if ((flags & flag) != 0) out += (out.empty() ? "" : "|") + std::string(name);
    return out;
}

int busy_cpus(const Fixture& f, CpuId cpu) {
    const LlcSharedId llc = f.domains.cpu(cpu).shared;
    return llc ? static_cast<int>(f.st.llc_shared[llc.index()].nr_busy_cpus) : 0;
}

nohz::Kick tick(Fixture& f, CpuId cpu) {
    Evidence<FullSink> why;
    const nohz::Kick kick = nohz::decide_kick(f.st, f.st.settings, f.domains, cpu, why);
    nohz::apply_kick(f.st, f.domains, cpu, kick);
    return kick;
}

/// Events of one sequence; what decays when is given by the file, not by load.
class Sequence : public nohz::IdleHost {
  public:
    Sequence(const Fixture& base, std::int64_t balance_gap) : f(base), m_gap(balance_gap), m_decayed(f.st.cpu_count(), 0), m_recorder(m_sink) {
        for (std::size_t c = 0; c < f.st.cpu_count(); ++c) {
            f.set_cpu(CpuId{c}, 1);
            f.st.rqs[c].next_balance = 1 + static_cast<std::int64_t>(c % 3);
        }
    }

    bool refresh_blocked(CpuId cpu) override {
        m_refreshed.push_back(cpu.value);
        return f.st.jiffies() < m_decayed[cpu.index()];
    }
    void rebalance(CpuId cpu) override {
        m_balanced.push_back(cpu.value);
        f.st.rq(cpu).next_balance = f.st.jiffies() + m_gap;
    }

    /// The outputs after one event.
    Json run(char op, CpuId cpu, std::int64_t arg) {
        m_refreshed = m_balanced = Json::array();
        State& st = f.st;
        Rq& rq = st.rq(cpu);
        nohz::Kick kick;
        CpuId acting = cpu;
        switch (op) {
        case 'A':
            st.now += arg * st.settings.tick_ns();
            break;
        case 'I':
            f.set_cpu(cpu, 0);
            m_decayed[cpu.index()] = st.jiffies() + arg;
            nohz::enter_idle(st, f.domains, cpu);
            break;
        case 'B':
            f.set_cpu(cpu, 1, static_cast<std::uint32_t>(arg));
            break;
        case 'T':
            rq.idle_balance = idle_cpu(st, cpu) ? 1 : 0;
            kick = tick(f, cpu);
            if (kick.ipi) m_told = kick.ilb;
            break;
        case 'N':
            rq.avg_idle = static_cast<std::uint64_t>(arg);
            nohz::newidle_step(st, cpu);
            break;
        case 'R':
            if (nohz::idle_loop_entry(st, cpu)) balance(cpu, nohz::stats_kick);
            break;
        case 'L':
            if (m_told) {
                acting = m_told;
                m_told = CpuId::none();
                if (const std::uint8_t flags = nohz::take_flags(st, acting)) balance(acting, flags);
            }
            break;
        default:
            break;
        }
        return {kick_names(kick.flags), kick.ipi ? kick.ilb.value : -1, st.nohz.has_blocked, st.nohz.next_blocked, st.nohz.next_balance,
                st.nohz.needs_update, st.nohz.nr_cpus, kick_names(st.rq(acting).nohz_flags), m_refreshed, m_balanced, busy_cpus(f, acting)};
    }

  private:
    void balance(CpuId cpu, std::uint8_t flags) {
        nohz::idle_balance(f.st, f.domains, cpu, flags, Reason::run_kicked, *this, m_recorder);
    }

    Fixture f;
    std::int64_t m_gap;
    std::vector<std::int64_t> m_decayed; // by CPU: jiffies from which nothing is left
    Json m_refreshed, m_balanced;
    CpuId m_told;
    CountSink m_sink;
    Recorder<CountSink> m_recorder;
};

} // namespace

void check_nohz_kick(const Json& file, Tally& tally) {
    const Table table(file.at("fields"));
    const Fixture base(file.at("topology"), kernel_of(file));
    std::size_t number = 0;
    constexpr std::int64_t now = 1'000'000; // jiffies
    for (const Json& row : file.at("cases")) {
        Fixture f = base;
        State& st = f.st;
        st.now = now * st.settings.tick_ns();
        const auto busy = table.in(row, "busy").get<std::string>();
        const auto stopped = table.in(row, "tick_stopped").get<std::string>();
        const Json& pending = table.in(row, "pending_flags (0 = none)");
        for (std::size_t c = 0; c < busy.size(); ++c) {
            f.set_cpu(CpuId{c}, busy[c] - '0');
            if (stopped[c] == '1') nohz::enter_idle(st, f.domains, CpuId{c});
            if (pending.is_array()) st.rqs[c].nohz_flags = pending.at(c);
        }
        st.nohz.has_blocked = table.in(row, "has_blocked");
        st.nohz.next_blocked = now + table.in(row, "next_blocked-now").get<std::int64_t>();
        st.nohz.next_balance = now + table.in(row, "next_balance-now").get<std::int64_t>();
        st.nohz.needs_update = table.in(row, "needs_update");
        const CpuId cpu{table.in(row, "cpu").get<std::int32_t>()};
        Rq& rq = st.rq(cpu);
        rq.idle_balance = table.in(row, "rq_idle_balance");
        rq.nr_running = table.in(row, "nr_running");
        st.root_queue(cpu).h_nr_queued = table.in(row, "h_nr_running");
        rq.cpu_capacity = table.in(row, "cpu_capacity");
        rq.misfit_task_load = table.in(row, "misfit_load");
        const State before = st;
        const nohz::Kick kick = tick(f, cpu);
        const bool changed = kick.ilb && st.rq(kick.ilb).nohz_flags != before.rq(kick.ilb).nohz_flags;
        table.compare(tally, number++, row,
                      {{"->kick_flags", kick_names(kick.flags)}, {"->ipi_cpu", kick.ipi ? kick.ilb.value : -1},
                       {"->flags_changed_cpu", changed ? kick.ilb.value : -1}, {"->flags_after", changed ? kick_names(st.rq(kick.ilb).nohz_flags) : ""},
                       {"->next_balance-now", st.nohz.next_balance - now}, {"->nohz.nr_cpus", st.nohz.nr_cpus},
                       {"->nr_busy_cpus of LLC", busy_cpus(f, cpu)}});
    }
}

void check_nohz_sequences(const Json& file, Tally& tally) {
    const Fixture base(file.at("topology"), kernel_of(file));
    std::size_t number = 0;
    for (const Json& row : file.at("cases")) {
        Sequence sequence(base, row.at(0).get<std::int64_t>());
        std::size_t step = 0;
        for (const Json& event : row.at(1)) {
            const Json got = sequence.run(event.at(0).get<std::string>().at(0), CpuId{event.at(1).get<std::int32_t>()}, event.at(2));
            const Json expected(Json::array_t(event.begin() + 3, event.end()));
            compare(tally, "sequence " + std::to_string(number) + " event " + std::to_string(step++) + ' ' + event.at(0).get<std::string>(),
                    "outputs", expected, got);
        }
        ++number;
    }
}

} // namespace picknext::vectors
