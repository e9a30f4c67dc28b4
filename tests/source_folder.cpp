// SPDX-License-Identifier: Apache-2.0
#include "tests/source_folder.h"

namespace lapidary {

std::filesystem::path sourceFolder()
{
    return LAPIDARY_SOURCE_DIR;
}

} // namespace lapidary
