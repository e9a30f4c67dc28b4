// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/session.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {

// Adds to a list of missing kernels, which has each op once. The list must outlive this object.
class MissingKernels {
public:
    explicit MissingKernels(std::vector<MissingKernel>& list)
        : m_list(list)
    {
        for (std::size_t i = 0; i < list.size(); ++i)
            m_places.emplace(list[i].op, i);
    }

    // Returns the entry of an op; adds one without nodes if there is none. Valid until the next
    // call.
    MissingKernel& of(std::string_view op)
    {
        const auto [place, isNew] = m_places.emplace(op, m_list.size());
        return isNew ? m_list.emplace_back(MissingKernel{std::string(op), {}})
                     : m_list[place->second];
    }

private:
    std::vector<MissingKernel>& m_list;
    std::unordered_map<std::string, std::size_t> m_places; // index in the list, by op
};

} // namespace lapidary
