// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/structure/source_file.h"

#include <string>
#include <vector>

namespace structure {

struct ClassFigures {
    std::string name;
    std::string path;
    int publicFunctions = 0; // signals and public slots too; no constructors and destructors
    int functions = 0;       // of any access
    int members = 0;         // m_...
};

struct FileFigures {
    std::vector<ClassFigures> classes;
    int definedFunctions = 0; // with a body, in namespaces and classes; no lambdas
};

// Reads declarations by their shape: what has a parenthesis before its ';' or '{' is a function,
// what begins with class or struct and has a '{' is a class. Good enough for this tree's style.
FileFigures scanFile(const SourceFile& file);

} // namespace structure
