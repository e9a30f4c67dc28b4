// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/below_folder.h"

#include <algorithm>
#include <system_error>

namespace lapidary {

namespace fs = std::filesystem;

bool liesBelow(const fs::path& path, const fs::path& folder)
{
    std::error_code fault;
    const fs::path inner = fs::weakly_canonical(path, fault);
    if (fault)
        return false;
    const fs::path outer = fs::weakly_canonical(folder, fault);
    if (fault)
        return false;
    const auto end = std::ranges::mismatch(outer, inner);
    return end.in1 == outer.end() && end.in2 != inner.end();
}

} // namespace lapidary
