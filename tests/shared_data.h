// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/source_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace lapidary {

// The folder of recorded cases and models (`goldens`, `models`): LAPIDARY_SHARED, else `shared`
// beside the checkout, else the selection that comes with it. A folder of that name with other
// content is not used.
inline std::filesystem::path sharedData()
{
    namespace fs = std::filesystem;
    if (const char* set = std::getenv("LAPIDARY_SHARED"); set != nullptr && *set != 0)
        return set;
    std::error_code fault;
    const fs::path source = sourceFolder();
    const fs::path beside = source.parent_path() / "shared";
    return fs::exists(beside / "goldens", fault) ? beside : source / "tests" / "goldens";
}

} // namespace lapidary
