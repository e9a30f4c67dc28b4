// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

// Exit codes of the verbs. A tool of TensorFlow that is replaced keeps its own codes when called by
// its name.
namespace exit_code {
inline constexpr int done = 0;
inline constexpr int found = 1; // done, and problems, differences or the like were found
inline constexpr int wrongUse = 2;
inline constexpr int failed = 3; // a file or graph could not be read, written or run
inline constexpr int cancelled = 130;
} // namespace exit_code

} // namespace lapidary
