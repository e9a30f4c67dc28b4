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

// A class, structure, union or enumeration that is defined with a body where other files can see
// it: not in an anonymous namespace, not in a function, no specialization of a template.
struct NamedType {
    std::string name; // with its namespaces and outer classes: "lapidary::Graph"
    std::string path;
};

struct FileFigures {
    std::vector<ClassFigures> classes;
    std::vector<NamedType> types;
    int definedFunctions = 0; // with a body, in namespaces and classes; no lambdas
};

// Reads declarations by their shape: what has a parenthesis before its ';' or '{' is a function,
// what begins with class or struct and has a '{' is a class. Good enough for this tree's style.
FileFigures scanFile(const SourceFile& file);

} // namespace structure
