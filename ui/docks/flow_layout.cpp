// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/flow_layout.hpp"

#include <algorithm>

namespace picknext::ui {

FlowLayout::FlowLayout(int gap) : m_gap(gap) {}
FlowLayout::~FlowLayout() {
    for (QLayoutItem* item : m_items) delete item;
}

void FlowLayout::addItem(QLayoutItem* item) { m_items.push_back(item); }
int FlowLayout::count() const { return static_cast<int>(m_items.size()); }
QLayoutItem* FlowLayout::itemAt(int index) const { return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)] : nullptr; }
QLayoutItem* FlowLayout::takeAt(int index) {
    QLayoutItem* item = itemAt(index);
    if (item) m_items.erase(m_items.begin() + index);
    return item;
}

int FlowLayout::heightForWidth(int width) const { return place({0, 0, width, 0}, true); }

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    const QMargins m = contentsMargins();
    return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, false);
}

int FlowLayout::place(const QRect& rect, bool measure) const {
    const QRect inner = rect.marginsRemoved(contentsMargins());
    int x = inner.left(), y = inner.top(), tallest = 0; // one height for all, so that the rows' middles line up
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty()) tallest = std::max(tallest, item->sizeHint().height());
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        const QSize size = item->sizeHint().boundedTo(QSize(std::max(inner.width(), item->minimumSize().width()), QLAYOUTSIZE_MAX));
        if (x > inner.left() && x + size.width() > inner.left() + inner.width()) {
            x = inner.left();
            y += tallest + m_gap / 2;
        }
        if (!measure) item->setGeometry({x, y, size.width(), tallest});
        x += size.width() + m_gap;
    }
    return y + tallest - rect.top() + contentsMargins().bottom();
}

} // namespace picknext::ui
