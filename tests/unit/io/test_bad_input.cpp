// SPDX-License-Identifier: GPL-3.0-or-later
// What people get wrong: each mistake has its code, its place and its words.
#include <QTest>
#include <QTemporaryDir>

#include <sys/stat.h>
#include <unistd.h>

#include "core/io/document.hpp"

using namespace picknext;

class TestBadInput : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void scenario_data();
    void scenario();
    void topology_data();
    void topology();
    void workload_data();
    void workload();
    void warnings_data();
    void warnings();
    void nesting_limit();
    void cpu_limit();
    void task_limit();
    void ops_limit();
    void files();
    void unreadable_file();
    void size_limit();
    void repeated_warnings_are_counted();
};

namespace {

std::string text(const QByteArray& bytes) { return bytes.toStdString(); }

/// A scenario with these further members (each after a comma), which begin in line 4.
QByteArray scenario_with(QByteArray members) {
    if (members.startsWith(", ")) members.replace(0, 2, ",\n");
    return QByteArray("{\"format\": \"picknext-scenario/1\",\n"
                      " \"topology\": {\"build\": {\"cores\": 2}},\n"
                      " \"workload\": {\"tasks\": [{\"name\": \"a\", \"phases\": [{\"ops\": [{\"run\": \"1ms\"}]}]}]}") +
           members + "}";
}
QByteArray topology_with(const char* members) { return QByteArray("{\"format\": \"picknext-topology/1\", ") + members + "}"; }
/// A workload of one task with these members and a phase of these operations.
QByteArray task_with(const char* members, const char* ops) {
    return QByteArray("{\"format\": \"picknext-workload/1\",\n \"tasks\": [{\"name\": \"a\"") + members + ", \"phases\": [{\"ops\": [" + ops + "]}]}]}";
}
QByteArray workload_with(const char* members) { return QByteArray("{\"format\": \"picknext-workload/1\", ") + members + "}"; }

Machine eight_cpus() {
    MachineCounts counts;
    counts.cores = 8;
    return *build_machine(counts);
}

void columns() {
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("expected");
}
void check(const std::optional<Error>& error, const QByteArray& expected) {
    QVERIFY2(error.has_value(), "it was accepted");
    QCOMPARE(QByteArray::fromStdString(error->text()), expected);
}
template <class T>
std::optional<Error> error_of(const Result<T>& result) {
    return result ? std::nullopt : std::optional<Error>(result.error());
}

} // namespace

void TestBadInput::scenario_data() {
    columns();
    using namespace std::string_literals;
    const auto row = [](const char* name, QByteArray input, const char* expected) { QTest::newRow(name) << std::move(input) << QByteArray(expected); };
    // not text, not JSON
    row("empty file", "", "f.json:1:1: error E-EMPTY: the file is empty");
    row("only white space", " \n ", "f.json:2:2: error E-EMPTY: there is nothing in this file but white space");
    row("gzip", QByteArray("\x1f\x8b\x08", 3), "f.json:1:1: error E-FORMAT: it is packed by gzip; unpack it with gunzip");
    row("binary", QByteArray("{\"a\": \"\0\"}", 10), "f.json:1:8: error E-NUL: a zero byte stands in the text; this is no text file");
    row("UTF-16", QByteArray("\xff\xfe{\0", 4), "f.json:1:1: error E-ENCODING: the text is UTF-16; save it as UTF-8");
    row("not UTF-8", scenario_with(", \"name\": \"Gr\xfc\xdf" "e\""), "f.json:4:12: error E-UTF8: byte 0xfc is not valid UTF-8; save the file as UTF-8");
    row("overlong UTF-8", scenario_with(", \"name\": \"\xc0\xaf\""), "f.json:4:10: error E-UTF8: byte 0xc0 is not valid UTF-8; save the file as UTF-8");
    row("a song", "Hello\n", "f.json:1:1: error E-FORMAT: this is not a scenario (picknext-scenario/1)");
    row("another kind", "{\"format\": \"picknext-topology/1\", \"build\": {}}", "f.json:1:1: error E-FORMAT: this is not a scenario (picknext-scenario/1)");
    row("truncated object", "{\"format\": \"picknext-scenario/1\",\n \"name\": \"x\"", "f.json:2:13: error E-TRUNCATED /name: the text ends before the object that begins in line 1 is closed");
    row("truncated array", "{\"format\": \"picknext-scenario/1\",\n \"notes\": [", "f.json:2:12: error E-TRUNCATED /notes: the text ends before the array that begins in line 2 is closed");
    row("truncated string", "{\"format\": \"picknext-scenario/1\", \"name\": \"x", "f.json:1:43: error E-TRUNCATED /name: the text ends inside this string");
    row("truncated word", "{\"format\": \"picknext-scenario/1\", \"seed\": tru", "f.json:1:43: error E-TRUNCATED /seed: the text ends inside this word");
    row("trailing comma", "{\"format\": \"picknext-scenario/1\",}", "f.json:1:34: error E-SYNTAX /format: a comma stands before the closing bracket; remove it");
    row("missing comma", "{\"format\": \"picknext-scenario/1\"\n \"name\": 1}", "f.json:2:2: error E-SYNTAX /format: a comma is missing before this");
    row("double comma", "{\"format\": \"picknext-scenario/1\",, \"name\": 1}", "f.json:1:34: error E-SYNTAX /format: a comma too many stands here");
    row("missing colon", "{\"format\": \"picknext-scenario/1\", \"name\" \"x\"}", "f.json:1:42: error E-SYNTAX /name: a colon is missing before this");
    row("missing value", "{\"format\": \"picknext-scenario/1\", \"name\": }", "f.json:1:43: error E-SYNTAX /name: the value of this key is missing");
    row("key alone", "{\"format\": \"picknext-scenario/1\", \"name\", \"seed\": 1}", "f.json:1:41: error E-SYNTAX /name: key \"name\" has no value");
    row("wrong bracket", "{\"format\": \"picknext-scenario/1\", \"notes\": [1}", "f.json:1:46: error E-SYNTAX /notes/0: \"}\" stands here, but the array of line 1 is still open");
    row("single quotes", "{\"format\": \"picknext-scenario/1\", 'name': 1}", "f.json:1:35: error E-SYNTAX /format: text stands in double quotes, not in single ones");
    row("line break in string", "{\"format\": \"picknext-scenario/1\", \"name\": \"a\nb\"}", "f.json:1:45: error E-SYNTAX /name: a line break or control character stands inside a string; write it as \\n or \\u00xx");
    row("bad escape", "{\"format\": \"picknext-scenario/1\", \"name\": \"a\\qb\"}", "f.json:1:46: error E-SYNTAX /name: this escape is not known; a backslash in a text is written \\\\");
    row("NaN", scenario_with(", \"seed\": NaN"), "f.json:4:9: error E-SYNTAX /seed: NaN is no JSON number");
    row("Infinity", scenario_with(", \"seed\": Infinity"), "f.json:4:9: error E-SYNTAX /seed: Infinity is no JSON number");
    row("leading zero", scenario_with(", \"seed\": 012"), "f.json:4:10: error E-SYNTAX /seed: a number may not begin with 0");
    row("hexadecimal", scenario_with(", \"seed\": 0x12"), "f.json:4:10: error E-SYNTAX /seed: this is no JSON number; write plain decimal digits");
    row("plus", scenario_with(", \"seed\": +1"), "f.json:4:9: error E-SYNTAX /seed: a number may not begin with \"+\"");
    row("huge number", scenario_with(", \"seed\": 1e400"), "f.json:4:9: error E-RANGE /seed: this number is too large to be read");
    row("text after the end", scenario_with("") + " x", "f.json:3:81: error E-SYNTAX: text stands after the end of the JSON value");
    row("open comment", scenario_with("") + " /* x", "f.json:3:81: error E-SYNTAX: this comment is not closed");
    row("capital literal", scenario_with(", \"seed\": True"), "f.json:4:9: error E-SYNTAX /seed: \"True\" is written in small letters in JSON (true, false, null)");
    // envelope
    row("newer version", "{\"format\": \"picknext-scenario/2\"}", "f.json:1:12: error E-VERSION /format: written by a newer version (picknext-scenario/2), this one reads up to 1");
    row("no version", "{\"format\": \"picknext-scenario/x\"}", "f.json:1:12: error E-FORMAT /format: \"picknext-scenario/x\" is not \"picknext-scenario/1\"");
    // types and ranges
    row("missing topology", "{\"format\": \"picknext-scenario/1\"}", "f.json:1:1: error E-MISSING: the key \"topology\" is missing here");
    row("topology as text", "{\"format\": \"picknext-scenario/1\", \"topology\": \"x\"}", "f.json:1:47: error E-TYPE /topology: an object is needed here, not a text");
    row("name as number", scenario_with(", \"name\": 7"), "f.json:4:9: error E-TYPE /name: a text is needed here, not 7");
    row("unknown kernel", scenario_with(", \"kernel\": \"cfs-5.11\""),
        "f.json:4:11: error E-KERNEL /kernel: kernel \"cfs-5.11\" is not known; there are cfs-5.10, cfs-5.12, cfs-6.1, eevdf-6.6, eevdf-6.8, eevdf-6.12, eevdf-6.12y");
    row("seed negative", scenario_with(", \"seed\": -1"),
        "f.json:4:9: error E-RANGE /seed: a number from 0 to 18446744073709551615 is needed here (or a text of one, decimal or 0x), not -1");
    row("seed too large", scenario_with(", \"seed\": 18446744073709551616"),
        "f.json:4:9: error E-RANGE /seed: a number from 0 to 18446744073709551615 is needed here (or a text of one, decimal or 0x), not 18446744073709551616");
    row("until empty", scenario_with(", \"until\": {}"), "f.json:4:10: error E-MISSING /until: \"until\" needs \"time\" or \"events\"");
    row("until without unit", scenario_with(", \"until\": {\"time\": 5}"), "f.json:4:19: error E-UNIT /until/time: 5 has no unit; write \"5us\" or with ns, ms or s");
    row("feature as number", scenario_with(", \"features\": {\"SIS_UTIL\": 1}"), "f.json:4:26: error E-TYPE /features/SIS_UTIL: true or false is needed here, not 1");
    row("tunable without unit", scenario_with(", \"tunables\": {\"base_slice\": 3000000}"), "f.json:4:28: error E-UNIT /tunables/base_slice: 3000000 has no unit; write \"3000000us\" or with ns, ms or s");
    row("tunable too small", scenario_with(", \"tunables\": {\"base_slice\": \"1us\"}"), "f.json:4:28: error E-RANGE /tunables/base_slice: 1us is out of range; 100us to 1s are possible");
    row("HZ out of range", scenario_with(", \"tunables\": {\"HZ\": 50}"), "f.json:4:20: error E-RANGE /tunables/HZ: 50 is out of range; 100 to 1000 are possible");
    row("patch variant", scenario_with(", \"patches\": {\"idle_mask\": \"second\"}"),
        "f.json:4:26: error E-ENUM /patches/idle_mask: this patch has no variant \"second\"; known: off, v1, draft, draft_fixed, v2, v3, v5, v6, v11");
    row("missing file", scenario_with(", \"topology\": {\"file\": \"nowhere.json\"}"),
        "f.json:4:22: error E-OPEN /topology#2/file: nowhere.json: cannot be opened: No such file or directory");
    row("select_cpu", scenario_with(", \"select_cpu\": 2"), "f.json:4:15: error E-CPU /select_cpu: this machine has no such CPU");
}
void TestBadInput::scenario() {
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, expected);
    io::Report report;
    check(error_of(io::read_scenario(text(input), "f.json", report)), expected);
}

void TestBadInput::topology_data() {
    columns();
    const auto row = [](const char* name, QByteArray input, const char* expected) { QTest::newRow(name) << std::move(input) << QByteArray(expected); };
    row("nothing", topology_with("\"name\": \"x\""), "f.json:1:1: error E-MISSING: neither \"build\" nor \"cpus\" is given; a machine needs one of them");
    row("both", topology_with("\"build\": {}, \"cpus\": []"), "f.json:1:1: error E-BOTH: \"build\" and \"cpus\" both describe the CPUs; give one of them");
    row("0 CPUs", topology_with("\"cpus\": []"), "f.json:1:43: error E-NOCPU /cpus: the machine has no CPU; one at least is needed");
    row("0 cores", topology_with("\"build\": {\"cores\": 0}"), "f.json:1:54: error E-RANGE /build/cores: 0 is out of range; 1 to 4096 are possible");
    row("all offline", topology_with("\"cpus\": [{\"id\": 0, \"online\": false}]"), "f.json:1:43: error E-NOCPU /cpus: every CPU is offline; one at least must be online");
    row("too many CPUs", topology_with("\"build\": {\"cores\": 4096, \"threads\": 2}"), "f.json:1:44: error E-LIMIT /build: the machine would have more than 4096 CPUs");
    row("id too large", topology_with("\"cpus\": [{\"id\": 65536}]"), "f.json:1:51: error E-RANGE /cpus/0/id: 65536 is out of range; 0 to 65535 are possible");
    row("id beyond an int", topology_with("\"cpus\": [{\"id\": 3000000000}]"), "f.json:1:51: error E-RANGE /cpus/0/id: 3000000000 is out of range; 0 to 65535 are possible");
    row("id with fraction", topology_with("\"cpus\": [{\"id\": 1.9}]"), "f.json:1:51: error E-TYPE /cpus/0/id: a whole number is needed here, not 1.9");
    row("id with .0", topology_with("\"cpus\": [{\"id\": 1.0}]"), "f.json:1:51: error E-TYPE /cpus/0/id: a whole number is needed here, not 1.0; write 1");
    row("id as text", topology_with("\"cpus\": [{\"id\": \"0\"}]"), "f.json:1:51: error E-TYPE /cpus/0/id: a whole number is needed here, not a text");
    row("id missing", topology_with("\"cpus\": [{\"core\": 0}]"), "f.json:1:44: error E-MISSING /cpus/0: the key \"id\" is missing here");
    row("id twice", topology_with("\"cpus\": [{\"id\": 0}, {\"id\": 0}]"), "f.json:1:55: error E-DUPLICATE /cpus/1: two CPUs have the id 0");
    row("cpus as number", topology_with("\"cpus\": 4"), "f.json:1:43: error E-TYPE /cpus: an array is needed here, not a number");
    row("core over two LLCs", topology_with("\"cpus\": [{\"id\": 0, \"core\": 0, \"llc\": 0}, {\"id\": 1, \"core\": 0, \"llc\": 1}]"),
        "f.json:1:43: error E-NESTING /cpus: CPU 1 shares its core with a CPU of another LLC; a core lies within one LLC");
    row("cluster over two LLCs", topology_with("\"cpus\": [{\"id\": 0, \"cluster\": 0, \"llc\": 0}, {\"id\": 1, \"cluster\": 0, \"llc\": 1}]"),
        "f.json:1:43: error E-NESTING /cpus: CPU 1 shares its cluster with a CPU of another LLC; a cluster lies within one LLC");
    row("capacity 0", topology_with("\"cpus\": [{\"id\": 0, \"capacity\": 0}]"), "f.json:1:66: error E-RANGE /cpus/0/capacity: 0 is out of range; 1 to 1024 are possible");
    row("numbering", topology_with("\"build\": {\"numbering\": \"thread-last\"}"),
        "f.json:1:58: error E-ENUM /build/numbering: \"thread-last\" is not known here; allowed are threads-last, threads-first; did you mean \"threads-last\"?");
    row("distance below 10", topology_with("\"build\": {\"nodes\": 2}, \"distances\": [[10, 9], [20, 10]]"),
        "f.json:1:77: error E-RANGE /distances/0/1: 9 is out of range; 10 to 255 are possible");
    row("distance to itself", topology_with("\"build\": {\"nodes\": 2}, \"distances\": [[11, 20], [20, 10]]"),
        "f.json:1:73: error E-DISTANCE /distances/0/0: the distance of a node to itself is 10, not 11");
    row("rows of distances", topology_with("\"build\": {\"nodes\": 2}, \"distances\": [[10]]"), "f.json:1:71: error E-DISTANCE /distances: 1 rows of distances for 2 nodes");
    row("node without its CPU", topology_with("\"build\": {}, \"nodes\": [{\"id\": 0, \"cpus\": \"0-1\"}]"), "f.json:1:76: error E-CPU /nodes/0/cpus: this machine has no CPU 1");
    row("backward range", topology_with("\"build\": {}, \"nodes\": [{\"id\": 0, \"cpus\": \"3-1\"}]"), "f.json:1:76: error E-RANGE /nodes/0/cpus: \"3-1\": the range 3-1 runs backwards");
    row("no cpulist", topology_with("\"build\": {}, \"nodes\": [{\"id\": 0, \"cpus\": \"a\"}]"), "f.json:1:76: error E-CPULIST /nodes/0/cpus: \"a\": no list of CPUs; write it like \"0-3,8\"");
    row("XML cut off", "<?xml version=\"1.0\"?>\n<topology version=\"2.0\"><object", "f.json:2:31: error E-SYNTAX: this is no well-formed XML: Error parsing start element tag");
    row("XML of another kind", "<?xml version=\"1.0\"?>\n<svg/>", "f.json:1:1: error E-FORMAT: this XML is no hwloc topology: the element <topology> is missing");
    row("hwloc 4", "<topology version=\"4.0\"/>", "f.json:1:2: error E-VERSION: version \"4.0\" of hwloc's XML is not known; 1, 2 and 3 are read");
    row("hwloc without object", "<topology version=\"2.0\"/>", "f.json:1:2: error E-FORMAT: the topology holds no object");
    row("machine without cpuset", "<topology version=\"2.0\"><object type=\"Machine\"/></topology>", "f.json:1:26: error E-CPUSET: the attribute cpuset is missing here");
    row("bad cpuset", "<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"0xg\"/></topology>", "f.json:1:26: error E-CPUSET: cpuset=\"0xg\" is no set of CPUs");
    row("no PU", "<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"0x1\"/></topology>", "f.json:1:2: error E-NOCPU: the topology has no object of type PU");
}
void TestBadInput::topology() {
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, expected);
    io::Report report;
    check(error_of(io::read_topology(text(input), "f.json", report)), expected);
}

void TestBadInput::workload_data() {
    columns();
    const auto row = [](const char* name, QByteArray input, const char* expected) { QTest::newRow(name) << std::move(input) << QByteArray(expected); };
    row("no tasks", workload_with("\"tasks\": []"), "f.json:1:44: error E-MISSING /tasks: no task is described; one at least is needed");
    row("task without phases", workload_with("\"tasks\": [{\"name\": \"a\"}]"), "f.json:1:45: error E-MISSING /tasks/0: the key \"phases\" is missing here");
    row("no ops", task_with("", ""), "f.json:2:45: error E-MISSING /tasks/0/phases/0/ops: a phase needs one operation at least");
    row("name twice", workload_with("\"tasks\": [{\"name\": \"a\"}, {\"name\": \"a\"}]"), "f.json:1:69: error E-DUPLICATE /tasks/1/name: two tasks have the name \"a\"");
    row("empty name", workload_with("\"tasks\": [{\"name\": \"\"}]"), "f.json:1:54: error E-NAME /tasks/0/name: a name may not be empty");
    row("control character in name", workload_with("\"tasks\": [{\"name\": \"a\\u0000b\"}]"), "f.json:1:54: error E-NAME /tasks/0/name: a name may not hold control characters");
    row("nice", task_with(", \"nice\": 20", "{\"run\": \"1ms\"}"), "f.json:2:34: error E-RANGE /tasks/0/nice: 20 is out of range; -20 to 19 are possible");
    row("policy", task_with(", \"policy\": \"fifo\"", "{\"run\": \"1ms\"}"), "f.json:2:36: error E-ENUM /tasks/0/policy: \"fifo\" is not known here; allowed are normal, batch, idle");
    row("affinity to a missing CPU", task_with(", \"affinity\": \"0,9\"", "{\"run\": \"1ms\"}"), "f.json:2:38: error E-AFFINITY /tasks/0/affinity: this machine has no CPU 9; it has 0-7");
    row("affinity to none", task_with(", \"affinity\": \"\"", "{\"run\": \"1ms\"}"), "f.json:2:38: error E-AFFINITY /tasks/0/affinity: the list holds no CPU; leave it out or write \"all\"");
    row("start_cpu", task_with(", \"start_cpu\": 8", "{\"run\": \"1ms\"}"), "f.json:2:39: error E-CPU /tasks/0/start_cpu: this machine has no CPU 8; it has 0-7");
    row("group", task_with(", \"group\": \"/x\"", "{\"run\": \"1ms\"}"), "f.json:2:35: error E-UNKNOWN /tasks/0/group: no group \"/x\" is described in \"groups\"");
    const auto group_with = [](const char* members) { return workload_with(("\"groups\": [{\"path\": \"/g\", " + std::string(members) + "}], \"tasks\": []").c_str()); };
    row("quota too small", group_with("\"quota\": \"999us\""), "f.json:1:70: error E-RANGE /groups/0/quota: 999us is out of range; a quota is at least 1ms, or null for no limit");
    row("period too long", group_with("\"period\": \"2s\""), "f.json:1:71: error E-RANGE /groups/0/period: 2s is out of range; a period is 1ms to 1s long");
    row("no period", group_with("\"period\": 0"), "f.json:1:71: error E-RANGE /groups/0/period: 0s is out of range; a period is 1ms to 1s long");
    row("burst above the quota", group_with("\"quota\": \"5ms\", \"burst\": \"6ms\""), "f.json:1:86: error E-RANGE /groups/0/burst: 6ms is out of range; a burst is at most the quota");
    row("burst without quota", group_with("\"burst\": \"6ms\""), "f.json:1:70: error E-RANGE /groups/0/burst: 6ms is out of range; a burst is at most the quota");
    row("bare duration", task_with("", "{\"run\": 5}"), "f.json:2:54: error E-UNIT /tasks/0/phases/0/ops/0/run: 5 has no unit; write \"5us\" or with ns, ms or s");
    row("unit", task_with("", "{\"run\": \"5 min\"}"), "f.json:2:54: error E-UNIT /tasks/0/phases/0/ops/0/run: \"5 min\" ends in no unit of time; ns, us, ms and s are");
    row("negative duration", task_with("", "{\"run\": \"-5us\"}"), "f.json:2:54: error E-RANGE /tasks/0/phases/0/ops/0/run: \"-5us\" is negative");
    row("below a nanosecond", task_with("", "{\"run\": \"0.5ns\"}"), "f.json:2:54: error E-RANGE /tasks/0/phases/0/ops/0/run: \"0.5ns\" is finer than a nanosecond");
    row("too long", task_with("", "{\"run\": \"1000000001s\"}"), "f.json:2:54: error E-RANGE /tasks/0/phases/0/ops/0/run: \"1000000001s\" is longer than 1000000000s");
    row("unknown op", task_with("", "{\"slep\": \"1ms\"}"), "f.json:2:55: error E-OP /tasks/0/phases/0/ops/0/slep: \"slep\" is no operation; did you mean \"sleep\"?");
    row("two ops in one", task_with("", "{\"run\": \"1ms\", \"sleep\": \"1ms\"}"), "f.json:2:46: error E-OP /tasks/0/phases/0/ops/0: an operation has one key; this has \"run\" and \"sleep\"");
    row("empty op", task_with("", "{}"), "f.json:2:46: error E-OP /tasks/0/phases/0/ops/0: an operation has one key, like {\"run\": \"5us\"}");
    row("undeclared pipe", task_with("", "{\"read\": {\"pipe\": \"p\", \"bytes\": 1}}"), "f.json:2:64: error E-UNKNOWN /tasks/0/phases/0/ops/0/read/pipe: \"p\" is not declared in \"resources\" under \"pipes\"");
    row("undeclared socket", task_with("", "{\"read\": {\"socket\": \"p\", \"bytes\": 1}}"), "f.json:2:66: error E-UNKNOWN /tasks/0/phases/0/ops/0/read/socket: \"p\" is not declared in \"resources\" under \"sockets\"");
    row("pipe and socket", task_with("", "{\"read\": {\"pipe\": \"p\", \"socket\": \"p\", \"bytes\": 1}}"), "f.json:2:55: error E-BOTH /tasks/0/phases/0/ops/0/read: \"pipe\" and \"socket\" both say where to; give one of them");
    row("undeclared series", task_with("", "{\"sample\": \"s\"}"), "f.json:2:57: error E-UNKNOWN /tasks/0/phases/0/ops/0/sample: \"s\" is not declared in \"series\"");
    row("undeclared mailbox", task_with("", "{\"serve\": \"s\"}"), "f.json:2:56: error E-UNKNOWN /tasks/0/phases/0/ops/0/serve: \"s\" is not declared in \"resources\" under \"mailboxes\"");
    row("stamp false", task_with("", "{\"stamp\": false}"), "f.json:2:56: error E-TYPE /tasks/0/phases/0/ops/0/stamp: only true makes sense here");
    row("kind of socket", workload_with("\"resources\": {\"sockets\": [{\"name\": \"s\", \"kind\": \"sctp\"}]}, \"tasks\": []"),
        "f.json:1:83: error E-ENUM /resources/sockets/0/kind: \"sctp\" is not known here; allowed are unix, tcp, udp; did you mean \"tcp\"?");
    row("two sockets of a name", workload_with("\"resources\": {\"sockets\": [{\"name\": \"s\", \"kind\": \"tcp\"}, \"s\"]}, \"tasks\": []"),
        "f.json:1:91: error E-DUPLICATE /resources/sockets/1: \"s\" is declared twice in sockets");
    row("series twice", workload_with("\"series\": [\"s\", \"s\"], \"tasks\": []"), "f.json:1:51: error E-DUPLICATE /series/1: \"s\" is declared twice in series");
    row("a write that never fits", workload_with("\"resources\": {\"pipes\": [{\"name\": \"p\", \"capacity\": 8}]}, \"tasks\": [{\"name\": \"a\", \"phases\": [{\"ops\": [{\"write\": {\"pipe\": \"p\", \"bytes\": 9}}]}]}]"),
        "f.json:1:168: error E-RANGE /tasks/0/phases/0/ops/0/write/bytes: 9 bytes never fit: \"p\" holds 8");
    row("no tasks at all", workload_with("\"generators\": []"), "f.json:1:49: error E-MISSING /generators: no task is described; one at least is needed");
    row("wrong command", workload_with("\"generators\": [{\"command\": \"hackbench -q\"}]"),
        "f.json:1:62: error E-OPTION /generators/0/command: in column 11 of the command hackbench -q: hackbench has no option -q; understood are -p -i -T -P --processes -g -f -l -s");
    row("empty generator", workload_with("\"generators\": [{}]"),
        "f.json:1:50: error E-GENERATOR /generators/0: a generator is {\"command\": \"hackbench -p -g 4\"}, or {\"kind\": \"hackbench\"} with its parameters");
    row("kind of generator", workload_with("\"generators\": [{\"kind\": \"hackbnch\"}]"),
        "f.json:1:59: error E-ENUM /generators/0/kind: \"hackbnch\" is not known here; allowed are hackbench, schbench, pipe, rr, storm; did you mean \"hackbench\"?");
    row("parameter of another kind", workload_with("\"generators\": [{\"kind\": \"pipe\", \"groups\": 4}]"),
        "f.json:1:77: error E-GENERATOR /generators/0/groups: \"groups\" is no parameter of pipe; there are loops, threads");
    row("finer than the tool counts", workload_with("\"generators\": [{\"kind\": \"schbench\", \"spin\": \"1500ns\"}]"),
        "f.json:1:79: error E-RANGE /generators/0/spin: 1.5us is finer than a microsecond, in which the tool counts");
    row("generator off the machine", workload_with("\"generators\": [{\"kind\": \"storm\", \"tasks\": 8}]"),
        "f.json:1:50: error E-RANGE /generators/0: in column 10 of the command storm -n 8: 8 tasks and one that always runs need 9 CPUs, there are 8; lower -n or choose a larger topology");
    row("unknown task", task_with("", "{\"resume\": \"b\"}"), "f.json:2:57: error E-UNKNOWN /tasks/0/phases/0/ops/0/resume: no task has the name \"b\"");
    row("suspends another", task_with("", "{\"suspend\": \"b\"}"), "f.json:2:58: error E-SUSPEND /tasks/0/phases/0/ops/0/suspend: a task suspends only itself: write its own name, \"a\"");
    row("uniform backwards", task_with("", "{\"run\": {\"uniform\": [\"2ms\", \"1ms\"]}}"), "f.json:2:66: error E-DIST /tasks/0/phases/0/ops/0/run/uniform: the lower end of a uniform distribution comes first");
    row("forever too early", workload_with("\"tasks\": [{\"name\": \"a\", \"phases\": [{\"loop\": \"forever\", \"ops\": [{\"run\": \"1ms\"}]}, {\"ops\": [{\"run\": \"1ms\"}]}]}]"),
        "f.json:1:79: error E-FOREVER /tasks/0/phases/0/loop: only the last phase may loop forever; the ones after it would never be reached");
    // loops in zero time
    row("zero-time loop", task_with("", "{\"yield\": true}, {\"sleep\": 0}"),
        "f.json:2:12: error E-ZEROTIME /tasks/0: task \"a\" would loop in zero time: nothing it repeats takes time; add a run or a sleep");
    row("wake each other",
        workload_with("\"tasks\": [{\"name\": \"a\", \"phases\": [{\"ops\": [{\"resume\": \"b\"}, {\"suspend\": \"a\"}]}]},"
                      " {\"name\": \"b\", \"phases\": [{\"ops\": [{\"resume\": \"a\"}, {\"suspend\": \"b\"}]}]}]"),
        "f.json:1:45: error E-ZEROTIME /tasks/0: tasks \"a\", \"b\" would loop in zero time: they only wake each other and nothing they repeat takes time; add a run or a sleep");
    row("pipe to and fro",
        workload_with("\"resources\": {\"pipes\": [\"p\", \"q\"]}, \"tasks\": ["
                      "{\"name\": \"a\", \"phases\": [{\"ops\": [{\"write\": {\"pipe\": \"p\", \"bytes\": 1}}, {\"read\": {\"pipe\": \"q\", \"bytes\": 1}}]}]},"
                      "{\"name\": \"b\", \"phases\": [{\"ops\": [{\"read\": {\"pipe\": \"p\", \"bytes\": 1}}, {\"write\": {\"pipe\": \"q\", \"bytes\": 1}}]}]}]"),
        "f.json:1:81: error E-ZEROTIME /tasks/0: tasks \"a\", \"b\" would loop in zero time: they only wake each other and nothing they repeat takes time; add a run or a sleep");
    // rt-app
    row("rt-app template", "{\"tasks\": {\"t\": {\"run\": __RUN__}}}", "f.json:1:25: error E-TEMPLATE: __RUN__ is a placeholder of a template; let the tool it belongs to fill it in, or write a value");
    row("rt-app of 2014", "{\"tasks\": {\"t\": {\"exec\": 5}}}", "f.json:1:26: error E-DIALECT /tasks/t/exec: this is the 2014 rt-app dialect (key \"exec\", line 1), which current rt-app refuses too");
    row("rt-app deadline fork", "{\"tasks\": {\"t\": {\"phases\": {\"p\": {\"duration\": 5}}}}}",
        "f.json:1:47: error E-DIALECT /tasks/t/phases/p/duration: this is the dialect of a deadline fork of rt-app (key \"duration\", line 1), which current rt-app refuses too");
    row("rt-muse", "{\"threads\": {}}", "f.json:1:13: error E-DIALECT /threads: this is the rt-muse dialect (key \"threads\", line 1), which rt-app does not read");
    row("rt-app tasks as array", "{\"tasks\": []}", "f.json:1:11: error E-TYPE /tasks: an object is needed here, not an array");
    row("rt-app empty phases", "{\"tasks\": {\"t\": {\"phases\": {}}}}", "f.json:1:28: error E-MISSING /tasks/t/phases: \"phases\" is empty; rt-app crashes on that");
    row("rt-app phase without events", "{\"tasks\": {\"t\": {\"phases\": {\"p\": {\"loop\": 1}}}}}", "f.json:1:34: error E-MISSING /tasks/t/phases/p: phase \"p\" has no event; rt-app refuses it too");
    row("rt-app no events", "{\"tasks\": {\"t\": {\"loop\": 1}}}", "f.json:1:17: error E-MISSING /tasks/t: task \"t\" has no event; rt-app refuses it too");
    row("rt-app run with fraction", "{\"tasks\": {\"t\": {\"run\": 10.5}}}", "f.json:1:25: error E-TYPE /tasks/t/run: a whole number is needed here, not 10.5");
    row("rt-app run as text", "{\"tasks\": {\"t\": {\"run\": \"10\"}}}", "f.json:1:25: error E-TYPE /tasks/t/run: a whole number is needed here, not a text");
    row("rt-app run true", "{\"tasks\": {\"t\": {\"run\": true}}}", "f.json:1:25: error E-TYPE /tasks/t/run: a whole number is needed here, not true or false");
    row("rt-app negative run", "{\"tasks\": {\"t\": {\"run\": -1}}}", "f.json:1:25: error E-RANGE /tasks/t/run: -1 us is negative");
    row("rt-app cpus as number", "{\"tasks\": {\"t\": {\"cpus\": 0, \"run\": 1}}}", "f.json:1:26: error E-TYPE /tasks/t/cpus: an array is needed here, not a number");
    row("rt-app cpus as text", "{\"tasks\": {\"t\": {\"cpus\": [\"0-1\"], \"run\": 1}}}", "f.json:1:27: error E-TYPE /tasks/t/cpus/0: a whole number is needed here, not a text");
    row("rt-app no CPU left", "{\"tasks\": {\"t\": {\"cpus\": [8, 9], \"run\": 1}}}", "f.json:1:26: error E-AFFINITY /tasks/t/cpus: this machine has none of the CPUs 8, 9; it has 0-7");
    row("rt-app lock_pages in a task", "{\"tasks\": {\"t\": {\"lock_pages\": true, \"run\": 1}}}", "f.json:1:32: error E-TYPE /tasks/t/lock_pages: a text is needed here, not true");
    row("rt-app wait as text", "{\"tasks\": {\"t\": {\"wait\": \"q\", \"run\": 1}}}", "f.json:1:26: error E-TYPE /tasks/t/wait: an object is needed here, as {\"ref\": ...}");
    row("rt-app wait without mutex", "{\"tasks\": {\"t\": {\"wait\": {\"ref\": \"q\"}, \"run\": 1}}}", "f.json:1:26: error E-MISSING /tasks/t/wait: the key \"mutex\" is missing here");
    row("rt-app fork of nobody", "{\"tasks\": {\"t\": {\"fork\": \"u\", \"run\": 1}}}", "f.json:1:26: error E-UNKNOWN /tasks/t/fork: no task has the name \"u\"");
    row("rt-app policy", "{\"tasks\": {\"t\": {\"policy\": \"SCHED_NORMAL\", \"run\": 1}}}",
        "f.json:1:28: error E-ENUM /tasks/t/policy: \"SCHED_NORMAL\" is not known here; allowed are SCHED_OTHER, SCHED_BATCH, SCHED_IDLE, SCHED_FIFO, SCHED_RR, SCHED_DEADLINE");
    row("rt-app hexadecimal", "{\"tasks\": {\"t\": {\"run\": 0x10}}}", "f.json:1:26: error E-SYNTAX /tasks/t/run: this is no JSON number; write plain decimal digits");
    row("rt-app double comma", "{\"tasks\": {\"t\": {\"run\": 1,, \"sleep\": 2}}}", "f.json:1:27: error E-SYNTAX /tasks/t/run: a comma too many stands here");
    row("rt-app unquoted key", "{\"tasks\": {\"t\": {run: 1}}}", "f.json:1:18: error E-SYNTAX /tasks/t: \"run\" is no JSON value; text stands in double quotes");
    row("rt-app zero-time loop", "{\"tasks\": {\"t\": {\"sleep\": -5}}}", "f.json:1:17: error E-ZEROTIME /tasks/t: task \"t\" would loop in zero time: nothing it repeats takes time; add a run or a sleep");
}
void TestBadInput::workload() {
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, expected);
    io::Report report;
    check(error_of(io::read_workload(text(input), "f.json", eight_cpus(), report)), expected);
}

void TestBadInput::warnings_data() {
    columns();
    const auto row = [](const char* name, QByteArray input, const char* expected) { QTest::newRow(name) << std::move(input) << QByteArray(expected); };
    row("unknown key", scenario_with(", \"sead\": 1"), "f.json:4:1: warning W-UNKNOWN-KEY /sead: key \"sead\" is not known and was ignored; did you mean \"seed\"?");
    row("key like nothing", scenario_with(", \"zzzzzz\": 1"), "f.json:4:1: warning W-UNKNOWN-KEY /zzzzzz: key \"zzzzzz\" is not known and was ignored");
    row("duplicate key", scenario_with(",\n \"seed\": 1,\n \"seed\": 2"), "f.json:5:2: warning W-DUPKEY /seed#2: key \"seed\" repeats line 4; the last one counts");
    row("own key", scenario_with(", \"x-mine\": {\"y\": 1}"), "");
    row("comment", scenario_with("") + " // bye", "");
    row("comment inside", scenario_with(", /* why */ \"seed\": 3"), "f.json:1:1: note N-COMMENT: comments are read over, and lost when the file is saved");
    row("byte order mark", "\xef\xbb\xbf" + scenario_with(""), "f.json:1:1: note N-BOM: a byte order mark was skipped");
    row("absent tunable", scenario_with(", \"kernel\": \"eevdf-6.12\", \"tunables\": {\"sched_wakeup_granularity\": \"1ms\"}"),
        "f.json:4:66: warning W-ABSENT /tunables/sched_wakeup_granularity: kernel eevdf-6.12 has no sched_wakeup_granularity; ignored");
    row("absent feature", scenario_with(", \"kernel\": \"cfs-6.1\", \"features\": {\"RUN_TO_PARITY\": true}"), "f.json:4:52: warning W-ABSENT /features/RUN_TO_PARITY: kernel cfs-6.1 has no RUN_TO_PARITY; ignored");
    row("unknown feature", scenario_with(", \"features\": {\"SIS_UTILS\": true}"), "f.json:4:27: warning W-UNKNOWN-KEY /features/SIS_UTILS: no kernel has a feature \"SIS_UTILS\"; ignored; did you mean \"SIS_UTIL\"?");
    row("compare", scenario_with(", \"compare\": {}"), "f.json:4:12: warning W-UNSUPPORTED /compare: \"compare\" is not acted on by this version, and not saved");
    row("command with a note", QByteArray(scenario_with("")).replace("\"tasks\": [{\"name\": \"a\", \"phases\": [{\"ops\": [{\"run\": \"1ms\"}]}]}]", "\"generators\": [{\"command\": \"netperf -c\"}]"),
        "f.json:3:30: note N-COMMAND /workload/generators/0: -c of netperf is ignored: the CPUs' use is in the counters of the run");
    row("never woken", QByteArray(scenario_with("")).replace("{\"run\": \"1ms\"}", "{\"suspend\": \"a\"}"), "f.json:3:25: warning W-NEVER-WOKEN /workload/tasks/0: task \"a\" suspends itself, and no resume or wake names it");
}
void TestBadInput::warnings() {
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, expected);
    io::Report report;
    const auto s = io::read_scenario(text(input), "f.json", report);
    QVERIFY2(s.has_value(), s ? "" : s.error().text().c_str());
    std::string lines;
    for (const io::Message& m : report) lines += m.line();
    QCOMPARE(QByteArray::fromStdString(lines), expected);
}

void TestBadInput::nesting_limit() {
    const auto nested = [](int depth) { // root included
        return scenario_with(", \"x-deep\": " + QByteArray(depth - 1, '[') + QByteArray(depth - 1, ']'));
    };
    io::Report report;
    QVERIFY(io::read_scenario(text(nested(64)), "f.json", report).has_value());
    check(error_of(io::read_scenario(text(nested(65)), "f.json", report)), "f.json:4:74: error E-DEPTH /x-deep" + QByteArray("/0").repeated(62) + ": nested deeper than 64 levels");
}

void TestBadInput::cpu_limit() {
    io::Report report;
    QVERIFY(io::read_topology(text(topology_with("\"build\": {\"cores\": 4096}")), "f", report).has_value());
    QVERIFY(!io::read_topology(text(topology_with("\"build\": {\"cores\": 4097}")), "f", report).has_value());
    QVERIFY(io::read_topology(text(topology_with("\"build\": {\"packages\": 2, \"nodes\": 512}")), "f", report).has_value());
    check(error_of(io::read_topology(text(topology_with("\"build\": {\"packages\": 2, \"nodes\": 513}")), "f", report)),
          "f:1:44: error E-LIMIT /build: the machine would have 1026 nodes, at most 1024 are possible");
}

void TestBadInput::task_limit() {
    io::Report report;
    const auto many = [](int count) { return task_with((", \"count\": " + QByteArray::number(count)).constData(), "{\"run\": \"1ms\"}"); };
    QVERIFY(io::read_workload(text(many(100'000)), "f", eight_cpus(), report).has_value());
    check(error_of(io::read_workload(text(many(100'001)), "f", eight_cpus(), report)), "f:2:35: error E-RANGE /tasks/0/count: 100001 is out of range; 0 to 100000 are possible");
    const QByteArray two = workload_with("\"tasks\": [{\"name\": \"a\", \"count\": 99999}, {\"name\": \"b\", \"count\": 2}]");
    check(error_of(io::read_workload(text(two), "f", eight_cpus(), report)), "f:1:76: error E-LIMIT /tasks/1: more than 100000 tasks");
}

void TestBadInput::ops_limit() {
    io::Report report;
    const auto ops = [](int n) { return task_with("", (QByteArray("{\"run\": \"1us\"},").repeated(n - 1) + "{\"run\": \"1us\"}").constData()); };
    QVERIFY(io::read_workload(text(ops(10'000)), "f", eight_cpus(), report).has_value());
    check(error_of(io::read_workload(text(ops(10'001)), "f", eight_cpus(), report)),
          "f:2:45: error E-LIMIT /tasks/0/phases/0/ops: 10001 operations in a phase, at most 10000 are possible");
}

void TestBadInput::files() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    check(error_of(io::read_file(path + "/none")), QByteArray::fromStdString(path + "/none: error E-OPEN: cannot be opened: No such file or directory"));
    check(error_of(io::read_file(path)), QByteArray::fromStdString(path + ": error E-DIRECTORY: is a folder; name a file in it"));
    QVERIFY(io::write_file(path + "/empty", "").has_value());
    check(error_of(io::read_file(path + "/empty")), QByteArray::fromStdString(path + "/empty: error E-EMPTY: is empty"));
    check(error_of(io::read_file(path + "/empty/x")), QByteArray::fromStdString(path + "/empty/x: error E-OPEN: cannot be opened: Not a directory"));
    QCOMPARE(::mkfifo((path + "/fifo").c_str(), 0600), 0);
    check(error_of(io::read_file(path + "/fifo")), QByteArray::fromStdString(path + "/fifo: error E-EMPTY: is empty")); // and it does not hang
    check(error_of(io::write_file(path + "/none/x", "y")), QByteArray::fromStdString(path + "/none/x: error E-WRITE: cannot be written: No such file or directory"));
    QVERIFY(io::write_file(path + "/file", "one").has_value());
    QVERIFY(io::write_file(path + "/file", "two").has_value());
    QCOMPARE(*io::read_file(path + "/file"), std::string{"two"});
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::System).size(), 3); // empty, fifo, file: nothing is left beside
}

void TestBadInput::unreadable_file() {
    if (::geteuid() == 0) QSKIP("root reads every file");
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/locked";
    QVERIFY(io::write_file(path, "x").has_value());
    QCOMPARE(::chmod(path.c_str(), 0), 0);
    check(error_of(io::read_file(path)), QByteArray::fromStdString(path + ": error E-OPEN: cannot be opened: Permission denied"));
}

void TestBadInput::size_limit() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/large";
    QVERIFY(io::write_file(path, std::string(1 << 20, ' ')).has_value());
    QVERIFY(io::read_file(path, 1 << 20).has_value());
    QVERIFY(io::write_file(path, std::string((1 << 20) + 1, ' ')).has_value());
    check(error_of(io::read_file(path, 1 << 20)), QByteArray::fromStdString(path + ": error E-SIZE: is larger than the 1 MiB that are read"));
}

void TestBadInput::repeated_warnings_are_counted() {
    QByteArray cpus;
    for (int i = 0; i < 30; ++i) cpus += QByteArray(i == 0 ? "" : ", ") + "{\"id\": " + QByteArray::number(i) + ", \"kore\": 1}";
    io::Report report;
    const auto m = io::read_topology(text(topology_with(("\"cpus\": [" + cpus + "]").constData())), "f.json", report);
    QVERIFY(m.has_value());
    QCOMPARE(report.size(), std::size_t{20});
    QCOMPARE(report.back().count, std::uint64_t{11});
    QVERIFY(QByteArray::fromStdString(report.back().line()).endsWith("did you mean \"core\"? (and 10 more like this)"));
}

QTEST_APPLESS_MAIN(TestBadInput)
#include "test_bad_input.moc"
