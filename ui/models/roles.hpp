// SPDX-License-Identifier: GPL-3.0-or-later
// What models tell beyond text, for delegates, sorting and selection.
#pragma once

#include <Qt>

namespace picknext::ui {

enum Role {
    TaskRole = Qt::UserRole + 1, // int, task index; absent = no task
    QueuedOnRole,                // int: the CPU that task is queued on now, -1 = none
    CpuRole,                     // int, CPU index
    SortRole,                    // what to sort by: number or text
    CopyRole,                    // plain ASCII for copying
    NowRole,                     // bool: the row is the moment shown
    StepRole,                    // QString: mark before a check, "P5"
    InputsRole,                  // QString: second line of a check
    VerdictRole,                 // QString: "✓ yes"
    VerdictKindRole,             // int, picknext::Verdict
    DecidingRole,                // bool
    CoveredRole,                 // bool: not yet reached when stepping by check
    HeadingRole,                 // bool: a heading of the scenario tree
    DetailRole,                  // QString: second rank text at the right
    KernelNameRole,              // bool: text is a name of the kernel's: fixed font
    ChangedRole                  // bool: differs from the profile
};

} // namespace picknext::ui
