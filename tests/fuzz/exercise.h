// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary::fuzz {

// How far an input is taken: the later steps cost more.
enum class Depth {
    Read,    // reading and checking
    Analyze, // summary, interface, scopes, preparation, writing
    Draw,    // layout of the first picture and of everything open (with a window only)
};

// Does with bytes of unknown quality what the program does with a file. Whatever the bytes are, it
// must come back; its time is checked. Where LAPIDARY_FUZZ_KEEP names a file, each input is written
// there first, so that the one that ended the process can be looked at.
void exercise(const std::string& bytes, Depth depth);

} // namespace lapidary::fuzz
