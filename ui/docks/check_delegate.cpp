// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/check_delegate.hpp"

#include <algorithm>

#include <QPainter>
#include <QWidget>

#include "core/trace/decision.hpp"
#include "ui/models/roles.hpp"

namespace picknext::ui {

namespace {
constexpr int inset = 8;
constexpr int pad = 4;
constexpr int wrapped =
    static_cast<int>(Qt::TextWordWrap) | static_cast<int>(Qt::AlignLeft) | static_cast<int>(Qt::AlignTop);
const QFont& question_font(const Theme& theme, const QModelIndex& index) {
    return index.data(DecidingRole).toBool() ? theme.strong : theme.body;
}
} // namespace

CheckDelegate::Layout CheckDelegate::layout(const Theme& theme, int width, const QModelIndex& index) const {
    const QFontMetrics strong(theme.strong);
    const QFontMetrics fixed(theme.fixed);
    const int mark_width = fixed.horizontalAdvance(QStringLiteral("P5③")) + 6;
    const int verdict_width = strong.horizontalAdvance(index.data(VerdictRole).toString()) + 4;
    Layout out;
    const int left = inset + mark_width;
    const int question_width = std::max(40, width - left - verdict_width - inset - 6);
    const QFontMetrics question(question_font(theme, index));
    const int question_height =
        question
            .boundingRect(QRect(0, 0, question_width, 1000), wrapped, index.data(Qt::DisplayRole).toString())
            .height();
    out.mark = QRect(inset, pad, mark_width, strong.height());
    out.question = QRect(left, pad, question_width, question_height);
    out.verdict = QRect(width - inset - verdict_width, pad, verdict_width, strong.height());
    int bottom = pad + question_height;
    const QString inputs = index.data(InputsRole).toString();
    const bool shown = !m_compact || index.data(DecidingRole).toBool() || index.row() == m_selected;
    if (shown && !inputs.isEmpty()) {
        const int inputs_width = width - left - inset;
        const int height = fixed.boundingRect(QRect(0, 0, inputs_width, 1000), wrapped, inputs).height();
        out.inputs = QRect(left, bottom + 1, inputs_width, height);
        bottom += height + 1;
    }
    out.height = bottom + pad + 1;
    return out;
}

void CheckDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given,
                          const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const Theme& theme = m_theme.of(*option.widget);
    const bool deciding = index.data(DecidingRole).toBool();
    const auto verdict = static_cast<Verdict>(index.data(VerdictKindRole).toInt());
    const bool quiet = verdict == Verdict::not_asked || index.data(CoveredRole).toBool();
    Layout at = layout(theme, option.rect.width(), index);
    for (QRect* r : {&at.mark, &at.question, &at.verdict, &at.inputs})
        r->translate(option.rect.topLeft());
    painter->save();
    option.features.setFlag(QStyleOptionViewItem::Alternate, false);
    draw_row_ground(*painter, option, theme, deciding,
                    deciding || option.state.testFlag(QStyle::State_Selected));
    painter->setPen(theme.line);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->setPen(theme.mut);
    painter->setFont(theme.fixed);
    painter->drawText(at.mark, Qt::AlignLeft | Qt::AlignVCenter, index.data(StepRole).toString());
    painter->setPen(quiet ? theme.mut : theme.text);
    painter->setFont(question_font(theme, index));
    painter->drawText(at.question, wrapped, option.text);
    painter->setFont(quiet ? theme.body : theme.strong);
    painter->drawText(at.verdict, Qt::AlignRight | Qt::AlignVCenter, index.data(VerdictRole).toString());
    if (!at.inputs.isEmpty()) {
        painter->setFont(theme.fixed);
        painter->setPen(deciding && !theme.high_contrast ? theme.text : theme.mut);
        painter->drawText(at.inputs, wrapped, index.data(InputsRole).toString());
    }
    painter->restore();
}

QSize CheckDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {m_width, layout(m_theme.of(*option.widget), m_width, index).height};
}

} // namespace picknext::ui
