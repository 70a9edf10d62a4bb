// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of thread 3's idle mask: sequences of wakeups, sleeps, idle passes and ticks under one form of the patch.
#include <algorithm>

#include "app/vectors/multi_fixture.hpp"
#include "app/vectors/value.hpp"
#include "core/nohz/nohz.hpp"
#include "core/placement/idle_mask.hpp"
#include "core/placement/idle_sibling.hpp"
#include "core/state/idle.hpp"

namespace picknext::vectors {
namespace {

Json topology_of(const Json& sequence) {
    Json cores = Json::array();
    for (int c = 0; c < sequence.at("n"); ++c) cores.push_back(c);
    return {{"n", sequence.at("n")}, {"core", cores}, {"llc", sequence.at("llc")}};
}

class MaskSequence {
  public:
    MaskSequence(const Json& sequence, IdleMask variant) : f(topology_of(sequence), Kernel::cfs_5_12), m_tick_stopped(f.st.cpu_count()) {
        f.st.settings.set(Patch::idle_mask, static_cast<int>(variant));
        f.st.settings.set(Patch::test_idle_cores, 1);
        f.st.settings.set(Feature::sis_prop, false);
        balance::attach_domains(f.st, f.domains);
    }
    [[nodiscard]] std::string mask() const { return write_cpus(f.st.llc_idle_cpus); }

    /// What the file appends to this event.
    Json run(const Json& event) {
        m_writes = 0;
        Json answer = Json::array();
        const CpuId cpu{event.at(1).get<std::int32_t>()};
        switch (event.at(0).get<std::string>().at(0)) {
        case 'W': answer = wake(cpu, event); break;
        case 'S': start(cpu); break;
        case 'B':
            leave(cpu);
            if (f.st.rq(cpu).nr_running > 0) {
                f.st.rq(cpu).curr = TaskId::none();
                start(cpu);
            } else {
                hook(cpu, placement::MaskHook::switching_to_idle);
                f.st.rq(cpu).curr = TaskId::none();
            }
            break;
        case 'D':
            leave(cpu);
            hook(cpu, placement::MaskHook::switching_to_idle);
            break;
        case 'C': f.st.rq(cpu).curr = TaskId::none(); break;
        case 'I': idle_pass(cpu, event.at(2) != 0); break;
        case 'T': tick(cpu); break;
        case 'R':
            if (runs_idle_policy(cpu)) hook(cpu, placement::MaskHook::attributes);
            break;
        default: break;
        }
        Json out{mask(), m_writes};
        out.insert(out.end(), answer.begin(), answer.end());
        return out;
    }

  private:
    Json wake(CpuId target, const Json& event) {
        f.set_affinity(Fixture::wakee, read_cpus(event.at(3).get<std::string>(), f.st.cpu_count(), true));
        const placement::Wake wakeup{.task = Fixture::wakee, .prev = CpuId{event.at(2).get<std::int32_t>()}, .waker_cpu = target};
        Evidence<FullSink> why;
        const placement::Placement p = placement::select_idle_sibling(f.st, f.st.settings, f.domains, wakeup, target, why);
        const std::string how = p.reason == Reason::place_target_idle     ? "target"
                                : p.reason == Reason::place_previous_idle ? "prev"
                                : p.reason == Reason::place_scan_idle     ? "scan"
                                                                          : "none";
        hook(p.cpu, placement::MaskHook::wakeup);
        ++f.st.rq(p.cpu).nr_running;
        if (event.at(4) == "p") ++f.st.root_queue(p.cpu).h_nr_idle;
        return {p.cpu.value, how, spaced(subjects(why.checks(), Chk::scan_cpu, Chk::scan_cpu))};
    }

    /// Normal tasks run before those of idle policy.
    void start(CpuId cpu) {
        f.st.rq(cpu).curr = Fixture::runs_on(cpu);
        const bool normal = f.st.rq(cpu).nr_running > f.st.root_queue(cpu).h_nr_idle;
        f.st.task(Fixture::runs_on(cpu)).policy = normal ? Policy::normal : Policy::idle;
        m_tick_stopped[cpu.index()] = false;
    }
    [[nodiscard]] bool runs_idle_policy(CpuId cpu) const {
        const TaskId curr = f.st.rq(cpu).curr;
        return curr && f.st.task(curr).policy == Policy::idle;
    }
    void leave(CpuId cpu) {
        if (runs_idle_policy(cpu)) --f.st.root_queue(cpu).h_nr_idle;
        --f.st.rq(cpu).nr_running;
    }
    void idle_pass(CpuId cpu, bool stops) {
        placement::IdlePass pass;
        pass.tick_stops = stops || m_tick_stopped[cpu.index()];
        pass.enters_nohz = stops && !m_tick_stopped[cpu.index()] && f.st.rq(cpu).nohz_tick_stopped == 0;
        hook(cpu, placement::MaskHook::idle_loop, pass);
        if (pass.enters_nohz) nohz::enter_idle(f.st, f.domains, cpu);
        m_tick_stopped[cpu.index()] = pass.tick_stops;
    }
    void tick(CpuId cpu) {
        f.st.rq(cpu).idle_balance = idle_cpu(f.st, cpu) ? 1 : 0;
        hook(cpu, placement::MaskHook::tick);
        if (f.st.rq(cpu).idle_balance == 0) nohz::exit_idle(f.st, f.domains, cpu);
    }
    void hook(CpuId cpu, placement::MaskHook which, placement::IdlePass pass = {}) {
        Evidence<FullSink> why;
        const placement::MaskWrite write = placement::decide_mask(f.st, f.st.settings, f.domains, cpu, which, pass, why);
        placement::apply(f.st, cpu, write);
        if (write.bit >= 0) ++m_writes;
    }

    Fixture f;
    std::vector<bool> m_tick_stopped;
    int m_writes = 0;
};

IdleMask variant_of(const Json& file) {
    // How each file begins to say which posting it is; postings with the same rules share a file.
    constexpr std::array<std::pair<std::string_view, IdleMask>, 9> versions{{
        {"no mask", IdleMask::off}, {"posted v1,", IdleMask::v1}, {"draft ", IdleMask::draft}, {"the same draft", IdleMask::draft_fixed},
        {"posted v2,", IdleMask::v2}, {"posted v3,", IdleMask::v3}, {"posted v4 ", IdleMask::v5}, {"posted v6,", IdleMask::v6},
        {"posted v8 ", IdleMask::v11}}};
    const auto text = file.at("doc").at("version").get<std::string>();
    for (const auto& [begin, variant] : versions)
        if (text.starts_with(begin)) return variant;
    throw Malformed("unknown version of the idle mask: " + text);
}

} // namespace

void check_idle_mask(const Json& file, Tally& tally) {
    const IdleMask variant = variant_of(file);
    for (const Json& s : file.at("sequences")) {
        MaskSequence sequence(s, variant);
        const auto name = s.at("name").get<std::string>();
        if (variant != IdleMask::off) compare(tally, name + " start", "mask", s.at("mask"), sequence.mask());
        std::size_t number = 0;
        for (const Json& event : s.at("events")) {
            const std::size_t inputs = event.at(0) == "W" ? 5 : event.at(0) == "I" ? 3 : 2;
            Json got = sequence.run(event);
            const Json expected(Json::array_t(event.begin() + static_cast<std::ptrdiff_t>(inputs), event.end()));
            if (variant == IdleMask::off) got[0] = expected[0]; // there is no mask
            compare(tally, name + " event " + std::to_string(number++) + ' ' + event.at(0).get<std::string>(), "outputs", expected, got);
        }
    }
}

} // namespace picknext::vectors
