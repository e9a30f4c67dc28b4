// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace lapidary {

// The position of a node in its Graph. Means nothing in another version of the graph.
struct NodeId {
    std::uint32_t value = UINT32_MAX;

    bool isValid() const { return value != UINT32_MAX; }
    auto operator<=>(const NodeId&) const = default;
};

} // namespace lapidary

template <>
struct std::hash<lapidary::NodeId> {
    std::size_t operator()(lapidary::NodeId id) const noexcept { return id.value; }
};
