// SPDX-License-Identifier: GPL-3.0-or-later
// A wakeup as the placement sees it, and the answer with every write that goes with it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"

namespace picknext::placement {

/// What a search for a CPU read, for the cost of it. Nothing of this is decided by.
struct Looks {
    std::vector<CpuId> queues; // whose run queues, in order
    CpuId flag_of;             // whose has_idle_cores, none: no one's
    CpuId mask_of;             // whose LLC's mask of idle CPUs, likewise
    bool scanned = false;      // it came to the scan of the LLC (fn: select_idle_cpu)
};

/// Who wakes whom, from where. The waker is the task that runs on waker_cpu; for a timer that is whoever the interrupt
/// hit, maybe the idle task.
struct Wake {
    TaskId task;
    CpuId prev;                 // where the task ran last (fork: the parent's CPU)
    CpuId waker_cpu;            // CPU that executes the wakeup
    bool sync = false;          // the waker says it is about to sleep
    bool fork = false;
    bool exec = false;
    bool current_cpu = false;   // the caller asks for its own CPU (6.6 and later)
    bool waker_is_kthread = false; // the waker is a kernel thread bound to its CPU, not in an interrupt
    std::uint64_t scan_ns = 0;  // what the idle scan will have taken (SIS_PROP learns from it)
    Looks* looks = nullptr;     // filled in if somebody asks
};

struct Placement {
    CpuId cpu = {};
    Reason reason = Reason::none;
    std::uint32_t scanned = 0;  // CPUs (or cores) the scan of the LLC tried
    CpuId target = {};               // what wake affinity gave the idle search, none if there was no search
    DomainId affine_domain = {};     // holds both CPUs: where wake affinity was asked, none if it was not
    // What is to be written when the answer is applied.
    bool records_wakee = false; // the waker's last_wakee, flips and decay stamp
    std::uint32_t wakee_flips = 0;
    std::int64_t wakee_flip_decay = 0;           // jiffies
    CpuId recent_used = {};                           // of the task; none: unchanged
    bool widens_affinity = false;                // the task's affinity becomes all CPUs
    bool waker_recent = false;                   // the waker's recent_used_cpu becomes its CPU
    LlcSharedId idle_cores_gone = {};                 // its has_idle_cores becomes 0
    std::optional<std::uint64_t> avg_scan_cost = {};  // of the waker's LLC domain
    std::optional<std::uint64_t> wake_avg_idle = {};  // of the waker's CPU, with the stamp
    std::int64_t wake_stamp = 0;                 // jiffies
};

} // namespace picknext::placement
