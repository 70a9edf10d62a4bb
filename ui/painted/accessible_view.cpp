// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painted/accessible_view.hpp"

#include <unordered_map>

#include <QAccessible>
#include <QAccessibleWidget>

#include "ui/painted/painted_view.hpp"

namespace picknext::ui {
namespace {

class ItemInterface final : public QAccessibleInterface, public QAccessibleActionInterface {
  public:
    ItemInterface(PaintedView* view, int item) : m_view(view), m_item(item) {}

    bool isValid() const override { return m_view && m_item < m_view->itemCount(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return m_view ? QAccessible::queryAccessibleInterface(m_view) : nullptr; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}
    QString text(QAccessible::Text which) const override { return isValid() && which == QAccessible::Name ? m_view->itemName(m_item) : QString(); }
    QRect rect() const override {
        return isValid() ? m_view->itemRect(m_item).toAlignedRect().translated(m_view->mapToGlobal(QPoint(0, 0))) : QRect();
    }
    QAccessible::State state() const override {
        QAccessible::State s;
        s.selectable = true;
        s.selected = isValid() && m_view->currentItem() == m_item;
        s.invalid = !isValid();
        return s;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        if (isValid() && name == pressAction()) m_view->activateItem(m_item);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }
    [[nodiscard]] int item() const { return m_item; }

  private:
    QPointer<PaintedView> m_view;
    int m_item;
};

class ViewInterface final : public QAccessibleWidget {
  public:
    explicit ViewInterface(PaintedView* view) : QAccessibleWidget(view, QAccessible::List, view->accessibleName()), m_view(view) {}
    ~ViewInterface() override {
        for (const auto& [item, id] : m_children) QAccessible::deleteAccessibleInterface(id);
    }
    int childCount() const override { return m_view->itemCount(); }
    QAccessibleInterface* child(int item) const override {
        if (item < 0 || item >= childCount()) return nullptr;
        const auto found = m_children.find(item);
        if (found != m_children.end()) return QAccessible::accessibleInterface(found->second);
        auto* made = new ItemInterface(m_view, item);
        m_children.emplace(item, QAccessible::registerAccessibleInterface(made));
        return made;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        const QPointF at = m_view->mapFromGlobal(QPoint(x, y));
        for (int i = 0; i < childCount(); ++i)
            if (m_view->itemRect(i).contains(at)) return child(i);
        return nullptr;
    }
    int indexOfChild(const QAccessibleInterface* made) const override {
        for (const auto& [item, id] : m_children)
            if (QAccessible::accessibleInterface(id) == made) return item;
        return -1;
    }

  private:
    PaintedView* m_view;
    mutable std::unordered_map<int, QAccessible::Id> m_children; // made when asked for
};

QAccessibleInterface* make_interface(const QString&, QObject* object) {
    auto* view = qobject_cast<PaintedView*>(object);
    return view != nullptr ? new ViewInterface(view) : nullptr;
}

} // namespace

void install_accessible_views() { QAccessible::installFactory(make_interface); } // Qt keeps one entry per function

} // namespace picknext::ui
