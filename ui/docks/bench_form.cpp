// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/bench_form.hpp"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include "core/commands/command_line.hpp"
#include "core/io/document.hpp"
#include "core/profile/profile.hpp"
#include "ui/docks/flow_layout.hpp"
#include "ui/docks/labels.hpp"
#include "ui/theme/theme.hpp"
#include "ui/transport_bar.hpp"

namespace picknext::ui {

namespace {
constexpr const char* first_machine = "generic-x86";
constexpr const char* first_kernel = "eevdf-6.12y";

QString words(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
QStringList names(const char* kind) {
    QStringList out;
    for (const std::string& name : io::shipped_names(kind)) out << QString::fromStdString(name);
    return out;
}
/// Puts an item into a comma list, in place of one for the same thing.
QString with(const QString& list, const QString& item) {
    const QString key = item.section(QLatin1Char('='), 0, 0) + QLatin1Char('=');
    QStringList items = list.split(QLatin1Char(','), Qt::SkipEmptyParts);
    items.removeIf([&](const QString& i) { return i.trimmed().startsWith(key); });
    return (items << item).join(QLatin1Char(','));
}
} // namespace

BenchForm::BenchForm(QWidget* parent) : QWidget(parent), m_source(new FlatCombo), m_two(new QToolButton), m_full(new QToolButton) {
    setObjectName(QStringLiteral("benchForm"));
    m_source->setMaximumWidth(fontMetrics().averageCharWidth() * 28);
    m_source->view()->setMinimumWidth(fontMetrics().averageCharWidth() * 48);
    m_source->setObjectName(QStringLiteral("benchSource"));
    m_source->setAccessibleName(tr("Measurement"));
    m_source->setToolTip(tr("A measurement of a mail thread, or a command line of your own"));
    m_source->addItem(tr("Typed command"));
    m_command = edit("benchCommand", tr("Command line"), tr("As it is typed: hackbench -p -T -l 200 -g 4; schbench, perf bench sched pipe, netperf, uperf, tbench, storm, kick_ilb"), 0);
    m_command->setPlaceholderText(tr("hackbench -p -T -l 200 -g 4"));
    m_command->setMinimumWidth(fontMetrics().averageCharWidth() * 24);

    auto* flow = new FlowLayout(12);
    flow->setContentsMargins(8, 6, 8, 6);
    setLayout(flow);
    m_machine = combo("benchMachine", tr("Machine"), names("topologies"), QLatin1String(first_machine));
    m_costs = combo("benchCosts", tr("Costs"), names("costs"), QLatin1String(first_machine));
    QStringList kernels;
    for (const KernelInfo& k : kernel_table()) kernels << words(k.name);
    m_kernel = combo("benchKernel", tr("Kernel"), kernels, QLatin1String(first_kernel));
    m_a = edit("benchA", tr("Changes of arm A"), tr("What arm A changes of the kernel: patch.NAME=on, feature.NAME=off, tunable.NAME=3ms, with commas"), 26);
    m_b = edit("benchB", tr("Changes of arm B"), tr("What arm B changes of the kernel; both arms share their seeds"), 26);
    m_a->setPlaceholderText(tr("as the kernel is"));
    m_b->setPlaceholderText(tr("as the kernel is"));
    m_two->setText(tr("B"));
    m_full->setText(tr("Full size"));
    for (QToolButton* b : {m_two, m_full}) {
        b->setCheckable(true);
        b->setToolButtonStyle(Qt::ToolButtonTextOnly);
    }
    m_two->setObjectName(QStringLiteral("benchTwo"));
    m_two->setToolTip(tr("Compares with a second arm"));
    m_two->setAccessibleName(tr("Compare with arm B"));
    m_sweep = edit("benchSweep", tr("Sweep"), tr("Values of an option of the command: g=2..14:2, or l=100,1000; empty for one point"), 14);
    m_sweep->setPlaceholderText(tr("g=2..8:2"));
    m_seeds = edit("benchSeeds", tr("Seeds"), tr("Runs of each point and arm, each with another seed; two or more give an interval"), 5);
    m_seeds->setValidator(new QIntValidator(1, bench::max_repeats, m_seeds));
    m_scale = edit("benchScale", tr("Scale down by"), tr("Loops or seconds are divided by this; figures stay those of the full size"), 7);
    m_scale->setValidator(new QIntValidator(1, 1'000'000'000, m_scale));
    m_full->setObjectName(QStringLiteral("benchFull"));
    m_full->setToolTip(tr("The published size, which takes long; else it is scaled down as stated"));

    addField(tr("Machine"), m_machine);
    addField(tr("Costs"), m_costs);
    addField(tr("Kernel"), m_kernel);
    addField(tr("A"), m_a, changesMenu(m_a, tr("Add a change to arm A")));
    addField({}, m_two, nullptr);
    addField({}, m_b, changesMenu(m_b, tr("Add a change to arm B")));
    addField(tr("Sweep"), m_sweep);
    addField(tr("Seeds"), m_seeds);
    addField(tr("Scale down by"), m_scale);
    m_scaleField = m_scale->parentWidget();
    addField({}, m_full);

    bench::Request first;
    first.topology = first.costs = first_machine;
    first.kernel = first_kernel;
    fill(first);
    m_full->hide();
    connect(m_source, &QComboBox::currentIndexChanged, this, &BenchForm::chooseSource);
    connect(m_two, &QToolButton::toggled, this, [this](bool on) {
        m_b->parentWidget()->setEnabled(on);
        edited();
    });
    connect(m_full, &QToolButton::toggled, this, &BenchForm::changed);
    connect(m_seeds, &QLineEdit::textEdited, this, &BenchForm::changed);
    for (QLineEdit* e : {m_command, m_a, m_b, m_sweep, m_scale}) connect(e, &QLineEdit::textEdited, this, &BenchForm::edited);
    for (QLineEdit* e : {m_command, m_a, m_b, m_sweep, m_scale, m_seeds}) connect(e, &QLineEdit::returnPressed, this, &BenchForm::runAsked);
    connect(m_machine, &QComboBox::activated, this, [this] { // a machine comes with its costs
        if (const int same = m_costs->findText(m_machine->currentText()); same >= 0) m_costs->setCurrentIndex(same);
        edited();
    });
    for (FlatCombo* c : {m_costs, m_kernel}) connect(c, &QComboBox::activated, this, &BenchForm::edited);
}

QLineEdit* BenchForm::edit(const char* name, const QString& accessible, const QString& hint, int digits) {
    auto* e = new QLineEdit;
    e->setObjectName(QLatin1String(name));
    e->setAccessibleName(accessible);
    e->setToolTip(hint);
    e->setFont(Theme::from(palette(), font()).fixed);
    if (digits > 0) e->setFixedWidth(e->fontMetrics().horizontalAdvance(QLatin1Char('0')) * digits + 24);
    return e;
}

FlatCombo* BenchForm::combo(const char* name, const QString& accessible, const QStringList& items, const QString& first) {
    auto* c = new FlatCombo;
    c->setObjectName(QLatin1String(name));
    c->setAccessibleName(accessible);
    c->addItems(items);
    c->setCurrentText(first);
    return c;
}

void BenchForm::addField(const QString& label, QWidget* field, QWidget* more) {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    if (!label.isEmpty()) {
        auto* name = new RankedLabel(TextRank::second);
        name->setText(label);
        name->setBuddy(field);
        row->addWidget(name);
    }
    row->addWidget(field);
    if (more) row->addWidget(more);
    layout()->addWidget(box);
}

/// Patches with their values and features with on and off: what is chosen is written into the field.
QToolButton* BenchForm::changesMenu(QLineEdit* target, const QString& accessible) {
    auto* button = new QToolButton;
    button->setText(tr("Add…"));
    button->setAccessibleName(accessible);
    button->setToolTip(tr("A patch or feature, from a list"));
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    const auto add = [this, target](QMenu* to, const QString& key, const QString& value) {
        QAction* a = to->addAction(value);
        connect(a, &QAction::triggered, this, [this, target, item = key + QLatin1Char('=') + value] {
            target->setText(with(target->text(), item));
            edited();
        });
    };
    for (const PatchInfo& p : patch_table()) {
        QMenu* of = menu->addMenu(words(p.name));
        of->setToolTip(words(p.title));
        if (p.variants.empty()) {
            add(of, QStringLiteral("patch.") + words(p.name), QStringLiteral("on"));
            add(of, QStringLiteral("patch.") + words(p.name), QStringLiteral("off"));
        }
        for (const std::string_view v : p.variants) add(of, QStringLiteral("patch.") + words(p.name), words(v));
    }
    menu->addSeparator();
    QMenu* features = menu->addMenu(tr("Features"));
    for (const FeatureInfo& f : feature_table()) {
        QMenu* of = features->addMenu(words(f.name));
        add(of, QStringLiteral("feature.") + words(f.name), QStringLiteral("on"));
        add(of, QStringLiteral("feature.") + words(f.name), QStringLiteral("off"));
    }
    button->setMenu(menu);
    return button;
}

void BenchForm::setEntries(std::vector<BenchEntry> entries) {
    m_entries = std::move(entries);
    m_filling = true;
    while (m_source->count() > 1) m_source->removeItem(1);
    QStringList taken;
    for (const BenchEntry& e : m_entries) {
        QString text = tr("Thread %1: %2").arg(e.thread).arg(QString::fromStdString(e.name));
        taken << text;
        if (const auto times = taken.count(text); times > 1) text += QStringLiteral(" (%1)").arg(times);
        m_source->addItem(text);
        m_source->setItemData(m_source->count() - 1, QString::fromStdString(e.title + (e.note.empty() ? "" : "\n" + e.note)), Qt::ToolTipRole);
    }
    m_filling = false;
    m_source->updateGeometry();
}

void BenchForm::fill(const bench::Request& request) {
    m_filling = true;
    m_command->setText(QString::fromStdString(request.command));
    m_command->setCursorPosition(0);
    m_machine->setCurrentText(QString::fromStdString(request.topology));
    m_costs->setCurrentText(QString::fromStdString(request.costs));
    m_kernel->setCurrentText(QString::fromStdString(request.kernel));
    m_a->setText(QString::fromStdString(request.a));
    m_two->setChecked(request.b.has_value());
    m_b->setText(QString::fromStdString(request.b.value_or("")));
    m_b->parentWidget()->setEnabled(request.b.has_value());
    m_sweep->setText(QString::fromStdString(request.sweep));
    m_seeds->setText(QString::number(request.repeats));
    m_scale->setText(QString::number(request.scale));
    for (QLineEdit* e : {m_a, m_b, m_sweep}) e->setCursorPosition(0);
    m_filling = false;
}

void BenchForm::chooseSource(int index) {
    if (m_filling) return;
    const bool thread = index > 0;
    if (thread) fill(m_entries[static_cast<std::size_t>(index - 1)].request);
    m_full->setVisible(thread);
    m_scaleField->setVisible(!thread);
    m_full->parentWidget()->setVisible(thread);
    Q_EMIT changed();
}

void BenchForm::edited() {
    if (m_filling) return;
    if (m_source->currentIndex() > 0) m_source->setCurrentIndex(0); // keeps what the fields say
    Q_EMIT changed();
}

BenchChoice BenchForm::choice() const {
    BenchChoice out;
    bench::Request& r = out.request;
    r.command = m_command->text().trimmed().toStdString();
    r.topology = m_machine->currentText().toStdString();
    r.costs = m_costs->currentText().toStdString();
    r.kernel = m_kernel->currentText().toStdString();
    r.a = m_a->text().trimmed().toStdString();
    if (m_two->isChecked()) r.b = m_b->text().trimmed().toStdString();
    r.sweep = m_sweep->text().trimmed().toStdString();
    r.repeats = qBound(1, m_seeds->text().toInt(), bench::max_repeats);
    r.scale = qMax(1, m_scale->text().toInt());
    if (const int at = m_source->currentIndex(); at > 0) {
        const BenchEntry& e = m_entries[static_cast<std::size_t>(at - 1)];
        out.thread = e.thread;
        out.panel = e.panel;
        out.full = m_full->isChecked();
    }
    return out;
}

QString BenchForm::note() const {
    const int at = m_source->currentIndex();
    if (at <= 0) return {};
    const BenchEntry& e = m_entries[static_cast<std::size_t>(at - 1)];
    return QString::fromStdString(e.note.empty() ? e.title : e.title + "; " + e.note);
}

QString BenchForm::part(const Error& error) const {
    const std::string& file = error.place.file;
    if (file == commands::command_file) return tr("Command");
    if (file == "a") return tr("Arm A");
    if (file == "b") return tr("Arm B");
    if (file == "sweep") return tr("Sweep");
    return QString::fromStdString(file);
}

void BenchForm::point(const Error& error) {
    const std::string& file = error.place.file;
    QLineEdit* field = file == "a" ? m_a : file == "b" ? m_b : file == "sweep" ? m_sweep : file == commands::command_file ? m_command : nullptr;
    if (!field) return;
    field->setFocus();
    if (error.place.column > 0) field->setCursorPosition(error.place.column - 1);
}

} // namespace picknext::ui
