// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/request.hpp"

#include "core/profile/changes.hpp"

namespace picknext::bench {
namespace {

Error in_part(std::string part, Error error) {
    error.place.file = std::move(part);
    return error;
}

} // namespace

Result<Plan> plan_of(const Request& request, const Platforms& platforms) {
    Plan plan;
    plan.command = request.command;
    plan.repeats = request.repeats;
    plan.seed = request.seed;
    Result<Machine> machine = platforms.machine(request.topology);
    if (!machine) return machine.error();
    plan.machine = std::move(*machine);
    Result<cost::CostProfile> costs = platforms.costs(request.costs);
    if (!costs) return costs.error();
    plan.costs = std::move(*costs);

    const int cpus = plan.machine.online().size();
    Result<Settings> base = changed(default_settings(Kernel::eevdf_6_12y, cpus), cpus, "kernel=" + request.kernel);
    if (!base) return in_part("kernel", base.error());
    base = changed(*base, cpus, request.set);
    if (!base) return in_part("set", base.error());
    const auto add_arm = [&](const char* name, const char* part, const std::string& changes) -> std::optional<Error> {
        Result<Settings> settings = changed(*base, cpus, changes);
        if (!settings) return in_part(part, settings.error());
        plan.arms.push_back({name, request.set + (request.set.empty() || changes.empty() ? "" : ",") + changes, *settings});
        return std::nullopt;
    };
    if (std::optional<Error> wrong = add_arm("A", "a", request.a)) return *std::move(wrong);
    if (request.b)
        if (std::optional<Error> wrong = add_arm("B", "b", *request.b)) return *std::move(wrong);

    std::optional<Sweep> sweep;
    if (!request.sweep.empty()) {
        Result<Sweep> read = read_sweep(request.sweep);
        if (!read) return in_part("sweep", read.error());
        sweep = std::move(*read);
    }
    Result<std::vector<Cell>> cells = cells_of(request.command, sweep ? &*sweep : nullptr, plan.machine, reader_of({.scale = request.scale}));
    if (!cells) return cells.error();
    plan.cells = std::move(*cells);
    return plan;
}

} // namespace picknext::bench
