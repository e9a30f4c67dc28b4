// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"

#include <QObject>

#include <functional>
#include <vector>

namespace lapidary {

// The selection: one item with the focus, and further ones. Edits apply to all of
// it.
class ItemSelection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    ItemId item() const { return m_item; } // the one with the focus; invalid: nothing is selected
    // Returns each item once; item() is the last one.
    std::vector<ItemId> items() const;
    bool hasSeveral() const { return items().size() > 1; }
    bool isKept(ItemId item) const;

    void select(ItemId item); // and nothing else
    void toggle(ItemId item); // takes it into the selection, or out of it
    void keep();              // item() stays selected while walkTo() goes on; or no longer
    void walkTo(ItemId item); // gives it the focus; what was kept stays selected
    void selectItems(const std::vector<ItemId>& items, bool keepsOthers);

    // The following say nothing: their caller does, when the picture is there.
    void clear();
    void clearGroups(); // they have other ids now
    void follow(const std::function<ItemId(ItemId)>& counterpart);

signals:
    void changed();

private:
    ItemId m_item;
    std::vector<ItemId> m_kept; // what else is selected; may hold the one with the focus
};

} // namespace lapidary
