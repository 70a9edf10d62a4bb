// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/uperf.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/commands/netperf.hpp"
#include "core/commands/programs.hpp"

namespace picknext::commands {
namespace {

constexpr std::int64_t message = 90; // bytes

constexpr std::string_view one_result = "totals are printed once";
constexpr std::array options{
    Option{'m', "", true}, Option{'a', "", false, Honour::harmless, one_result}, Option{'e', "", false, Honour::harmless, one_result},
    Option{'p', "", false, Honour::harmless, one_result}, Option{'n', "", false, Honour::harmless, one_result}, Option{'v', "", false, Honour::harmless, one_result},
    Option{'V', "", false, Honour::harmless, one_result}, Option{'i', "", true, Honour::harmless, one_result}, Option{'X', "", true, Honour::harmless, one_result},
    Option{'P', "", true, Honour::harmless, "there is no port"}, Option{'s', "", false, Honour::no, "that is the other end; write the side with -m"}};

double per_second(const State& state, double amount) { return state.now > 0 ? amount * 1e9 / static_cast<double>(state.now) : 0; }

} // namespace

Uperf read_uperf(Arguments& args, const Confinement& where, std::int64_t scale) {
    Uperf tool;
    bool profile = false;
    for (const auto& [name, value] : where.environment) {
        const Word word{value, 1};
        if (name == "nthr" || name == "nthreads" || name == "threads") tool.connections = args.integer(word, 1, 10'000);
        else if (name == "duration" || name == "dur") tool.runtime = args.duration(word, 1'000'000);
        else if (name == "proto" && (value == "tcp" || value == "udp")) tool.udp = value == "udp";
        else if (name == "proto") args.fail("E-OPTION", word, fmt::format("proto={} is not simulated; tcp and udp are", value));
    }
    while (const auto a = args.next(options)) {
        if (a->letter == 0 && !read_multiple(args, a->value, tool.connections)) args.unexpected(*a);
        if (a->letter != 'm') continue;
        profile = true;
        if (a->value.text.find("netperf") == std::string::npos)
            args.fail("E-OPTION", a->value, fmt::format("the profile {} is not simulated; netperf.xml is", a->value.text));
    }
    if (!profile) args.fail("E-VALUE", {{}, 1}, "uperf needs its profile: \"nthr=96 uperf -m netperf.xml\"");
    tool.runtime = std::max<std::int64_t>(tool.runtime / scale, 1'000'000);
    return tool;
}

Workload workload_of(const Uperf& tool) {
    Workload w;
    w.name = "uperf, profile netperf";
    const ResourceKind socket = tool.udp ? ResourceKind::udp_socket : ResourceKind::tcp_socket;
    for (std::int64_t i = 0; i < tool.connections; ++i) {
        const std::int32_t there = add_resource(w, fmt::format("there {}", i), socket);
        const std::int32_t back = add_resource(w, fmt::format("back {}", i), socket);
        w.tasks.push_back(task(fmt::format("server {}", i), {phase("answer", {read(there, message), write(back, message)}, forever)}));
        w.tasks.back().process = true;
        w.tasks.push_back(task(fmt::format("client {}", i), {phase("ask", {write(there, message), read(back, message)}, forever)}));
    }
    return w;
}

std::vector<Figure> figures(const Uperf&, const State& state) {
    const auto read = static_cast<double>(state.accounts[Tally::messages]);
    return {{"throughput", "Mb/s", Better::higher, per_second(state, read * message * 8 / 1e6)}, {"operations", "1/s", Better::higher, per_second(state, read)}};
}

std::string report(const Uperf& tool, const State& state) {
    const std::vector<Figure> found = figures(tool, state);
    const double megabytes = static_cast<double>(state.accounts[Tally::messages]) * message / 1048576;
    return fmt::format("Total    {:.2f}MB / {:6.2f}(s) = {:10.2f}Mb/s {:10.0f}op/s\n", megabytes, static_cast<double>(state.now) / 1e9, found[0].value, found[1].value);
}

} // namespace picknext::commands
