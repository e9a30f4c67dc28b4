// SPDX-License-Identifier: Apache-2.0
// What is selected: one item with the focus, and what was selected beside it.
#include "app/document/document.h"

#include <algorithm>

namespace lapidary {

std::vector<ItemId> Document::selection() const
{
    std::vector<ItemId> items;
    for (const ItemId item : m_kept)
        if (item != m_selected)
            items.push_back(item);
    if (m_selected.isValid())
        items.push_back(m_selected);
    return items;
}

void Document::select(ItemId item)
{
    if (m_selected == item && m_kept.empty())
        return;
    m_selected = item;
    m_kept.clear();
    emit selectionChanged();
}

void Document::toggleSelected(ItemId item)
{
    if (!item.isValid())
        return;
    std::vector<ItemId> items = selection();
    if (std::erase(items, item) == 0)
        items.push_back(item);
    selectItems(items, false);
}

void Document::keepSelected()
{
    if (!m_selected.isValid())
        return;
    if (std::erase(m_kept, m_selected) == 0)
        m_kept.push_back(m_selected);
    emit selectionChanged();
}

bool Document::isKept(ItemId item) const
{
    return std::ranges::find(m_kept, item) != m_kept.end();
}

void Document::walkTo(ItemId item)
{
    if (m_selected == item)
        return;
    m_selected = item;
    emit selectionChanged();
}

void Document::selectItems(const std::vector<ItemId>& items, bool keepsOthers)
{
    std::vector<ItemId> all = keepsOthers ? selection() : std::vector<ItemId>();
    for (const ItemId item : items)
        if (item.isValid() && std::ranges::find(all, item) == all.end())
            all.push_back(item);
    m_selected = all.empty() ? ItemId{} : all.back();
    m_kept = all.size() > 1 ? std::move(all) : std::vector<ItemId>();
    emit selectionChanged();
}

} // namespace lapidary
