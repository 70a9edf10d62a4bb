// SPDX-License-Identifier: GPL-3.0-or-later
// Why an idle CPU was not given a task that waits elsewhere: what the newest decision about it said.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"

namespace picknext::watch {

/// Which kind of decision left the CPU idle.
enum class Because : std::uint8_t {
    none_due,    // since it is idle nobody decided anything about it
    placed,      // a wakeup placed a task on the other queue; reason: of the placement
    mask_bit,    // the same, and the idle CPU's bit was missing in the LLC's idle mask (thread 3)
    newidle,     // it did not look for work before it went idle; reason: of that verdict
    no_pass,     // it did, but not in the domain that holds the other queue: NI_RANDOM left it out, or the search ended below
    pass,        // a balance pass left the task where it is; reason: of the step that ended the pass
    util_short,  // the pass moved utilisation, and the task's was more than was to be moved (thread 2)
    count
};

struct Cause {
    Because because = Because::none_due;
    Reason reason = Reason::none; // of that decision, none where there was none
    friend auto operator<=>(const Cause&, const Cause&) = default;
};
/// The word in tables and JSON: the decision's own ("busiest.idle_close"), or "none_due", "mask.bit_missing",
/// "newidle.no_pass", "detach.large_util".
[[nodiscard]] std::string_view name_of(const Cause& cause);
/// A sentence for people.
[[nodiscard]] std::string sentence(const Cause& cause);

/// Depth of the lowest domain of `cpu` that holds `other`, -1 without one: only a pass of that domain can pull from there,
/// a wider one counts `other` to its own group.
[[nodiscard]] int shared_level(const Domains& domains, CpuId cpu, CpuId other);

/// Remembers the newest decisions about each CPU.
class Causes {
  public:
    explicit Causes(const Domains& domains);

    /// Each decision as it is announced. True: it says why header.cpu stays idle.
    bool note(const DecisionHeader& header);

    /// The newest decision since event `since` that explains why `idle` does not run a task of `queue`; a search counts when
    /// it got to `level` (shared_level) or ended below. st: after the event.
    [[nodiscard]] Cause newest(const State& st, CpuId idle, int level, CpuId queue, std::uint64_t since) const;

  private:
    struct Dated {
        std::uint64_t event = 0; // 0 = never
        Cause cause;
    };
    struct OfCpu {
        std::vector<Dated> passes; // by depth of the domain
        Dated newidle;
        Dated placed_here;         // a task, by a wakeup
        Kind last_step = Kind::count;
        bool by_util = false;      // the pass at work moves utilisation
    };
    [[nodiscard]] bool step_of_pass(OfCpu& own, const DecisionHeader& header);

    const Domains& m_domains;
    std::vector<OfCpu> m_cpus;
};

} // namespace picknext::watch
