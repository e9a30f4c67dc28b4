// SPDX-License-Identifier: Apache-2.0
#include "app/document/picture/open_scopes.h"

#include "app/document/picture/picture.h"

namespace lapidary {

void OpenScopes::expand(GroupId id)
{
    const std::set<GroupId>& open = m_picture.openGroups();
    if (m_picture.view() && id.isValid() && id != rootGroup && !open.contains(id))
        m_picture.setOpen(m_picture.view()->withOpened(open, id), ItemId::of(id));
}

void OpenScopes::collapse(GroupId id)
{
    std::set<GroupId> open = m_picture.openGroups();
    if (m_picture.view() && open.erase(id) > 0)
        m_picture.setOpen(std::move(open), ItemId::of(id));
}

void OpenScopes::toggle(ItemId item)
{
    if (!item.isValid() || item.isNode())
        return;
    m_picture.openGroups().contains(item.group()) ? collapse(item.group()) : expand(item.group());
}

void OpenScopes::expandAll()
{
    if (m_picture.view())
        m_picture.setOpen(m_picture.view()->everyGroup(), {});
}

void OpenScopes::collapseAll()
{
    m_picture.setOpen({}, {});
}

void OpenScopes::expandInside(GroupId id)
{
    if (!m_picture.view())
        return;
    std::set<GroupId> open = m_picture.openGroups();
    if (id != rootGroup)
        open.insert(id);
    for (const ItemId child : m_picture.view()->tree().group(id).children)
        if (!child.isNode())
            open.insert(child.group());
    m_picture.setOpen(std::move(open), ItemId::of(id));
}

void OpenScopes::makeVisible(ItemId item)
{
    if (m_picture.view() && item.isValid())
        m_picture.setOpen(m_picture.view()->withVisible(m_picture.openGroups(), item), item, true);
}

} // namespace lapidary
