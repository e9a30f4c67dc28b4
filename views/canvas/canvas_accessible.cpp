// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/canvas_accessible.h"

#include "views/canvas/graph_canvas.h"
#include "views/theme/shown_text.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

#include <algorithm>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::size_t mostChildren = 2'000;

// One box of a canvas. It may outlive its scene; it is then reported as invalid.
class BoxAccessible : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    BoxAccessible(GraphCanvas* canvas, ItemId item)
        : m_canvas(canvas)
        , m_item(item)
    {
    }

    ItemId item() const { return m_item; }
    bool isValid() const override { return m_canvas && box() != nullptr; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return nullptr; }
    QAccessibleInterface* parent() const override
    {
        return m_canvas ? QAccessible::queryAccessibleInterface(m_canvas) : nullptr;
    }
    QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }
    QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect inView = m_canvas->viewRect(m_item).toAlignedRect();
        return {m_canvas->viewport()->mapToGlobal(inView.topLeft()), inView.size()};
    }
    QString text(QAccessible::Text kind) const override
    {
        if (!isValid() || (kind != QAccessible::Name && kind != QAccessible::Description))
            return {};
        return kind == QAccessible::Name ? m_canvas->describe(m_item) : shownText(box()->detail);
    }
    void setText(QAccessible::Text /*kind*/, const QString& /*text*/) override {}
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.selectable = state.focusable = true;
        const bool isCurrent = m_canvas->highlights().state().selected == m_item;
        state.multiSelectable = state.extSelectable = true;
        state.selected = isCurrent || m_canvas->highlights().state().chosen.contains(m_item);
        state.focused = isCurrent && m_canvas->hasFocus();
        state.expandable = box()->kind == BoxKind::Group || box()->kind == BoxKind::OpenGroup;
        state.expanded = box()->kind == BoxKind::OpenGroup;
        state.collapsed = box()->kind == BoxKind::Group;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    QStringList actionNames() const override { return {pressAction(), setFocusAction()}; }
    void doAction(const QString& name) override
    {
        if (!isValid())
            return;
        m_canvas->highlights().setSelected(m_item);
        if (name == pressAction())
            emit m_canvas->itemActivated(m_item);
    }
    QStringList keyBindingsForAction(const QString& name) const override
    {
        return name == pressAction() ? QStringList{QStringLiteral("Return")} : QStringList();
    }

private:
    const SceneBox* box() const
    {
        const auto at = m_canvas->scene()->boxOf.find(m_item);
        return at == m_canvas->scene()->boxOf.end() ? nullptr
                                                    : &m_canvas->scene()->boxes[at->second];
    }

    QPointer<GraphCanvas> m_canvas;
    ItemId m_item;
};

class CanvasAccessible : public QAccessibleWidget {
public:
    explicit CanvasAccessible(GraphCanvas* canvas)
        : QAccessibleWidget(canvas, QAccessible::List, canvas->accessibleName())
        , m_canvas(*canvas)
    {
    }
    ~CanvasAccessible() override
    {
        for (const auto& [item, id] : m_ids)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return int(visibleItems().size()); }
    QAccessibleInterface* child(int index) const override
    {
        const auto& items = visibleItems();
        if (index < 0 || std::size_t(index) >= items.size())
            return nullptr;
        return childOf(items[std::size_t(index)]);
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto* box = dynamic_cast<const BoxAccessible*>(child);
        return box ? indexOf(box->item()) : -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        const QPoint at = m_canvas.viewport()->mapFromGlobal(QPoint(x, y));
        return child(indexOf(m_canvas.itemAt(at)));
    }
    QAccessibleInterface* focusChild() const override
    {
        return child(indexOf(m_canvas.highlights().state().selected));
    }
    int indexOf(ItemId item) const
    {
        const auto& items = visibleItems();
        const auto at = std::ranges::find(items, item);
        return at == items.end() ? -1 : int(at - items.begin());
    }

private:
    QAccessibleInterface* childOf(ItemId item) const
    {
        if (const auto known = m_ids.find(item); known != m_ids.end())
            return QAccessible::accessibleInterface(known->second);
        auto* made = new BoxAccessible(&m_canvas, item); // QAccessible takes ownership
        m_ids.emplace(item, QAccessible::registerAccessibleInterface(made));
        return made;
    }

    const std::vector<ItemId>& visibleItems() const
    {
        const QRectF area = m_canvas.camera().now().sceneArea(m_canvas.viewport()->size());
        if (m_scene == m_canvas.scene() && m_area == area)
            return m_items;
        if (m_scene != m_canvas.scene())
            forgetGone();
        m_scene = m_canvas.scene();
        m_area = area;
        m_items.clear();
        const Rect shown{float(area.x()), float(area.y()), float(area.width()),
                         float(area.height())};
        for (const std::uint32_t i : m_canvas.index().boxesIn(shown)) {
            const SceneBox& box = m_scene->boxes[i];
            if (box.kind != BoxKind::Chip && box.kind != BoxKind::Stub)
                m_items.push_back(box.item);
            if (m_items.size() >= mostChildren)
                break;
        }
        return m_items;
    }

    void forgetGone() const
    {
        for (auto i = m_ids.begin(); i != m_ids.end();) {
            if (m_canvas.scene()->boxOf.contains(i->first)) {
                ++i;
                continue;
            }
            QAccessible::deleteAccessibleInterface(i->second);
            i = m_ids.erase(i);
        }
    }

    GraphCanvas& m_canvas;
    mutable ScenePtr m_scene;
    mutable QRectF m_area;
    mutable std::vector<ItemId> m_items;
    mutable std::unordered_map<ItemId, QAccessible::Id> m_ids;
};

QAccessibleInterface* makeAccessible(const QString& /*className*/, QObject* object)
{
    auto* canvas = qobject_cast<GraphCanvas*>(object);
    return canvas ? new CanvasAccessible(canvas) : nullptr;
}

} // namespace

void installCanvasAccessibility()
{
    QAccessible::installFactory(makeAccessible);
}

void announceSelection(GraphCanvas& canvas)
{
    if (!QAccessible::isActive())
        return;
    const auto* accessible =
        dynamic_cast<CanvasAccessible*>(QAccessible::queryAccessibleInterface(&canvas));
    if (!accessible)
        return;
    QAccessibleEvent event(&canvas, QAccessible::Focus);
    event.setChild(accessible->indexOf(canvas.highlights().state().selected));
    QAccessible::updateAccessibility(&event);
    QAccessibleEvent several(&canvas, QAccessible::SelectionWithin);
    QAccessible::updateAccessibility(&several);
}

} // namespace lapidary
