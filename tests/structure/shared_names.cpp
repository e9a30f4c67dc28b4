// SPDX-License-Identifier: Apache-2.0
#include "tests/structure/shared_names.h"

#include "tests/structure/class_scan.h"

#include <map>
#include <set>

namespace structure {

std::vector<SharedName> sharedNames(const std::vector<SourceFile>& files)
{
    std::map<std::string, std::set<std::string>> definitions;
    for (const SourceFile& file : files)
        for (const NamedType& type : scanFile(file).types)
            definitions[type.name].insert(type.path);
    std::vector<SharedName> shared;
    for (const auto& [name, paths] : definitions)
        if (paths.size() > 1)
            shared.push_back({name, {paths.begin(), paths.end()}});
    return shared;
}

} // namespace structure
