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

// A class, structure, union or enumeration with a body that other files can see: not in an
// anonymous namespace or a function, and not a specialization of a template.
struct NamedType {
    std::string name; // with its namespaces and outer classes: "lapidary::Graph"
    std::string path;
};

struct FileFigures {
    std::vector<ClassFigures> classes;
    std::vector<NamedType> types;
    int definedFunctions = 0; // with a body, in namespaces and classes; no lambdas
};

// Reads declarations by their form: a function has a parenthesis before its ';' or '{'; a class
// begins with class or struct and has a '{'. This is sufficient for the style of this tree.
FileFigures scanFile(const SourceFile& file);

} // namespace structure
