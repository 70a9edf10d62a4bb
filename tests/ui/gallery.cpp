// SPDX-License-Identifier: GPL-3.0-or-later
// Paints every view in both themes at several sizes into a directory, to be looked at: gallery DIRECTORY [FONT PIXELS].
#include <functional>

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPalette>
#include <QTextStream>

#include "tests/ui/support/moments.hpp"
#include "ui/painted/eligibility_line.hpp"
#include "ui/painted/machine_view.hpp"
#include "ui/painted/scrubber_view.hpp"
#include "ui/painted/timeline_view.hpp"
#include "ui/painted/tree_view.hpp"

using namespace picknext;
using namespace picknext::ui;

namespace {

QPalette dark_palette() {
    QPalette p(QColor(0x2A, 0x2E, 0x34), QColor(0x2A, 0x2E, 0x34));
    p.setColor(QPalette::Base, QColor(0x1E, 0x21, 0x26));
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) p.setColor(role, QColor(0xE6, 0xE8, 0xEB));
    return p;
}

QDir directory;

void shoot(PaintedView& view, const QString& name, const std::shared_ptr<const Snapshot>& snapshot, const QSize& size) {
    for (const bool dark : {false, true}) {
        view.setPalette(dark ? dark_palette() : QPalette());
        view.resize(size);
        view.setSnapshot(snapshot);
        view.grab();
        QElapsedTimer timer;
        timer.start();
        view.setSnapshot(nullptr);
        view.setSnapshot(snapshot);
        timer.start();
        const QPixmap picture = view.grab();
        const double ms = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        const QString file = name + (dark ? QStringLiteral("-dark.png") : QStringLiteral("-light.png"));
        picture.save(directory.filePath(file));
        QTextStream(stdout) << file << " " << ms << " ms, " << view.detailText() << "\n";
    }
}

/// The simulated run at its first decision of the kind after `ns`.
std::shared_ptr<const Snapshot> simulated(Kernel kernel, std::int64_t ns, Kind kind, Reason reason) {
    Timeline timeline(test::small_scenario(kernel));
    timeline.seek_time(ns);
    const auto wanted = [&] {
        const DecisionHeader h = timeline.snapshot()->header;
        return h.kind == kind && (reason == Reason::none || h.reason == reason);
    };
    while (!wanted() && timeline.step(StepUnit::decision, Direction::forward)) {}
    return timeline.snapshot();
}

template <class View>
void shoot(const QString& name, const std::shared_ptr<const Snapshot>& snapshot, const QSize& size, CpuId cpu) {
    Selection selection;
    selection.setCpu(cpu);
    View view(&selection);
    shoot(view, name, snapshot, size);
}

} // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    if (argc < 2 || !QDir().mkpath(QString::fromLocal8Bit(argv[1]))) return 2;
    if (argc > 2) {
        QFont font = app.font();
        font.setPixelSize(QString::fromLocal8Bit(argv[2]).toInt());
        app.setFont(font);
    }
    directory.setPath(QString::fromLocal8Bit(argv[1]));
    const auto crowded = test::crowded_queue();
    const CpuId three{3}, zero{0};
    shoot<MachineView>(QStringLiteral("machine-16"), crowded, {500, 464}, three);
    shoot<MachineView>(QStringLiteral("machine-16-small"), crowded, {330, 340}, three);
    shoot<TreeView>(QStringLiteral("tree"), crowded, {610, 224}, three);
    shoot<TreeView>(QStringLiteral("tree-large"), crowded, {1190, 400}, three);
    shoot<TreeView>(QStringLiteral("tree-small"), crowded, {688, 146}, three);
    shoot<EligibilityLine>(QStringLiteral("line"), crowded, {610, 178}, three);
    shoot<EligibilityLine>(QStringLiteral("line-large"), crowded, {1190, 380}, three);
    shoot<TimelineView>(QStringLiteral("timeline"), crowded, {1006, 190}, three);
    shoot<TimelineView>(QStringLiteral("timeline-small"), crowded, {688, 152}, three);
    shoot<ScrubberView>(QStringLiteral("scrubber"), crowded, {1590, 62}, three);
    shoot<ScrubberView>(QStringLiteral("scrubber-small"), crowded, {1024, 30}, three);
    const auto large = test::busy_machine(2, 8, 8, 2, 400);
    shoot<MachineView>(QStringLiteral("machine-256"), large, {620, 800}, CpuId{19});
    shoot<TimelineView>(QStringLiteral("timeline-256"), large, {960, 800}, CpuId{19});
    const auto huge = test::busy_machine(4, 16, 8, 2, 1000);
    shoot<MachineView>(QStringLiteral("machine-1024"), huge, {620, 800}, CpuId{19});
    shoot<TimelineView>(QStringLiteral("timeline-1024"), huge, {960, 800}, CpuId{19});
    const auto one = test::long_queue(1);
    shoot<MachineView>(QStringLiteral("machine-1"), one, {380, 410}, zero);
    shoot<TreeView>(QStringLiteral("tree-1"), one, {610, 224}, zero);
    const auto forty = test::long_queue(40);
    shoot<TreeView>(QStringLiteral("tree-40"), forty, {800, 300}, zero);
    shoot<EligibilityLine>(QStringLiteral("line-40"), forty, {610, 400}, zero);
    const auto many = test::long_queue(10'000);
    shoot<TreeView>(QStringLiteral("tree-10000"), many, {1190, 400}, zero);
    shoot<EligibilityLine>(QStringLiteral("line-10000"), many, {610, 300}, zero);
    Selection selection;
    TimelineView million(&selection);
    million.resize(960, 500);
    const auto slices = test::busy_machine(1, 2, 8, 2, 31'250); // 32 lanes
    million.setSnapshot(slices);
    million.zoomToFit();
    shoot(million, QStringLiteral("timeline-million"), slices, {960, 500});
    for (const Kernel kernel : {Kernel::eevdf_6_12y, Kernel::eevdf_6_6, Kernel::cfs_6_1}) {
        const QString name = QString::fromLatin1(name_of(kernel).data(), static_cast<qsizetype>(name_of(kernel).size()));
        const auto pick = simulated(kernel, 60'000'000, Kind::pick, kernel == Kernel::eevdf_6_12y ? Reason::pick_search : Reason::none);
        const CpuId cpu{std::size_t{pick->header.cpu}};
        shoot<TreeView>(QStringLiteral("real-tree-") + name, pick, {800, 260}, cpu);
        shoot<EligibilityLine>(QStringLiteral("real-line-") + name, pick, {800, 260}, cpu);
        shoot<TimelineView>(QStringLiteral("real-timeline-") + name, pick, {800, 220}, cpu);
    }
    const auto placed = simulated(Kernel::eevdf_6_12y, 60'000'000, Kind::place, Reason::none);
    shoot<MachineView>(QStringLiteral("real-machine"), placed, {400, 400}, CpuId{0});
    shoot<ScrubberView>(QStringLiteral("real-scrubber"), placed, {800, 62}, CpuId{0});
    return 0;
}
