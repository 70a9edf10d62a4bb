// SPDX-License-Identifier: GPL-3.0-or-later
// Mutates small inputs and feeds them to the readers: none may crash, hang or throw; a refusal must have a code and a
// sentence; what is accepted must survive writing and reading. Usage: test_fuzz_readers [inputs [seed]].
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/duration.hpp"
#include "core/bench/plan.hpp"
#include "core/commands/benchmark.hpp"
#include "core/io/document.hpp"
#include "core/io/json_reader.hpp"
#include "core/io/rtapp.hpp"
#include "core/io/rtapp_dialect.hpp"
#include "core/io/tool_output.hpp"
#include "core/topology/cpulist.hpp"
#include "tests/fuzz/dice.hpp"

using namespace picknext;
using test::Dice;

namespace {

constexpr std::array<std::string_view, 40> tokens{
    "{", "}", "[", "]", ",", ":", "\"", "'", "/*", "*/", "//", "\n", "\\", "\\u0000", "\xff", "\xed\xa0\x80", "0", "-1", "1e400",
    "18446744073709551616", "3000000000", "0.5", "true", "null", "\"1us\"", "\"0-3:1/2\"", "__X__", "\"run\"", "\"phases\"",
    "\"loop\"", "<object", "/>", "cpuset=\"0xf...f\"", "&amp;", "os_index=\"99999\"", "99999999999999999999", "-", "s", "ns", "\0"};

std::string mutated(const std::string& from, const std::vector<std::string>& all, Dice& dice) {
    std::string text = from;
    for (std::size_t n = 1 + dice.below(4); n > 0; --n) {
        const std::size_t at = text.empty() ? 0 : dice.below(text.size());
        switch (dice.below(7)) {
        case 0: text.insert(at, tokens[dice.below(tokens.size())]); break;
        case 1: text.erase(at, 1 + dice.below(12)); break;
        case 2:
            if (!text.empty()) text[at] = static_cast<char>(dice.below(256));
            break;
        case 3: text = text.substr(0, at); break;
        case 4: text.insert(at, text.substr(at, dice.below(40))); break;
        case 5: { // a piece of another input
            const std::string& other = all[dice.below(all.size())];
            if (!other.empty()) text.insert(at, other.substr(dice.below(other.size()), dice.below(60)));
            break;
        }
        default: // a piece replaced by a token
            text.replace(at, std::min<std::size_t>(dice.below(8), text.size() - at), tokens[dice.below(tokens.size())]);
        }
    }
    return text;
}

struct Failure {
    std::string what;
};
void require(bool good, const std::string& what) {
    if (!good) throw Failure{what};
}
template <class T>
void require_sentence(const Result<T>& result) {
    if (result) return;
    require(result.error().code.starts_with("E-") && !result.error().message.empty(), "an error without code or sentence");
}
void require_places(const Error& e) { require(e.place.line >= 1 && e.place.column >= 1, "an error without a place: " + e.text()); }

void json(const std::string& text) {
    io::Report report;
    const io::Source source("f", text);
    const Result<io::JsonValue> tree = io::parse_json(source, report);
    require_sentence(tree);
    if (!tree) return require_places(tree.error());
    const std::string once = io::json_text(*tree);
    const io::Source written("w", once);
    const Result<io::JsonValue> again = io::parse_json(written, report);
    require(again.has_value() && io::json_text(*again) == once, "JSON does not survive writing");
}

void dialect(const std::string& text) {
    io::Report report;
    const io::Source source("f", text);
    const Result<io::Rewritten> plain = io::rewrite_rtapp(source, report);
    require_sentence(plain);
    if (!plain) return;
    for (const auto& [to, from] : plain->map) require(to <= plain->text.size() && from <= text.size(), "a place outside the text");
    require_sentence(io::parse_rtapp(source, report));
}

void workload(const std::string& text, const Machine& machine) {
    io::Report report;
    const Result<Workload> w = io::read_workload(text, "f", machine, report);
    require_sentence(w);
    if (!w) return;
    const std::string once = io::write_workload(*w, machine);
    const Result<Workload> again = io::read_workload(once, "w", machine, report);
    require(again.has_value(), "a written workload is refused: " + (again ? std::string{} : again.error().text()));
    require(*again == *w && io::write_workload(*again, machine) == once, "a workload does not survive writing");
}

void topology(const std::string& text) {
    io::Report report;
    const Result<Machine> m = io::read_topology(text, "f", report);
    require_sentence(m);
    if (!m) return;
    const std::string once = io::write_topology(*m);
    const Result<Machine> again = io::read_topology(once, "w", report);
    require(again.has_value(), "a written topology is refused: " + (again ? std::string{} : again.error().text()));
    require(io::write_topology(*again) == once, "a topology does not survive writing");
}

void scenario(const std::string& text) {
    io::Report report;
    const Result<Scenario> s = io::read_scenario(text, "f", report);
    require_sentence(s);
    if (!s) return;
    const std::string once = io::write_scenario(*s);
    const Result<Scenario> again = io::read_scenario(once, "w", report);
    require(again.has_value(), "a written scenario is refused: " + (again ? std::string{} : again.error().text()));
    require(io::write_scenario(*again) == once, "a scenario does not survive writing");
}

void costs(const std::string& text) {
    io::Report report;
    const Result<cost::CostProfile> c = io::read_costs(text, "f", report);
    require_sentence(c);
    if (!c) return;
    const std::string once = io::write_costs(*c);
    const Result<cost::CostProfile> again = io::read_costs(once, "w", report);
    require(again.has_value(), "a written cost profile is refused: " + (again ? std::string{} : again.error().text()));
    require(*again == *c && io::write_costs(*again) == once, "a cost profile does not survive writing");
}

void sweep(const std::string& text) {
    const Result<bench::Sweep> s = bench::read_sweep(text);
    require_sentence(s);
    if (s) require(!s->values.empty() && s->values.size() <= bench::max_points, "a sweep of no or too many points");
}

void duration(const std::string& text) {
    const Result<std::int64_t> ns = parse_duration(text);
    require_sentence(ns);
    if (!ns) return;
    const Result<std::int64_t> again = parse_duration(write_duration(*ns));
    require(again.has_value() && *again == *ns, "a duration does not survive writing");
}

void cpulist(const std::string& text) {
    const Result<std::vector<int>> list = parse_cpulist(text);
    require_sentence(list);
    if (!list) return;
    for (std::size_t i = 1; i < list->size(); ++i) require((*list)[i - 1] < (*list)[i], "CPUs out of order");
}

void command(const std::string& text, const Machine& machine) {
    const Result<commands::Benchmark> b = commands::read_benchmark(text, machine);
    require_sentence(b);
    if (!b) return require_places(b.error());
    const Generated& g = b->workload.generated; // the line says by itself what it makes
    const Result<commands::Benchmark> again = commands::read_benchmark(g.generators.at(0).command, machine);
    require(again.has_value() && again->workload == b->workload, "a command does not make the same again: " + g.generators[0].command);
}

void tool_output(const std::string& text) {
    io::Report report;
    const Result<std::vector<commands::Measured>> all = io::read_tool_output(text, "f", report);
    require_sentence(all);
    if (!all) return require_places(all.error());
    for (const commands::Measured& m : *all) require(!m.tool.empty() && !m.metric.empty() && !m.values.empty(), "a figure without name or value");
}

std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

const std::vector<std::string> hwloc{
    "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">\n"
    "<object type=\"Machine\" os_index=\"0\" cpuset=\"0x0000000f\" complete_cpuset=\"0x0000001f\">\n"
    "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x00000003\" gp_index=\"2\" local_memory=\"4096\"/>\n"
    "<object type=\"NUMANode\" os_index=\"2\" cpuset=\"0x0000000c\" gp_index=\"3\"/>\n"
    "<object type=\"L3Cache\" depth=\"3\" cache_type=\"0\" cache_size=\"1024\" cpuset=\"0xf\">"
    "<object type=\"Group\" subtype=\"Cluster\" cpuset=\"0x3\"><object type=\"Core\" cpuset=\"0x3\">"
    "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\"/><object type=\"PU\" os_index=\"1\" cpuset=\"0x2\"/></object></object>"
    "<object type=\"Core\" cpuset=\"0xc\"><object type=\"PU\" os_index=\"2\" cpuset=\"0x4\"/><object type=\"PU\" os_index=\"3\" cpuset=\"0x8\"/></object>"
    "</object></object>\n<distances2 type=\"NUMANode\" nbobjs=\"2\" kind=\"5\" indexing=\"os\"><indexes length=\"4\">0 2 </indexes>"
    "<u64values length=\"12\">10 20 20 10 </u64values></distances2>\n<cpukind cpuset=\"0x3\" forced_efficiency=\"1\"/></topology>\n",
    "<topology><object type=\"Machine\" cpuset=\"0x3\" online_cpuset=\"0x1\"><distances nbobjs=\"2\" relative_depth=\"1\" latency_base=\"10.000000\">"
    "<latency value=\"1.0\"/><latency value=\"2.0\"/><latency value=\"2.0\"/><latency value=\"1.0\"/></distances>"
    "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\"><object type=\"Cache\" depth=\"2\" cache_type=\"0\" cpuset=\"0x1\">"
    "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\"/></object></object><object type=\"NUMANode\" os_index=\"1\" cpuset=\"0x2\">"
    "<object type=\"PU\" os_index=\"1\" cpuset=\"0x2\"/></object></object></topology>"};

const std::vector<std::string> rtapp{
    "/* c */ {'tasks': {\"a\": {\"run\": 010, \"run\": 20, \"timer\": {\"ref\": \"unique\", \"period\": 100,},}, // d\n \"b\": {\"phases\": {\"p\": {\"loop\": 2, \"suspend\", \"run\": 1}\n\"q\": {\"resume\": \"b\", \"sleep\": 5}}}},"
    " \"global\": {\"duration\": 2, \"default_policy\": \"SCHED_OTHER\", \"pi_enabled\": True}} the end",
    "{\"tasks\": {\"a\": {\"instance\": 2, \"cpus\": [0, 1], \"lock\": \"m\", \"wait\": {\"ref\": \"c\", \"mutex\": \"m\"}, \"unlock\": \"m\", \"run\": 5, \"barrier\": \"x\"},"
    " \"b\": {\"policy\": \"SCHED_FIFO\", \"priority\": 5, \"sem_post\": \"s\", \"yield\": \"\", \"mem\": 100, \"fork\": \"a\", \"sleep\": 1, \"taskgroup\": \"/g/h\"}}}"};

const std::vector<std::string> native{
    "{\"format\": \"picknext-workload/1\", \"groups\": [{\"path\": \"/g\", \"quota\": \"5ms\", \"period\": \"50ms\", \"burst\": \"1ms\"}], \"resources\": {\"mutexes\": [\"m\"], \"conds\": [\"c\"], \"sems\": [{\"name\": \"s\", \"initial\": 2}], \"barriers\": [{\"name\": \"b\", \"parties\": 2}], \"pipes\": [\"p\"], \"timers\": [{\"name\": \"t\", \"shared\": false}]},"
    " \"tasks\": [{\"name\": \"a\", \"count\": 2, \"nice\": -3, \"slice\": \"1ms\", \"group\": \"/g\", \"affinity\": \"0-1,3\", \"start\": \"5us\", \"phases\": [{\"name\": \"p\", \"loop\": 3, \"set\": {\"nice\": 1, \"affinity\": \"all\"}, \"ops\": [{\"run\": {\"normal\": [\"2ms\", \"1ms\"]}}, {\"lock\": \"m\"}, {\"wait\": {\"cond\": \"c\", \"mutex\": \"m\"}}, {\"unlock\": \"m\"}, {\"timer\": {\"name\": \"t\", \"period\": \"4ms\", \"mode\": \"absolute\"}}, {\"sem_wait\": \"s\"}, {\"barrier\": \"b\"}]},"
    " {\"loop\": \"forever\", \"ops\": [{\"write\": {\"pipe\": \"p\", \"bytes\": 4}}, {\"sleep\": {\"list\": [\"1ms\", \"2ms\"], \"repeat\": false}}, {\"mark\": \"x\"}, {\"resume\": \"z\"}]}]}, {\"name\": \"z\", \"phases\": [{\"ops\": [{\"suspend\": \"z\"}, {\"spin\": {\"exp\": \"1us\"}}, {\"wake\": \"a\"}, {\"yield\": true}]}], \"x-own\": [1, {\"y\": null}]}]}",
    "{\"format\": \"picknext-workload/1\", \"resources\": {\"sockets\": [\"u\", {\"name\": \"t\", \"kind\": \"tcp\", \"capacity\": 900}], \"mailboxes\": [\"m\"]}, \"series\": [\"s\"], \"tasks\": [{\"name\": \"a\", \"process\": true, \"phases\": [{\"ops\": [{\"stamp\": true}, {\"write\": {\"socket\": \"t\", \"bytes\": 9}}, {\"read\": {\"socket\": \"u\", \"bytes\": 9}}, {\"post\": {\"mailbox\": \"m\", \"series\": \"s\"}}, {\"serve\": \"m\"}, {\"collect\": \"m\"}, {\"sample\": \"s\"}, {\"run\": \"1us\"}]}]}],"
    " \"generators\": [{\"command\": \"hackbench -p -g 1 -f 2\"}, {\"kind\": \"hackbench\", \"groups\": 1, \"fds\": 2, \"pipe\": true, \"affinity\": \"0-1\"}, {\"kind\": \"storm\", \"tasks\": 2, \"period\": \"12ms\"}, {\"kind\": \"rr\", \"pairs\": 2, \"protocol\": \"udp\"}]}",
    "{\"format\": \"picknext-topology/1\", \"cpus\": [{\"id\": 0, \"core\": 0, \"llc\": 0, \"node\": 3}, {\"id\": 1, \"core\": 0, \"llc\": 0, \"node\": 3}, {\"id\": 7, \"core\": 1, \"llc\": 1, \"node\": 4, \"capacity\": 512, \"kind\": 1, \"online\": false, \"priority\": -2}], \"nodes\": [{\"id\": 3, \"cpus\": \"0-1\"}, {\"id\": 4, \"cpus\": \"7\", \"memory\": 4096}], \"distances\": [[10, 20], [30, 10]], \"caches\": [{\"level\": 3, \"type\": \"Unified\", \"size\": 1024, \"cpus\": \"0-1\"}]}",
    "{\"format\": \"picknext-topology/1\", \"build\": {\"packages\": 2, \"llcs\": 2, \"clusters\": 2, \"cores\": 2, \"threads\": 2, \"numbering\": \"threads-first\"}}"};

/// All inputs, kept with the reader each is for.
struct Corpus {
    std::vector<std::string> texts;
    std::vector<std::size_t> kinds; // index into the readers below
};

} // namespace

int main(int argc, char** argv) {
    const std::size_t inputs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    MachineCounts counts;
    counts.cores = 4;
    const Machine machine = *build_machine(counts);

    Corpus corpus;
    const auto add = [&](std::size_t kind, std::string text) {
        corpus.kinds.push_back(kind);
        corpus.texts.push_back(std::move(text));
    };
    for (const std::string& text : native) {
        for (const std::size_t kind : {std::size_t{0}, text.find("workload/1") != std::string::npos ? std::size_t{2} : std::size_t{3}}) add(kind, text);
    }
    for (const std::string& text : rtapp)
        for (const std::size_t kind : {std::size_t{1}, std::size_t{2}}) add(kind, text);
    for (const std::string& text : hwloc) add(3, text);
    for (const char* name : {"three-nice-levels", "ping-pong", "short-and-long-slice"})
        add(4, contents(std::filesystem::path(PICKNEXT_SOURCE_RESOURCES) / "scenarios" / (std::string{name} + ".json")));
    for (const char* text : {"250us", "1.5ms", "4s", "0", "999999999.999999999s"}) add(5, text);
    for (const char* name : {"hikey", "zero"})
        add(7, contents(std::filesystem::path(PICKNEXT_SOURCE_RESOURCES) / "costs" / (std::string{name} + ".json")));
    for (const char* text : {"0-3,8", "16-31:2/4", "", "0-65535"}) add(6, text);
    for (const char* text : {"numactl -N 0 hackbench -p -T -l 20000 -g 10", "perf bench -f simple sched pipe -l 5", "taskset 0x3 nice -n 5 schbench -m 2 -t 4 -c 100 -r 10",
                             "netperf -t UDP_RR -l 10 x4 -- -r 1,64", "nthr=3 uperf -m netperf.xml", "cgexec -g cpu:a/b tbench -t 60 4", "storm -n 3 -p 12ms", "schbench-2023 -F 256"})
        add(8, text);
    for (const char* text : {"Running in process mode with 2 groups using 40 file descriptors each (== 80 tasks)\nTime: 0.205\n", "# Executed 2000 pipe operations between two threads\n     Total time: 0.011 [sec]\n 5.7885 usecs/op\n",
                             "Wakeup Latencies percentiles (usec) runtime 2 (s) (1 total samples)\n\t* 50.0th: 9 (1 samples)\n\t  min=2, max=9\naverage rps: 9.5\n", "{\"int\": {\"rps_pct50.0\": 87}}", "a,us,lower,1,2\n"})
        add(9, text);

    for (const char* text : {"g=2..14:2", "l=1,10,100", "--pairs=24,48"}) add(10, text);

    Dice dice(seed);
    for (std::size_t i = 0; i < inputs + corpus.texts.size(); ++i) {
        const bool whole = i < corpus.texts.size(); // first each as it is
        const std::size_t pick = whole ? i : dice.below(corpus.texts.size());
        const std::string text = whole ? corpus.texts[pick] : mutated(corpus.texts[pick], corpus.texts, dice);
        try {
            switch (corpus.kinds[pick]) {
            case 0: json(text); break;
            case 1: dialect(text); break;
            case 2: workload(text, machine); break;
            case 3: topology(text); break;
            case 4: scenario(text); break;
            case 5: duration(text); break;
            case 7: costs(text); break;
            case 8: command(text, machine); break;
            case 9: tool_output(text); break;
            case 10: sweep(text); break;
            default: cpulist(text); break;
            }
        } catch (const Failure& f) {
            std::fprintf(stderr, "seed %llu, input %zu, reader %zu: %s\n%s\n", static_cast<unsigned long long>(seed), i, corpus.kinds[pick],
                         f.what.c_str(), text.c_str());
            return 1;
        } catch (const std::exception& e) {
            std::fprintf(stderr, "seed %llu, input %zu, reader %zu: an exception came out: %s\n%s\n", static_cast<unsigned long long>(seed), i,
                         corpus.kinds[pick], e.what(), text.c_str());
            return 1;
        }
    }
    std::printf("%zu inputs\n", inputs);
    return 0;
}
