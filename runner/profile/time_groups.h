// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/run_profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

enum class GroupBy {
    Op,
    Family,
    Scope, // each scope of names with everything in it: a node counts in "a" as well as in "a/b"
};

struct TimeGroup {
    std::string name;
    std::int64_t nodes = 0;
    std::int64_t calls = 0;
    std::int64_t nanoseconds = 0; // over all runs: the exact sum of its nodes
    std::uint64_t outputBytes = 0;
    std::optional<std::int64_t> flops; // operations of the nodes that have a count
};

// Groups by op and by family: longest first, each node in exactly one group. Groups by scope:
// sorted by name; a node is in all scopes around it, except those nested deeper than 32, which
// count in the 32nd.
std::vector<TimeGroup> groupTimes(const RunProfile& profile, GroupBy by);

} // namespace lapidary
