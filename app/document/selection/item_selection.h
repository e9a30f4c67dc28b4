// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"

#include <QObject>

#include <functional>
#include <vector>

namespace lapidary {

// The selection: one item with the focus, and others. Edits apply to all of
// them.
class ItemSelection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    ItemId item() const { return m_item; } // the one with the focus; invalid: no selection
    // Returns each item once; item() is the last one.
    std::vector<ItemId> items() const;
    bool hasSeveral() const { return items().size() > 1; }
    bool isKept(ItemId item) const;

    void select(ItemId item); // deselects all others
    void toggle(ItemId item); // selects or deselects it
    // Keeps item() selected while walkTo() moves the focus; a second call undoes this.
    void keep();
    void walkTo(ItemId item); // moves the focus; kept items stay selected
    void selectItems(const std::vector<ItemId>& items, bool keepsOthers);

    // These functions emit nothing: their caller does, when the picture is ready.
    void clear();
    void clearGroups(); // because groups have other IDs now
    void follow(const std::function<ItemId(ItemId)>& counterpart);

signals:
    void changed();

private:
    ItemId m_item;
    std::vector<ItemId> m_kept; // the other selected items; may contain the one with the focus
};

} // namespace lapidary
