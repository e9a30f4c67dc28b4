// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/owner_list.h"

#include <algorithm>
#include <functional>

namespace lapidary {
namespace {

bool contains(std::string_view whole, std::string_view part)
{
    const std::less_equal<const char*> isNotBehind;
    return isNotBehind(whole.data(), part.data()) &&
           isNotBehind(part.data() + part.size(), whole.data() + whole.size());
}

} // namespace

BufferPtr OwnerList::make(const std::vector<BufferPtr>& owners)
{
    std::vector<BufferPtr> all;
    const auto add = [&](const BufferPtr& owner) {
        if (owner && std::ranges::find(all, owner) == all.end())
            all.push_back(owner);
    };
    for (const BufferPtr& owner : owners) {
        const auto* list = dynamic_cast<const OwnerList*>(owner.get());
        if (list == nullptr)
            add(owner);
        else
            std::ranges::for_each(list->m_owners, add);
    }
    if (all.size() == 1)
        return all.front();
    auto list = std::make_shared<OwnerList>();
    list->m_owners = std::move(all);
    return list;
}

const BufferPtr* OwnerList::holderOf(std::string_view part) const
{
    const auto found = std::ranges::find_if(
        m_owners, [&](const BufferPtr& owner) { return contains(owner->bytes(), part); });
    return found == m_owners.end() ? nullptr : &*found;
}

Status OwnerList::intact() const
{
    for (const BufferPtr& owner : m_owners)
        RETURN_IF_ERROR(owner->intact());
    return Done{};
}

} // namespace lapidary
