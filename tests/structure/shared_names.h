// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/structure/source_file.h"

#include <string>
#include <vector>

namespace structure {

struct SharedName {
    std::string name;               // "lapidary::Direction"
    std::vector<std::string> paths; // of the files that define it, at least two, sorted
};

// Classes, structures, unions and enumerations with the same full name in several files. The linker
// keeps only one of their functions, so the program would call functions of the wrong class.
std::vector<SharedName> sharedNames(const std::vector<SourceFile>& files);

} // namespace structure
