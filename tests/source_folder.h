// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace lapidary {

// The checkout that the tests were built from. Known to one file only: whatever is compiled with
// its path cannot be shared between checkouts by the compiler cache.
std::filesystem::path sourceFolder();

} // namespace lapidary
