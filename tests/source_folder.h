// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace lapidary {

// The checkout from which the tests were built. Only one source knows it: what is compiled with its
// path cannot be shared between checkouts by the compiler cache.
std::filesystem::path sourceFolder();

} // namespace lapidary
