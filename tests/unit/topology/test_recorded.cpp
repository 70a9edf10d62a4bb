// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that real kernels booted on: from the topology they showed under /sys we must arrive at what they printed of
// their scheduling domains and tunables, line by line. One text per machine holds what was recorded there: the release,
// "file: value" lines of /sys and of the debug file system, and the boot messages.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>

#include "app/vectors/document.hpp"
#include "core/balance/attach.hpp"
#include "core/io/document.hpp"
#include "core/io/sysfs.hpp"
#include "core/state/state.hpp"
#include "core/topology/domains.hpp"

using namespace picknext;

namespace {

/// What one kernel said.
struct Recording {
    QString release;
    std::map<QString, QString> sysfs;    // file -> value
    std::map<QString, QString> tunables; // name -> value
    QStringList domains;                 // "cpu0/domain0/flags: ..." without the measured costs, sorted
    QStringList boot;                    // messages without their times
};

QString trimmed_value(const QString& line) { return line.section(QLatin1Char(':'), 1).trimmed(); }

Recording recording_of(const QString& text) {
    Recording r;
    static const QString debug = QStringLiteral("/sys/kernel/debug/sched/domains/");
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QString name = line.section(QLatin1Char(':'), 0, 0);
        if (line.startsWith(QLatin1String("Linux "))) r.release = line;
        else if (line.startsWith(QLatin1Char('['))) r.boot += line.section(QStringLiteral("] "), 1);
        else if (!name.startsWith(QLatin1String("/sys/"))) r.tunables[name] = trimmed_value(line);
        else if (!name.startsWith(debug)) r.sysfs[name] = trimmed_value(line);
        else if (!name.endsWith(QLatin1String("max_newidle_lb_cost"))) r.domains += name.mid(debug.size()) + QStringLiteral(": ") + trimmed_value(line);
    }
    r.domains.sort();
    return r;
}

/// The profile of a kernel release; none where we have no profile of it.
std::optional<Kernel> kernel_of(const QString& release) {
    if (release.contains(QLatin1String(" 6.1.192"))) return Kernel::cfs_6_1;
    if (release.contains(QLatin1String(" 6.12.117"))) return Kernel::eevdf_6_12y;
    return std::nullopt;
}

const std::map<QString, Recording>& recordings() {
    static const std::map<QString, Recording> all = [] {
        std::map<QString, Recording> out;
        const auto documents = vectors::read_documents(PICKNEXT_RECORDED_TOPOLOGIES);
        if (!documents) qFatal("%s", documents.error().text().c_str());
        for (const vectors::Document& d : *documents)
            out[QString::fromStdString(d.name).section(QLatin1Char(':'), 1).chopped(4)] = recording_of(QString::fromStdString(d.text));
        return out;
    }();
    return all;
}

/// The machine, read from the files as recorded.
Machine machine_of(const Recording& r) {
    const QTemporaryDir folder;
    for (const auto& [file, value] : r.sysfs) {
        if (!QDir().mkpath(QFileInfo(folder.path() + file).path())) qFatal("no folder for %s", qPrintable(file));
        QFile out(folder.path() + file);
        if (!out.open(QFile::WriteOnly) || out.write(value.toUtf8() + '\n') < 0) qFatal("cannot write %s", qPrintable(file));
    }
    io::Report report;
    Result<Machine> machine = io::read_sysfs(folder.path().toStdString(), report);
    if (!machine) qFatal("%s", machine.error().text().c_str());
    for (const io::Message& m : report) qWarning("%s: %s", m.code.c_str(), m.text.c_str());
    if (!report.empty()) qFatal("what a kernel showed was read with doubts");
    return std::move(machine).value();
}

struct Built {
    Machine machine;
    Domains domains;
    State st;
    Kernel kernel;

    Built(const Recording& r, Kernel of) : machine(machine_of(r)), kernel(of) {
        const CpuSet online = machine.online();
        domains = build_domains(machine, online, kernel);
        st.settings = default_settings(kernel, online.size());
        st.rqs.resize(machine.cpu_count());
        for (std::size_t c = 0; c < machine.cpu_count(); ++c) st.rqs[c].capacity = st.rqs[c].cpu_capacity = machine.cpus[c].capacity;
        balance::attach_domains(st, domains);
    }
    [[nodiscard]] QString list(CpuSetView set) const { return QString::fromStdString(cpu_list(machine, set)); }
    [[nodiscard]] QString name(SdLevel level) const {
        const std::string_view text = name_of(level, kernel);
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    }
    [[nodiscard]] std::vector<DomainId> chain(CpuId c) const {
        std::vector<DomainId> out;
        for (DomainId d = domains.cpu(c).base; d; d = domains.domain(d).parent) out.push_back(d);
        return out;
    }
};

/// As the kernel prints a group: number of its capacity object, span, balance mask and capacity where they say something.
QString printed(const Built& b, const Domain& d, const SchedGroup& g) {
    QString out = QStringLiteral("%1:{ span=%2").arg(b.machine.cpu(g.balance_cpu).number).arg(b.list(g.span));
    if (d.has(sd::overlap) && g.balance_mask != g.span) out += QStringLiteral(" mask=") + b.list(g.balance_mask);
    const std::int64_t capacity = b.st.group_capacities[g.capacity.index()].capacity;
    if (capacity != full_capacity) out += QStringLiteral(" cap=%1").arg(capacity);
    return out + QStringLiteral(" }");
}

/// The boot messages of "sched_verbose" (fn: sched_domain_debug).
QStringList boot_messages(const Built& b) {
    QStringList out;
    for_each_cpu(b.machine.online(), [&](CpuId c) {
        const int number = b.machine.cpu(c).number;
        const std::vector<DomainId> chain = b.chain(c);
        out += chain.empty() ? QStringLiteral("CPU%1 attaching NULL sched-domain.").arg(number) : QStringLiteral("CPU%1 attaching sched-domain(s):").arg(number);
        for (std::size_t depth = 0; depth < chain.size(); ++depth) {
            const Domain& d = b.domains.domain(chain[depth]);
            const QString indent(static_cast<qsizetype>(depth) + 1, QLatin1Char(' '));
            out += indent + QStringLiteral("domain-%1: span=%2 level=%3").arg(depth).arg(b.list(d.span), b.name(d.level));
            QStringList groups;
            for (std::size_t k = 0; k < b.domains.group_count(d); ++k) groups += printed(b, d, b.domains.group_at(d, k));
            out += indent + QStringLiteral(" groups: ") + groups.join(QStringLiteral(", "));
        }
    });
    const QString most = b.kernel <= Kernel::cfs_6_1 ? QStringLiteral(" (max cpu_capacity = %1)").arg(b.domains.max_capacity) : QString();
    return out += QStringLiteral("root domain span: ") + b.list(b.machine.online()) + most;
}

QString flag_names(std::uint32_t flags, Kernel kernel) {
    QStringList out;
    for (const sd::FlagInfo& f : sd::flag_table())
        if ((flags & f.flag) != 0) {
            const bool renamed = f.flag == sd::share_llc && kernel < Kernel::eevdf_6_8;
            out += QStringLiteral("SD_") + (renamed ? QStringLiteral("SHARE_PKG_RESOURCES") : QString::fromUtf8(f.name.data(), static_cast<qsizetype>(f.name.size())));
        }
    return out.join(QLatin1Char(' '));
}

/// The level's place in the kernel's table: each distance above the local one is a level above NODE. A domain is of the
/// first of them whose nodes make up its span.
int table_row(const Built& b, const Domain& d) {
    if (d.level != SdLevel::numa) return static_cast<int>(d.level);
    const NodeId own = b.machine.cpu(d.owner).node;
    std::vector<int> distances;
    for (std::size_t x = 0; x < b.machine.nodes.size(); ++x)
        for (std::size_t y = 0; y < b.machine.nodes.size(); ++y) distances.push_back(b.machine.distance(NodeId{x}, NodeId{y}));
    std::sort(distances.begin(), distances.end());
    distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
    for (std::size_t i = 1; i < distances.size(); ++i) {
        CpuSet within(b.machine.cpu_count());
        for_each_cpu(b.machine.online(), [&](CpuId c) { if (b.machine.distance(own, b.machine.cpu(c).node) <= distances[i]) within.add(c); });
        if (within == d.span) return static_cast<int>(SdLevel::numa) + static_cast<int>(i) - 1;
    }
    return -1;
}

/// The files of the debug file system, without the measured max_newidle_lb_cost.
QStringList debug_files(const Built& b) {
    QStringList out;
    for_each_cpu(b.machine.online(), [&](CpuId c) {
        const std::vector<DomainId> chain = b.chain(c);
        for (std::size_t depth = 0; depth < chain.size(); ++depth) {
            const Domain& d = b.domains.domain(chain[depth]);
            const auto file = [&](const char* name, const QString& value) {
                out += QStringLiteral("cpu%1/domain%2/%3: %4").arg(b.machine.cpu(c).number).arg(depth).arg(QLatin1String(name), value);
            };
            file("busy_factor", QString::number(d.busy_factor));
            file("cache_nice_tries", QString::number(d.cache_nice_tries));
            file("flags", flag_names(d.flags, b.kernel));
            file("imbalance_pct", QString::number(d.imbalance_pct));
            file("max_interval", QString::number(d.max_interval));
            file("min_interval", QString::number(d.min_interval));
            file("name", b.name(d.level));
            if (b.kernel < Kernel::eevdf_6_12) continue; // later kernels show these too
            file("groups_flags", flag_names(b.domains.group_at(d, 0).flags, b.kernel));
            file("level", QString::number(table_row(b, d)));
        }
    });
    out.sort();
    return out;
}

QString first_difference(const QStringList& ours, const QStringList& theirs) {
    for (qsizetype i = 0; i < std::max(ours.size(), theirs.size()); ++i)
        if (ours.value(i) != theirs.value(i)) return QStringLiteral("line %1: ours \"%2\", the kernel's \"%3\"").arg(i).arg(ours.value(i), theirs.value(i));
    return {};
}

} // namespace

class TestRecorded : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everyRecordingIsHere() {
        QCOMPARE(recordings().size(), std::size_t{14});
        const QDir folder(QStringLiteral(PICKNEXT_SHARED_DIR "/samples/traces"));
        if (!folder.exists()) QSKIP("the recordings themselves are not here");
        for (const QString& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QVERIFY2(recordings().contains(name), qPrintable(name));
    }

    void domainsAndTunables_data() {
        QTest::addColumn<QString>("name");
        for (const auto& [name, r] : recordings()) QTest::newRow(qPrintable(name)) << name;
    }
    void domainsAndTunables() {
        QFETCH(QString, name);
        const Recording& r = recordings().at(name);
        const std::optional<Kernel> kernel = kernel_of(r.release);
        if (!kernel) {
            // Nobody could read that machine's domains and there is no profile of its kernel: its topology must be read.
            QVERIFY(r.boot.isEmpty() && r.domains.isEmpty());
            QCOMPARE(summary(machine_of(r)), std::string("1 node · 1 LLC · 2 cores"));
            return;
        }
        const Built b(r, *kernel);
        QVERIFY(!r.boot.isEmpty());
        QCOMPARE(first_difference(boot_messages(b), r.boot), QString());
        QCOMPARE(first_difference(debug_files(b), r.domains), QString());

        int compared = 0;
        for (const TunableInfo& t : tunable_table()) {
            const QString here = QString::fromUtf8(t.name.data(), static_cast<qsizetype>(t.name.size()));
            const auto at = std::find_if(r.tunables.begin(), r.tunables.end(), [&](const auto& entry) {
                return entry.first == here || entry.first == here + QStringLiteral("_ns");
            });
            if (at == r.tunables.end()) continue;
            ++compared;
            QVERIFY2(b.st.settings[t.id] == at->second.toLongLong(),
                     qPrintable(QStringLiteral("%1: ours %2, the kernel's %3").arg(here).arg(b.st.settings[t.id]).arg(at->second)));
        }
        QCOMPARE(compared, *kernel == Kernel::cfs_6_1 ? 7 : 4);
        // The kernel's features: those we have are theirs, with the same defaults, and none of theirs is absent here.
        const QStringList features = r.tunables.at(QStringLiteral("features")).split(QLatin1Char(' '));
        for (const FeatureInfo& f : feature_table()) {
            const QString here = QString::fromUtf8(f.name.data(), static_cast<qsizetype>(f.name.size()));
            if (here != here.toUpper()) continue; // a switch of ours, or a sysctl
            const QString printed = !features.contains(here) ? features.contains(QStringLiteral("NO_") + here) ? QStringLiteral("off") : QStringLiteral("absent") : QStringLiteral("on");
            const bool absent_here = f.by_kernel[static_cast<std::size_t>(*kernel)] == absent;
            const QString ours = absent_here ? QStringLiteral("absent") : b.st.settings.on(f.id) ? QStringLiteral("on") : QStringLiteral("off");
            QVERIFY2(ours == printed, qPrintable(QStringLiteral("%1: ours %2, the kernel's %3").arg(here, ours, printed)));
        }
    }
};

QTEST_APPLESS_MAIN(TestRecorded)
#include "test_recorded.moc"
