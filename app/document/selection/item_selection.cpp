// SPDX-License-Identifier: Apache-2.0
#include "app/document/selection/item_selection.h"

#include <algorithm>
#include <set>

namespace lapidary {

std::vector<ItemId> ItemSelection::items() const
{
    std::vector<ItemId> items;
    for (const ItemId item : m_kept)
        if (item != m_item)
            items.push_back(item);
    if (m_item.isValid())
        items.push_back(m_item);
    return items;
}

void ItemSelection::select(ItemId item)
{
    if (m_item == item && m_kept.empty())
        return;
    m_item = item;
    m_kept.clear();
    emit changed();
}

void ItemSelection::toggle(ItemId item)
{
    if (!item.isValid())
        return;
    std::vector<ItemId> all = items();
    if (std::erase(all, item) == 0)
        all.push_back(item);
    selectItems(all, false);
}

void ItemSelection::keep()
{
    if (!m_item.isValid())
        return;
    if (std::erase(m_kept, m_item) == 0)
        m_kept.push_back(m_item);
    emit changed();
}

bool ItemSelection::isKept(ItemId item) const
{
    return std::ranges::find(m_kept, item) != m_kept.end();
}

void ItemSelection::walkTo(ItemId item)
{
    if (m_item == item)
        return;
    m_item = item;
    emit changed();
}

void ItemSelection::selectItems(const std::vector<ItemId>& items, bool keepsOthers)
{
    std::vector<ItemId> all = keepsOthers ? this->items() : std::vector<ItemId>();
    std::set<ItemId> known(all.begin(), all.end());
    for (const ItemId item : items)
        if (item.isValid() && known.insert(item).second)
            all.push_back(item);
    m_item = all.empty() ? ItemId{} : all.back();
    m_kept = all.size() > 1 ? std::move(all) : std::vector<ItemId>();
    emit changed();
}

void ItemSelection::clear()
{
    m_item = {};
    m_kept.clear();
}

void ItemSelection::clearGroups()
{
    if (!m_item.isNode())
        m_item = {};
    std::erase_if(m_kept, [](ItemId item) { return !item.isNode(); });
}

void ItemSelection::follow(const std::function<ItemId(ItemId)>& counterpart)
{
    m_item = counterpart(m_item);
    for (ItemId& item : m_kept)
        item = counterpart(item);
    std::erase_if(m_kept, [](ItemId item) { return !item.isValid(); });
    if (!m_item.isValid() && !m_kept.empty())
        m_item = m_kept.back();
}

} // namespace lapidary
