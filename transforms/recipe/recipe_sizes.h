// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/run_recipe.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The size of a graph as a binary file.
struct GraphSize {
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> gzipBytes;                // zlib level 6
    std::map<std::string, std::uint64_t, std::less<>> ops; // bytes of the nodes of each op
};

struct RecipeSizes {
    GraphSize before;
    std::vector<GraphSize> steps; // after each
    std::string remark;           // says that 8 bits do not pay, if so; else empty

    const GraphSize& after() const { return steps.empty() ? before : steps.back(); }
};

// `compresses`: also computes gzipBytes, which takes about 30 ms a megabyte and step.
Result<RecipeSizes> measureSizes(const GraphPtr& before, const RecipeRun& run, bool compresses,
                                 const Job& job);

} // namespace lapidary
