// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets/targets.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace lapidary::fuzz {

std::span<const Target> allTargets()
{
    static constexpr Target all[] = {
        {"checkpoint", readCheckpoint},
        {"device_log", readDeviceLog},
        {"export", exportAnyGraph},
        {"graph", readAnyGraph},
        {"graph_text", readTextGraph},
        {"image", readImage},
        {"motif", readMotif},
        {"npy", readNpy},
        {"npz", readNpz},
        {"pass", applyAnyPass},
        {"profile", readAnyProfile},
        {"recipe", readRecipe},
        {"records", readRecords},
        {"run", runAnyGraph},
        {"run_node", runAnyNode},
        {"table", readSortedTable},
        {"wav", readSound},
        {"written", readWritten},
    };
    return all;
}

const Target* findTarget(std::string_view name)
{
    const auto found = std::ranges::find(allTargets(), name, &Target::name);
    return found == allTargets().end() ? nullptr : &*found;
}

void promise(bool holds, std::string_view what)
{
    if (holds)
        return;
    std::fprintf(stderr, "broken promise: %.*s\n", int(what.size()), what.data());
    std::abort();
}

} // namespace lapidary::fuzz
