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

// Classes, structures, unions and enumerations of one full name that are defined in several files.
// The linker keeps one of two such classes, and the program then ends somewhere else.
std::vector<SharedName> sharedNames(const std::vector<SourceFile>& files);

} // namespace structure
