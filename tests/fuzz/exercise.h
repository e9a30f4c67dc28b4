// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary::fuzz {

// The steps to which an input is put; the later ones cost more.
enum class Depth {
    Read,    // reading and checking
    Analyze, // summary, interface, scopes, preparation, writing
    Draw,    // layout of the first picture and of everything open (with a window only)
};

// Processes untrusted bytes as the program processes a file. It must return for any bytes; its time
// is checked. If LAPIDARY_FUZZ_KEEP names a file, each input is written there first, so that the
// input that ended the process can be examined.
void exercise(const std::string& bytes, Depth depth);

} // namespace lapidary::fuzz
