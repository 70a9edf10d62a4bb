// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/palette_dialog.hpp"

#include <algorithm>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/actions/action_registry.hpp"
#include "ui/docks/labels.hpp"
#include "ui/models/number_text.hpp"
#include "ui/models/roles.hpp"

namespace picknext::ui {

namespace {
constexpr int ShortcutRole = ChangedRole + 1;
constexpr int ReasonRole = ChangedRole + 2;
constexpr int FilterRole = ChangedRole + 3;

/// Title with the part typed in bold, reason beside it, group and shortcut at the right.
class PaletteDelegate final : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {200, option.fontMetrics.height() + 12};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& given,
               const QModelIndex& index) const override {
        QStyleOptionViewItem option = given;
        initStyleOption(&option, index);
        option.state.setFlag(QStyle::State_HasFocus, false);
        const Theme& theme = m_theme.of(*option.widget);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool usable = index.data(ReasonRole).toString().isEmpty();
        painter->save();
        draw_row_ground(*painter, option, theme, false, selected);
        QRect row = option.rect.adjusted(12, 0, -10, 0);
        row.setRight(drawShortcut(*painter, theme, row, index.data(ShortcutRole).toString()));
        painter->setFont(theme.small);
        painter->setPen(theme.mut);
        const QString group = index.data(DetailRole).toString();
        painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, group);
        row.setRight(row.right() - painter->fontMetrics().horizontalAdvance(group) - 12);
        row.setLeft(drawTitle(*painter, theme, row, index.data(Qt::DisplayRole).toString(),
                              index.data(FilterRole).toString(), usable));
        if (!usable) {
            painter->setFont(theme.small);
            painter->setPen(theme.mut);
            const QString reason = tr("not now: %1").arg(index.data(ReasonRole).toString());
            painter->drawText(row.adjusted(10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                              painter->fontMetrics().elidedText(reason, Qt::ElideRight, row.width() - 10));
        }
        painter->restore();
    }

  private:
    static int drawShortcut(QPainter& painter, const Theme& theme, const QRect& row, const QString& keys) {
        if (keys.isEmpty()) return row.right();
        painter.setFont(theme.fixed);
        const int width = painter.fontMetrics().horizontalAdvance(keys) + 8;
        const int height = painter.fontMetrics().height() + 2;
        const QRect box(row.right() - width, row.center().y() - height / 2, width, height);
        painter.setPen(theme.ctl);
        painter.setBrush(theme.base);
        painter.drawRoundedRect(box, 2, 2);
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignCenter, keys);
        return box.left() - 10;
    }
    static int drawTitle(QPainter& painter, const Theme& theme, const QRect& row, const QString& title,
                         const QString& filter, bool usable) {
        painter.setPen(usable ? theme.text : theme.mut);
        const qsizetype at = filter.isEmpty() ? -1 : title.indexOf(filter, 0, Qt::CaseInsensitive);
        const qsizetype begin = at < 0 ? 0 : at;
        const qsizetype end = at < 0 ? 0 : at + filter.size();
        QRect rest = row;
        for (const auto& [text, font] : {std::pair{title.left(begin), &theme.body},
                                         std::pair{title.mid(begin, end - begin), &theme.strong},
                                         std::pair{title.mid(end), &theme.body}}) {
            painter.setFont(*font);
            painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, text);
            rest.setLeft(rest.left() + painter.fontMetrics().horizontalAdvance(text));
        }
        return rest.left();
    }
    CachedTheme m_theme;
};
} // namespace

PaletteModel::PaletteModel(const ActionRegistry* registry, QObject* parent)
    : QAbstractListModel(parent), m_registry(registry) {}

void PaletteModel::setFilter(const QString& filter) {
    beginResetModel();
    m_filter = filter.trimmed();
    m_shown.clear();
    const QStringList words = m_filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (QAction* a : m_registry->all()) {
        const QString text = ActionRegistry::title(a) + QLatin1Char(' ') + ActionRegistry::group(a);
        if (std::all_of(words.begin(), words.end(),
                        [&](const QString& w) { return text.contains(w, Qt::CaseInsensitive); }))
            m_shown << a;
    }
    const auto rank = [this](const QAction* a) {
        const bool begins = ActionRegistry::title(a).startsWith(m_filter, Qt::CaseInsensitive);
        const bool whole = ActionRegistry::title(a).compare(m_filter, Qt::CaseInsensitive) == 0;
        return (a->isEnabled() ? 0 : 3) + (whole ? 0 : begins ? 1 : 2);
    };
    std::stable_sort(m_shown.begin(), m_shown.end(),
                     [&](const QAction* a, const QAction* b) { return rank(a) < rank(b); });
    endResetModel();
}

QAction* PaletteModel::action(const QModelIndex& index) const {
    return index.isValid() ? m_shown.at(index.row()) : nullptr;
}
int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    const QAction* a = action(index);
    if (!a) return {};
    switch (role) {
    case Qt::DisplayRole:
        return ActionRegistry::title(a);
    case Qt::ToolTipRole:
        return a->toolTip();
    case DetailRole:
        return ActionRegistry::group(a);
    case ShortcutRole:
        return a->shortcut().toString(QKeySequence::NativeText);
    case ReasonRole:
        return a->isEnabled() ? QString() : ActionRegistry::unavailable(a);
    case FilterRole:
        return m_filter;
    default:
        return {};
    }
}

PaletteDialog::PaletteDialog(ActionRegistry* registry, QWidget* window)
    : QDialog(window, Qt::Dialog | Qt::FramelessWindowHint), m_registry(registry),
      m_model(new PaletteModel(registry, this)), m_edit(new QLineEdit), m_list(new QListView),
      m_count(new RankedLabel(TextRank::second)), m_empty(new RankedLabel(TextRank::body)) {
    setObjectName(QStringLiteral("palette"));
    setAccessibleName(tr("Find an action"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 8, 12, 8);
    top->setSpacing(12);
    m_edit->setPlaceholderText(tr("Action, #decision or :time in ms"));
    m_edit->setAccessibleName(tr("Action, decision number or time"));
    m_edit->installEventFilter(this);
    top->addWidget(m_edit, 1);
    top->addWidget(m_count);
    column->addLayout(top);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(this));
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("Actions found"));
    column->addWidget(m_list, 1);
    m_empty->setContentsMargins(12, 8, 12, 12);
    column->addWidget(m_empty);
    connect(m_edit, &QLineEdit::textChanged, this, &PaletteDialog::filter);
    connect(m_edit, &QLineEdit::returnPressed, this, &PaletteDialog::take);
    connect(m_list, &QListView::clicked, this, &PaletteDialog::take);
}

void PaletteDialog::open() {
    m_edit->clear();
    filter({});
    const QWidget* window = parentWidget();
    const int width = qMin(window->width() * 7 / 10, fontMetrics().averageCharWidth() * 110);
    resize(width, qMin(window->height() * 6 / 10, 460));
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, 90)));
    QDialog::open();
    m_edit->setFocus();
}

void PaletteDialog::filter(const QString& text) {
    const QString t = text.trimmed();
    std::int64_t ns = 0;
    QString said;
    if (t.startsWith(QLatin1Char('#')))
        said = plain(t.mid(1)).remove(QLatin1Char(' ')).toULongLong() > 0 || t == QLatin1String("#0")
                   ? tr("Enter goes to decision %1.").arg(t)
                   : tr("A decision number follows, for example #4711.");
    else if (t.startsWith(QLatin1Char(':')))
        said = parseTime(t.mid(1), &ns) ? tr("Enter goes to %1 ms.").arg(msGrouped(ns))
                                        : tr("A time follows, for example :84.0015 or :12us.");
    m_model->setFilter(said.isEmpty() ? t : QString());
    m_list->setCurrentIndex(m_model->index(0));
    if (said.isEmpty() && m_model->rowCount() == 0)
        said = tr("No action is called “%1”. Fewer letters find more.").arg(t);
    m_empty->setText(said);
    m_empty->setVisible(!said.isEmpty());
    m_list->setVisible(said.isEmpty());
    m_count->setText(tr("%1 of %2 actions").arg(m_model->rowCount()).arg(m_registry->all().size()));
    m_count->setVisible(said.isEmpty());
}

void PaletteDialog::take() {
    const QString t = m_edit->text().trimmed();
    if (t.startsWith(QLatin1Char('#'))) {
        bool ok = false;
        const quint64 number = plain(t.mid(1)).remove(QLatin1Char(' ')).toULongLong(&ok);
        if (!ok) return;
        accept();
        Q_EMIT decisionAsked(number);
        return;
    }
    if (t.startsWith(QLatin1Char(':'))) {
        std::int64_t ns = 0;
        if (!parseTime(t.mid(1), &ns)) return;
        accept();
        Q_EMIT timeAsked(ns);
        return;
    }
    QAction* action = m_model->action(m_list->currentIndex());
    if (!action || !action->isEnabled()) return;
    accept();
    action->trigger();
}

bool PaletteDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_edit && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int page = qMax(1, m_list->height() / (fontMetrics().height() + 12) - 1);
        const int by = key == Qt::Key_Down       ? 1
                       : key == Qt::Key_Up       ? -1
                       : key == Qt::Key_PageDown ? page
                       : key == Qt::Key_PageUp   ? -page
                                                 : 0;
        if (by != 0) {
            const int row =
                std::clamp(m_list->currentIndex().row() + by, 0, qMax(0, m_model->rowCount() - 1));
            m_list->setCurrentIndex(m_model->index(row));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace picknext::ui
