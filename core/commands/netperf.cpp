// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/netperf.hpp"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "core/base/nearest.hpp"
#include "core/commands/programs.hpp"

namespace picknext::commands {
namespace {

using Test = Netperf::Test;

constexpr std::array<std::string_view, 4> tests{"TCP_STREAM", "UDP_STREAM", "TCP_RR", "UDP_RR"};
constexpr std::int64_t tcp_message = 16'384, udp_message = 65'507; // bytes: the usual send buffer of TCP, the longest datagram
constexpr std::int64_t most_pairs = 10'000;

constexpr std::string_view one_result = "the result is printed once";
constexpr std::string_view not_measured = "the CPUs' use is in the counters of the run";
constexpr std::array options{
    Option{'t', "", true}, Option{'l', "", true}, Option{'H', "", true}, Option{'T', "", true},
    Option{'4', "", false, Honour::harmless, "loopback is loopback"}, Option{'6', "", false, Honour::harmless, "loopback is loopback"},
    Option{'c', "", false, Honour::harmless, not_measured}, Option{'C', "", false, Honour::harmless, not_measured},
    Option{'D', "", false, Honour::harmless, one_result}, Option{'P', "", true, Honour::harmless, "the heading is always printed"},
    Option{'f', "", true, Honour::harmless, "units are 10^6 bits"}, Option{'j', "", false, Honour::harmless, one_result},
    Option{'v', "", true, Honour::harmless, one_result}, Option{'p', "", true, Honour::harmless, "there is no port"},
    Option{'L', "", true, Honour::harmless, "loopback is loopback"}, Option{'n', "", true, Honour::harmless, "the topology says how many CPUs there are"},
    Option{'I', "", true, Honour::harmless, "repeats are chosen where the benchmark is run"}, Option{'i', "", true, Honour::harmless, "repeats are chosen where the benchmark is run"},
    Option{'a', "", true, Honour::harmless, "alignment has no cost"}, Option{'A', "", true, Honour::harmless, "alignment has no cost"}};
constexpr std::array test_options{
    Option{'r', "", true}, Option{'m', "", true}, Option{'M', "", true}, Option{'D', "", false, Honour::harmless, "messages are never held back"},
    Option{'k', "", true, Honour::harmless, one_result}, Option{'o', "", true, Honour::harmless, one_result}, Option{'O', "", true, Honour::harmless, one_result},
    Option{'P', "", true, Honour::harmless, "there is no port"}, Option{'R', "", true, Honour::harmless, "loopback is loopback"},
    Option{'s', "", true, Honour::no, "buffers have their default size; leave it out"}, Option{'S', "", true, Honour::no, "buffers have their default size; leave it out"},
    Option{'b', "", true, Honour::no, "one transaction is outstanding at a time; leave it out"}};

bool is_rr(Test test) { return test == Test::tcp_rr || test == Test::udp_rr; }
bool is_udp(Test test) { return test == Test::udp_stream || test == Test::udp_rr; }
ResourceKind socket_of(Test test) { return is_udp(test) ? ResourceKind::udp_socket : ResourceKind::tcp_socket; }
std::int64_t longest_message(Test test) { return is_udp(test) ? udp_message : default_tcp_capacity; }
std::int64_t message_of(const Netperf& tool) {
    if (tool.message != 0) return tool.message;
    return is_udp(tool.test) ? udp_message : tcp_message;
}

/// Two values with a comma between; one alone is both.
std::pair<Word, Word> two(const Word& word) {
    const std::size_t comma = word.text.find(',');
    if (comma == std::string::npos) return {word, word};
    return {Word{word.text.substr(0, comma), word.column}, Word{word.text.substr(comma + 1), word.column + static_cast<int>(comma) + 1}};
}

CpuSet one_cpu(Arguments& args, const Word& word, const Machine& machine) {
    CpuSet set(machine.cpu_count());
    if (word.text.empty()) return {};
    const auto number = static_cast<int>(args.integer(word, 0, max_cpu_number));
    if (args.failed()) return {};
    const CpuId cpu = machine.by_number(number);
    if (cpu) set.add(cpu);
    else args.fail("E-AFFINITY", word, fmt::format("this machine has no CPU {}", number));
    return set;
}

void read_test(Arguments& args, Netperf& tool, const Word& word) {
    std::string upper = word.text;
    for (char& c : upper)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    const auto found = std::find(tests.begin(), tests.end(), upper);
    if (found != tests.end()) tool.test = static_cast<Test>(found - tests.begin());
    else args.fail("E-OPTION", word, fmt::format("the test {} is not simulated{}; there are {}", word.text, did_you_mean(word.text, tests), fmt::join(tests, ", ")));
}
void read_host(Arguments& args, const Word& word) {
    constexpr std::array<std::string_view, 5> here{"localhost", "127.0.0.1", "::1", "0", "0.0.0.0"};
    const std::string_view host = std::string_view{word.text}.substr(0, word.text.find(','));
    if (std::find(here.begin(), here.end(), host) == here.end())
        args.note(fmt::format("-H {} of netperf is taken as loopback: there is one machine", word.text));
}
void read_sizes(Arguments& args, Netperf& tool) {
    while (const auto a = args.next(test_options)) {
        const std::int64_t most = longest_message(tool.test);
        if (a->letter == 0 && !read_multiple(args, a->value, tool.pairs)) args.unexpected(*a);
        if (a->letter == 'r') {
            if (!is_rr(tool.test)) args.fail("E-OPTION", a->at, "-r is for TCP_RR and UDP_RR; a stream takes -m");
            const auto [request, response] = two(a->value);
            tool.request = args.integer(request, 1, most);
            tool.response = args.integer(response, 1, most);
        }
        if (a->letter == 'm') {
            if (is_rr(tool.test)) args.fail("E-OPTION", a->at, "-m is for TCP_STREAM and UDP_STREAM; requests and responses take -r");
            tool.message = args.integer(two(a->value).first, 1, most);
        }
        if (a->letter == 'M') args.note("-M of netperf is ignored: a receive takes what one send gave");
    }
}

double rate(std::uint64_t count, std::int64_t ns) { return ns > 0 ? static_cast<double>(count) * 1e9 / static_cast<double>(ns) : 0; }
/// Datagrams sent: received, dropped, and those still in the buffers.
std::uint64_t datagrams_sent(const Netperf& tool, const State& state) {
    std::int64_t waiting = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(tool.pairs) && i < state.resources.size(); ++i) waiting += state.resources[i].value;
    return state.accounts[Tally::messages] + state.accounts[Tally::dropped] + static_cast<std::uint64_t>(waiting / message_of(tool));
}

} // namespace

bool read_multiple(Arguments& args, const Word& word, std::int64_t& multiple) {
    if (word.text.size() < 2 || word.text[0] != 'x' || word.text[1] < '0' || word.text[1] > '9') return false;
    multiple = args.integer({word.text.substr(1), word.column + 1}, 1, most_pairs);
    return true;
}

Netperf read_netperf(Arguments& args, const Machine& machine, std::int64_t scale) {
    Netperf tool;
    while (const auto a = args.next(options)) {
        switch (a->letter) {
        case 0:
            if (!read_multiple(args, a->value, tool.pairs)) args.unexpected(*a);
            break;
        case 't': read_test(args, tool, a->value); break;
        case 'l':
            if (a->value.text.starts_with('-')) args.fail("E-VALUE", a->value, "-l counts seconds here, not bytes or transactions");
            tool.runtime = std::max<std::int64_t>(args.seconds(a->value) / scale, 1'000'000);
            break;
        case 'H': read_host(args, a->value); break;
        case 'T': {
            const auto [client, server] = two(a->value);
            tool.client = one_cpu(args, client, machine);
            tool.server = one_cpu(args, server, machine);
            break;
        }
        default: break;
        }
    }
    if (!args.failed()) read_sizes(args, tool);
    return tool;
}

Workload workload_of(const Netperf& tool) {
    Workload w;
    w.name = fmt::format("netperf {}", tests[static_cast<std::size_t>(tool.test)]);
    const ResourceKind socket = socket_of(tool.test);
    for (std::int64_t pair = 0; pair < tool.pairs; ++pair) add_resource(w, fmt::format("there {}", pair), socket);
    for (std::int64_t pair = 0; pair < tool.pairs; ++pair) {
        const auto there = static_cast<std::int32_t>(pair);
        const auto add = [&](std::string_view name, std::vector<Op> ops, const CpuSet& cpus) {
            w.tasks.push_back(task(fmt::format("{} {}", name, pair), {phase(is_rr(tool.test) ? "transaction" : "stream", std::move(ops), forever)}));
            w.tasks.back().process = true;
            w.tasks.back().affinity = cpus;
        };
        if (is_rr(tool.test)) {
            const std::int32_t back = add_resource(w, fmt::format("back {}", pair), socket);
            add("netserver", {read(there, tool.request), write(back, tool.response)}, tool.server);
            add("netperf", {write(there, tool.request), read(back, tool.response)}, tool.client);
        } else {
            add("netserver", {read(there, message_of(tool))}, tool.server);
            add("netperf", {write(there, message_of(tool))}, tool.client);
        }
    }
    return w;
}

std::vector<Figure> figures(const Netperf& tool, const State& state) {
    const std::uint64_t read = state.accounts[Tally::messages];
    if (is_rr(tool.test)) {
        const double transactions = rate(read, state.now) / 2; // a request and a response each
        std::vector<Figure> out{{"transactions", "1/s", Better::higher, transactions}};
        if (transactions > 0) out.push_back({"latency", "us", Better::lower, static_cast<double>(tool.pairs) * 1e6 / transactions});
        return out;
    }
    const auto bytes = static_cast<double>(message_of(tool));
    std::vector<Figure> out{{"received", "bytes/s", Better::higher, rate(read, state.now) * bytes}};
    if (is_udp(tool.test)) out.push_back({"sent", "bytes/s", Better::higher, rate(datagrams_sent(tool, state), state.now) * bytes});
    return out;
}

std::string report(const Netperf& tool, const State& state) {
    constexpr std::string_view route = "from 0.0.0.0 (0.0.0.0) port 0 AF_INET to localhost (127.0.0.1) port 0 AF_INET";
    const double seconds = static_cast<double>(state.now) / 1e9;
    const std::vector<Figure> found = figures(tool, state);
    const double value = found.empty() ? 0 : found[0].value;
    constexpr std::int64_t tcp_send = 16'384, tcp_receive = 131'072, udp = default_udp_capacity; // bytes: what netperf shows by default
    const std::string_view protocol = is_udp(tool.test) ? "UDP" : "TCP";
    if (is_rr(tool.test)) {
        const std::int64_t send = is_udp(tool.test) ? udp : tcp_send, receive = is_udp(tool.test) ? udp : tcp_receive;
        return fmt::format("MIGRATED {} REQUEST/RESPONSE TEST {} : first burst 0\nLocal /Remote\n"
                           "Socket Size   Request  Resp.   Elapsed  Trans.\nSend   Recv   Size     Size    Time     Rate         \n"
                           "bytes  Bytes  bytes    bytes   secs.    per sec   \n\n{:<6} {:<6} {:<8} {:<7} {:<8.2f} {:.2f}   \n{:<6} {:<6}\n",
                           protocol, route, send, receive, tool.request, tool.response, seconds, value, send, receive);
    }
    if (!is_udp(tool.test))
        return fmt::format("MIGRATED TCP STREAM TEST {}\nRecv   Send    Send                          \nSocket Socket  Message  Elapsed              \n"
                           "Size   Size    Size     Time     Throughput  \nbytes  bytes   bytes    secs.    10^6bits/sec  \n\n"
                           "{:6} {:6} {:6}    {:<6.2f}   {:.2f}   \n",
                           route, tcp_receive, tcp_send, message_of(tool), seconds, value * 8 / 1e6);
    return fmt::format("MIGRATED UDP STREAM TEST {}\nSocket  Message  Elapsed      Messages                \nSize    Size     Time         Okay Errors   Throughput\n"
                       "bytes   bytes    secs            #      #   10^6bits/sec\n\n{:6}  {:6}   {:<6.2f}   {:9} {:6}    {:.2f}\n{:6}           {:<6.2f}   {:9}           {:.2f}\n\n",
                       route, udp, message_of(tool), seconds, datagrams_sent(tool, state), 0, found[1].value * 8 / 1e6, udp, seconds,
                       state.accounts[Tally::messages], value * 8 / 1e6);
}

} // namespace picknext::commands
