// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/scenario_model.hpp"

#include "core/explain/explain.hpp"
#include "ui/models/number_text.hpp"
#include "ui/models/roles.hpp"

namespace picknext::ui {

namespace {
constexpr int BookmarkRole = ChangedRole + 1;

QString from(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QStandardItem* add(QStandardItem* parent, const QString& text, const QString& detail,
                   const QString& tip = {}) {
    auto* item = new QStandardItem(text);
    item->setEditable(false);
    item->setData(detail, DetailRole);
    item->setToolTip(tip.isEmpty() ? (detail.isEmpty() ? text : text + QStringLiteral(": ") + detail) : tip);
    item->setAccessibleText(detail.isEmpty() ? text : text + QStringLiteral(", ") + detail);
    parent->appendRow(item);
    return item;
}

/// What sets a task apart from a plain one, in few words.
QString traits(const Snapshot& snapshot, const Task& task) {
    QStringList words;
    if (task.policy == Policy::batch) words << QStringLiteral("BATCH");
    if (task.policy == Policy::idle) words << QStringLiteral("IDLE");
    if (task.nice != 0)
        words << ScenarioModel::tr("nice %1").arg(task.nice < 0 ? QChar(0x2212) + QString::number(-task.nice)
                                                                : QString::number(task.nice));
    const Entity& e = snapshot.state.entity(task.entity);
    if (e.custom_slice != 0)
        words << ScenarioModel::tr("slice %1").arg(duration(static_cast<std::int64_t>(e.slice)));
    return words.join(QStringLiteral(" · "));
}

QString tunable_value(const TunableInfo& row, std::int64_t value) {
    if (row.unit == "ns") return duration(value);
    if (row.unit.empty()) return groupedNumber(value);
    return QStringLiteral("%1 %2").arg(groupedNumber(value), from(row.unit));
}
} // namespace

QString ScenarioModel::sectionName(Section section) {
    switch (section) {
    case Topology:
        return tr("Topology");
    case Tasks:
        return tr("Tasks");
    case Kernel:
        return tr("Kernel");
    case Patches:
        return tr("Patches");
    case Bookmarks:
        return tr("Bookmarks");
    case SectionCount:
        break;
    }
    return {};
}

int ScenarioModel::changedPatches(const Scenario& scenario) {
    int changed = 0;
    for (const PatchInfo& p : patch_table()) {
        const int standard = p.by_kernel[static_cast<std::size_t>(scenario.settings.kernel)];
        if (standard != absent && scenario.settings.patch(p.id) != standard) ++changed;
    }
    return changed;
}

void ScenarioModel::setSnapshot(const Snapshot* snapshot) {
    if (snapshot && snapshot->scenario == m_scenario) return;
    clear();
    m_scenario = snapshot ? snapshot->scenario : nullptr;
    if (!snapshot) return;
    addTopology(*m_scenario);
    addTasks(*snapshot);
    addKernel(*m_scenario);
    addPatches(*m_scenario);
    addBookmarks(*m_scenario);
}

QStandardItem* ScenarioModel::addSection(Section section, const QString& detail) {
    auto* item = add(invisibleRootItem(), sectionName(section), detail);
    item->setData(true, HeadingRole);
    item->setSelectable(false);
    return item;
}

void ScenarioModel::addTopology(const Scenario& scenario) {
    auto* section =
        addSection(Topology, tr("%n CPUs", nullptr, static_cast<int>(scenario.machine.cpu_count())));
    add(section, QString::fromStdString(summary(scenario.machine)), {}, from(scenario.machine.description));
    if (!scenario.machine.name.empty())
        add(section, from(scenario.machine.name), {}, from(scenario.machine.description));
}

void ScenarioModel::addTasks(const Snapshot& snapshot) {
    const State& st = snapshot.state;
    auto* section = addSection(Tasks, groupedNumber(static_cast<std::int64_t>(st.tasks.size())));
    std::vector<QStandardItem*> parents(m_scenario->workload.tasks.size(), nullptr);
    for (std::size_t i = 0; i < st.tasks.size(); ++i) {
        const Task& t = st.tasks[i];
        QStandardItem* parent = section;
        if (t.program >= 0 && static_cast<std::size_t>(t.program) < parents.size()) {
            const TaskSpec& spec = m_scenario->workload.tasks[static_cast<std::size_t>(t.program)];
            if (spec.count > 1) {
                QStandardItem*& group = parents[static_cast<std::size_t>(t.program)];
                if (!group)
                    group = add(section, tr("%1#0 … #%2").arg(from(spec.name)).arg(spec.count - 1),
                                groupedNumber(spec.count));
                parent = group;
            }
        }
        const TaskId id{i};
        auto* item = add(parent, QString::fromStdString(name_of(*m_scenario, st, id)), traits(snapshot, t));
        item->setData(id.value, TaskRole);
    }
}

void ScenarioModel::addKernel(const Scenario& scenario) {
    const Settings& s = scenario.settings;
    const Settings standard = default_settings(s.kernel, scenario.machine.online().size());
    auto* section = addSection(Kernel, from(name_of(s.kernel)));
    section->setToolTip(from(kernel_table()[static_cast<std::size_t>(s.kernel)].title));
    for (const TunableInfo& row : tunable_table()) {
        if (s[row.id] == absent) continue;
        auto* item = add(section, from(row.name), tunable_value(row, s[row.id]),
                         tr("%1\nDefault: %2").arg(from(row.what), tunable_value(row, standard[row.id])));
        item->setData(true, KernelNameRole);
        item->setData(s[row.id] != standard[row.id], ChangedRole);
    }
    auto* features = add(section, tr("Features"), {});
    int changed = 0;
    for (const FeatureInfo& row : feature_table()) {
        if (row.by_kernel[static_cast<std::size_t>(s.kernel)] == absent) continue;
        const bool differs = s.on(row.id) != standard.on(row.id);
        auto* item = add(features, from(row.name), s.on(row.id) ? tr("on") : tr("off"), from(row.what));
        item->setData(true, KernelNameRole);
        item->setData(differs, ChangedRole);
        changed += differs ? 1 : 0;
    }
    features->setData(changed == 0 ? tr("default") : tr("%n changed", nullptr, changed), DetailRole);
    features->setData(changed != 0, ChangedRole);
}

void ScenarioModel::addPatches(const Scenario& scenario) {
    const Settings& s = scenario.settings;
    const int changed = changedPatches(scenario);
    auto* section = addSection(Patches, changed == 0 ? tr("default") : tr("%n changed", nullptr, changed));
    for (const PatchInfo& p : patch_table()) {
        const int value = s.patch(p.id);
        const int standard = p.by_kernel[static_cast<std::size_t>(s.kernel)];
        const QString word = value == absent ? tr("n/a")
                             : value == 0    ? tr("off")
                             : value == 1    ? tr("on")
                                             : tr("variant %1").arg(value);
        auto* item = add(section, from(p.title), word, tr("%1\n%2").arg(from(p.governs), from(p.origin)));
        item->setData(standard != absent && value != standard, ChangedRole);
        if (value == absent) item->setEnabled(false);
    }
}

void ScenarioModel::addBookmarks(const Scenario& scenario) {
    auto* section = addSection(Bookmarks, QString::number(scenario.bookmarks.size()));
    if (scenario.bookmarks.empty()) add(section, tr("none in this scenario"), {})->setEnabled(false);
    for (std::size_t i = 0; i < scenario.bookmarks.size(); ++i) {
        const Bookmark& b = scenario.bookmarks[i];
        const QString where =
            b.decision != 0 ? QStringLiteral("#%1").arg(groupedNumber(static_cast<std::int64_t>(b.decision)))
                            : tr("%1 ms").arg(msGrouped(b.at));
        add(section, from(b.name), where)->setData(static_cast<int>(i), BookmarkRole);
    }
}

QModelIndex ScenarioModel::taskIndex(TaskId task) const {
    if (!task || rowCount() <= Tasks) return {};
    const QModelIndexList found = match(sectionIndex(Tasks).siblingAtColumn(0), TaskRole, task.value, 1,
                                        Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? QModelIndex() : found.first();
}

int ScenarioModel::bookmarkOf(const QModelIndex& index) const {
    const QVariant v = index.data(BookmarkRole);
    return v.isValid() ? v.toInt() : -1;
}

} // namespace picknext::ui
