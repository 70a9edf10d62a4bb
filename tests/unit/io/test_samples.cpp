// SPDX-License-Identifier: GPL-3.0-or-later
// Published files of other programs: each loads with the counts its origin states, or is refused for the reason known.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "core/io/document.hpp"
#include "core/io/rtapp.hpp"
#include "core/io/sysfs.hpp"

using namespace picknext;

class TestSamples : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void hwloc_data();
    void hwloc();
    void workloads_data();
    void workloads();
    void every_sample_has_a_row();
    void sysfs();
    void sysfs_offline_and_odd();
    void this_machine();
};

namespace {

QString samples(const char* folder) { return QStringLiteral(PICKNEXT_SHARED_DIR "/samples/") + QString::fromUtf8(folder); }

struct Topology {
    const char* file;
    const char* summary; // empty: refused
    int cpus, online;
    const char* codes;   // of warnings, or of the error
};
constexpr std::array topologies{
    Topology{"hwloc-v1-16amd64-4distances.xml", "8 nodes · 16 LLC · 16 cores", 16, 16, ""},
    Topology{"hwloc-v1-16em64t-4s2c2t-offlines.xml", "1 node · 4 LLC · 6 cores · SMT2", 9, 7, "W-OFFLINE"},
    Topology{"hwloc-v2-16amd64-4distances.v1tov2.xml", "8 nodes · 16 LLC · 16 cores", 16, 16, ""},
    Topology{"hwloc-v2-8intel64-fakeKNL-A2A-hybrid.rootattachednumas.xml", "2 nodes · 2 LLC · 4 cores · SMT2", 8, 8, ""},
    Topology{"hwloc-v2-cxlmem+dax.xml", "1 node · 1 LLC · 4 cores", 4, 4, ""},
    Topology{"hwloc-v2-fakecpukinds.xml", "1 node · 1 LLC · 2 cores · SMT2", 4, 4, "W-NO-LLC"},
    Topology{"hwloc-v2-power8gpudistances.xml", "2 nodes · 8 LLC · 8 cores · SMT2", 16, 16, ""},
    Topology{"hwloc-v3-AMD-17h-Zen-2xEpyc-7451.xml", "1 node · 16 LLC · 48 cores · SMT2", 96, 96, ""},
    Topology{"hwloc-v3-AMD-19h-Zen4-2xEpyc-9654.xml", "1 node · 24 LLC · 192 cores · SMT2", 384, 384, ""},
    Topology{"hwloc-v3-nvidia-dgx-gb10.xml", "1 node · 2 LLC · 20 cores", 20, 20, ""}};

struct RtappFile {
    const char* file;
    int tasks;          // 0: refused
    const char* error;  // its code and line
    int written_events; // as the author wrote them, repeated keys included; -1: not counted here
    int rtapp_events;   // as rt-app itself reads them
};
constexpr std::array rtapp_files{
    RtappFile{"jlelli-group-sched-example3.json", 2, "", 4, 4},
    RtappFile{"jlelli-grub-test-running-bw.json", 0, "E-DIALECT 10", 0, 0},
    RtappFile{"lisa-mp3-short.json", 0, "E-TEMPLATE 59", 0, 0},
    RtappFile{"rtapp-browser-short.json", 9, "", -1, -1},
    RtappFile{"rtapp-custom-slice.json", 2, "", -1, -1},
    RtappFile{"rtapp-dvfs.json", 1, "", -1, -1},
    RtappFile{"rtapp-mp3-short.json", 5, "", -1, -1},
    RtappFile{"rtapp-spreading-tasks.json", 2, "", -1, -1},
    RtappFile{"rtapp-template.json", 1, "", -1, -1},
    RtappFile{"rtapp-tutorial-example11.json", 1, "", -1, -1},
    RtappFile{"rtapp-tutorial-example5.json", 2, "", 17, 12},
    RtappFile{"rtapp-tutorial-example6.json", 1, "", 4, 4},
    RtappFile{"rtapp-tutorial-example7.json", 2, "", -1, -1},
    RtappFile{"rtapp-tutorial-example9.json", 3, "", -1, -1},
    RtappFile{"rtapp-video-short.json", 17, "", -1, -1},
    RtappFile{"rtapprs-failure_11.json", 1, "", -1, -1},
    RtappFile{"wa-camera-short.json", 57, "", -1, -1},
    RtappFile{"wa-taskset.json", 0, "E-DIALECT 4", 0, 0}};

std::string codes_of(const io::Report& report) {
    std::string out;
    for (const io::Message& m : report)
        if (m.severity == io::Severity::warning) out += (out.empty() ? "" : " ") + m.code;
    return out;
}

int events(const Workload& w) {
    std::size_t n = 0;
    for (const TaskSpec& t : w.tasks)
        for (const Phase& p : t.phases) n += p.ops.size();
    return static_cast<int>(n);
}

void put(const QString& root, const QString& file, const char* text) {
    const QString path = root + QStringLiteral("/sys/devices/system/") + file;
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QVERIFY(io::write_file(path.toStdString(), std::string(text) + "\n").has_value());
}

} // namespace

void TestSamples::hwloc_data() {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < topologies.size(); ++i) QTest::newRow(topologies[i].file) << static_cast<int>(i);
}
void TestSamples::hwloc() {
    QFETCH(int, row);
    const Topology& expected = topologies[static_cast<std::size_t>(row)];
    const std::string path = (samples("topologies/") + QString::fromUtf8(expected.file)).toStdString();
    const Result<std::string> text = io::read_file(path);
    if (!text) QSKIP("the samples are not here");
    io::Report report;
    const Result<Machine> m = io::read_topology(*text, path, report);
    QVERIFY2(m.has_value(), m ? "" : m.error().text().c_str());
    QCOMPARE(summary(*m), std::string(expected.summary));
    QCOMPARE(static_cast<int>(m->cpu_count()), expected.cpus);
    QCOMPARE(m->online().size(), expected.online);
    QCOMPARE(codes_of(report), std::string(expected.codes));
    io::Report silent;
    const Result<Machine> again = io::read_topology(io::write_topology(*m), "saved", silent);
    QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
    QVERIFY(*again == *m);
}

void TestSamples::workloads_data() {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < rtapp_files.size(); ++i) QTest::newRow(rtapp_files[i].file) << static_cast<int>(i);
}
void TestSamples::workloads() {
    QFETCH(int, row);
    const RtappFile& expected = rtapp_files[static_cast<std::size_t>(row)];
    const std::string path = (samples("workloads/") + QString::fromUtf8(expected.file)).toStdString();
    const Result<std::string> text = io::read_file(path);
    if (!text) QSKIP("the samples are not here");
    MachineCounts counts;
    counts.cores = 8;
    const Machine machine = *build_machine(counts);
    io::Report report;
    const Result<io::RtappImport> import = io::read_rtapp(*text, expected.file, machine, report);
    QCOMPARE(import ? std::string{} : import.error().code + " " + std::to_string(import.error().place.line), std::string(expected.error));
    if (!import) return;
    QCOMPARE(static_cast<int>(import->workload.tasks.size()), expected.tasks);
    io::Report silent;
    const std::string once = io::write_workload(import->workload, machine);
    const Result<Workload> again = io::read_workload(once, "saved", machine, silent);
    QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
    QVERIFY(*again == import->workload);
    QCOMPARE(QByteArray::fromStdString(io::write_workload(*again, machine)), QByteArray::fromStdString(once));
    if (expected.written_events < 0) return;
    QCOMPARE(events(import->workload), expected.written_events);
    io::RtappOptions options;
    options.duplicates = io::RtappOptions::Duplicates::as_rtapp;
    const Result<io::RtappImport> other = io::read_rtapp(*text, expected.file, machine, report, options);
    QVERIFY(other.has_value());
    QCOMPARE(events(other->workload), expected.rtapp_events);
}

void TestSamples::every_sample_has_a_row() {
    const QDir topology_folder(samples("topologies"));
    const QDir workload_folder(samples("workloads"));
    if (!topology_folder.exists() || !workload_folder.exists()) QSKIP("the samples are not here");
    QCOMPARE(topology_folder.entryList({QStringLiteral("hwloc-*.xml")}).size(), static_cast<qsizetype>(topologies.size()));
    QCOMPARE(workload_folder.entryList(QDir::Files).size(), static_cast<qsizetype>(rtapp_files.size()));
}

void TestSamples::sysfs() {
    const QTemporaryDir folder;
    const QString root = folder.path();
    const char* siblings[] = {"0,2", "1,3", "0,2", "1,3"};
    for (int cpu = 0; cpu < 4; ++cpu) {
        const QString here = QStringLiteral("cpu/cpu%1/").arg(cpu);
        put(root, here + QStringLiteral("topology/thread_siblings_list"), siblings[cpu]);
        put(root, here + QStringLiteral("topology/package_cpus_list"), "0-3");
        put(root, here + QStringLiteral("cache/index0/level"), "1");
        put(root, here + QStringLiteral("cache/index0/type"), "Instruction");
        put(root, here + QStringLiteral("cache/index0/shared_cpu_list"), siblings[cpu]);
        put(root, here + QStringLiteral("cache/index2/level"), "2");
        put(root, here + QStringLiteral("cache/index2/type"), "Unified");
        put(root, here + QStringLiteral("cache/index2/size"), "512K");
        put(root, here + QStringLiteral("cache/index2/shared_cpu_map"), cpu % 2 == 0 ? "5" : "a");
        put(root, here + QStringLiteral("cpu_capacity"), cpu % 2 == 0 ? "1024" : "485");
    }
    put(root, QStringLiteral("node/node0/cpumap"), "5");
    put(root, QStringLiteral("node/node0/distance"), "10 21");
    put(root, QStringLiteral("node/node8/cpulist"), "1,3,88-90");
    put(root, QStringLiteral("node/node8/distance"), "21 10");
    put(root, QStringLiteral("node/node8/meminfo"), "Node 8 MemTotal:       2048 kB");
    io::Report report;
    const Result<Machine> m = io::read_sysfs(root.toStdString(), report);
    QVERIFY2(m.has_value(), m ? "" : m.error().text().c_str());
    QCOMPARE(summary(*m), std::string{"2 nodes · 2 LLC · 2 cores · SMT2"});
    QCOMPARE(cpu_list(*m, m->llc_span[1]), std::string{"1,3"});
    QCOMPARE(m->cpus[1].capacity, 485);
    QCOMPARE(m->nodes[1].number, 8);
    QCOMPARE(m->nodes[1].memory, std::uint64_t{2048} * 1024);
    QCOMPARE(m->distance(NodeId{0}, NodeId{1}), 21);
    QCOMPARE(m->caches.size(), std::size_t{4});
    QCOMPARE(codes_of(report), std::string{});
    QVERIFY(report.size() == 1 && report[0].code == "N-NODES"); // CPUs 88-90 are not there
}

void TestSamples::sysfs_offline_and_odd() {
    const QTemporaryDir folder;
    const QString root = folder.path();
    put(root, QStringLiteral("cpu/cpu0/topology/core_cpus_list"), "0-1");
    put(root, QStringLiteral("cpu/cpu1/topology/core_cpus_list"), "1"); // disagrees
    put(root, QStringLiteral("cpu/cpu2/online"), "0");
    io::Report report;
    const Result<Machine> m = io::read_sysfs(root.toStdString(), report);
    QVERIFY2(m.has_value(), m ? "" : m.error().text().c_str());
    QCOMPARE(m->cpu_count(), std::size_t{3});
    QCOMPARE(m->online().size(), 2);
    QCOMPARE(m->cpus[0].core, m->cpus[1].core); // the union
    QCOMPARE(codes_of(report), std::string{"W-SIBLINGS W-NO-LLC W-OFFLINE"});
    io::Report other;
    QCOMPARE(io::read_sysfs(root.toStdString() + "/nowhere", other).error().code, std::string{"E-OPEN"});
}

void TestSamples::this_machine() {
    if (!QDir(QStringLiteral("/sys/devices/system/cpu/cpu0")).exists()) QSKIP("no /sys here");
    io::Report report;
    const Result<Machine> m = io::read_this_machine(report);
    QVERIFY2(m.has_value(), m ? "" : m.error().text().c_str());
    QVERIFY(!m->online().empty());
}

QTEST_APPLESS_MAIN(TestSamples)
#include "test_samples.moc"
