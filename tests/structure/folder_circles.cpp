// SPDX-License-Identifier: Apache-2.0
#include "tests/structure/folder_circles.h"

#include <algorithm>
#include <map>

namespace structure {
namespace {

using Edges = std::map<std::string, std::set<std::string>>;

std::set<std::string> reached(const Edges& edges, const std::string& from)
{
    std::set<std::string> seen;
    std::vector<std::string> open{from};
    while (!open.empty()) {
        const std::string folder = open.back();
        open.pop_back();
        const auto next = edges.find(folder);
        if (next == edges.end())
            continue;
        for (const std::string& to : next->second)
            if (seen.insert(to).second)
                open.push_back(to);
    }
    return seen;
}

std::string folderOf(const std::string& path)
{
    return path.substr(0, path.rfind('/'));
}

bool isInside(const std::string& include, const std::string& layer)
{
    return include.starts_with(layer + "/");
}

} // namespace

std::vector<Circle> folderCircles(const std::vector<SourceFile>& files)
{
    Edges edges;
    for (const SourceFile& file : files)
        for (const std::string& include : file.includes)
            if (isInside(include, file.layer) && folderOf(include) != file.folder)
                edges[file.folder].insert(folderOf(include));
    std::map<std::string, std::set<std::string>> reach;
    for (const auto& [folder, to] : edges)
        reach[folder] = reached(edges, folder);

    std::vector<Circle> circles;
    std::set<std::string> done;
    for (const auto& [folder, to] : reach) {
        if (!to.contains(folder) || done.contains(folder))
            continue;
        Circle circle;
        for (const std::string& other : to)
            if (const auto back = reach.find(other);
                back != reach.end() && back->second.contains(folder))
                circle.folders.insert(other);
        done.insert(circle.folders.begin(), circle.folders.end());
        for (const SourceFile& file : files)
            for (const std::string& include : file.includes)
                if (circle.folders.contains(file.folder) && folderOf(include) != file.folder &&
                    circle.folders.contains(folderOf(include)))
                    circle.includes.push_back(file.path + " -> " + include);
        circles.push_back(std::move(circle));
    }
    return circles;
}

} // namespace structure
