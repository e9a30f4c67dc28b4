// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/strip/network_path.h"
#include "views/strip/stages.h"

#include <unordered_set>
#include <vector>

namespace lapidary {

// A part of a stage: a group, or an op with the ops that are joined to it.
struct StageUnit {
    std::vector<ItemId> items; // the one that gives the name comes first
    double depth = 0;          // mean depth of its nodes on the path
    std::uint32_t ops = 0;
    std::int64_t weights = 0;
    std::int64_t flops = 0;

    ItemId item() const { return items.front(); }
};

// Finds the units of groups. The constructor reads every node once.
class UnitFinder {
public:
    UnitFinder(const StageSource& source, const NetworkPath& path);

    // Returns the units of a group in the order of the data; empty if none of its children does any
    // work.
    std::vector<StageUnit> unitsOf(GroupId id) const;
    bool areEqual(const StageUnit& a, const StageUnit& b) const;
    std::size_t repeatsOf(const StageUnit& unit) const; // number of members if it is a group of
                                                        // equal ones, else 1
    // Tells whether the sizes of the convolutions and products on the path are known, with few
    // exceptions.
    bool knowsFlops() const { return m_counted > 0 && m_uncertain * 10 <= m_counted; }

private:
    StageUnit groupUnit(GroupId id) const;
    StageUnit nodeUnit(const PreparedItem& item) const;
    bool isEnd(NodeId id) const;
    void countNodes();

    struct Sum {
        std::uint64_t depth = 0;
        std::uint32_t nodes = 0; // on the path
        std::int64_t flops = 0;
    };
    const StageSource& m_source;
    const NetworkPath& m_path;
    std::vector<Sum> m_groups;
    std::vector<std::int64_t> m_flops; // by node
    std::unordered_set<NodeId> m_ends; // inputs and outputs
    std::uint32_t m_counted = 0;
    std::uint32_t m_uncertain = 0;
};

} // namespace lapidary
