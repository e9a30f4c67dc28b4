// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/structure/source_file.h"

#include <set>
#include <string>
#include <vector>

namespace structure {

struct Circle {
    std::set<std::string> folders;
    std::vector<std::string> includes; // "app/a/x.cpp -> app/b/y.h", those between the folders
};

// Folders of one layer that include each other, directly or through others: the strongly connected
// components with more than one folder.
std::vector<Circle> folderCircles(const std::vector<SourceFile>& files);

} // namespace structure
