#pragma once

#include "views/layout/scene.h"

#include <string>
#include <vector>

namespace lapidary {

// What part of the scene a window shows.
struct SceneView {
    Rect rect;
    double scale = 1;
};

// The scene as drawn, for checks by machine: {"boxes", "edges", "labels", "view"} in scene units.
// `node` and `id` are paths of `tree`'s groups and names of `graph`'s nodes.
std::string sceneJson(const Scene& scene, const Graph& graph, const ScopeTree& tree,
                      const SceneView& view = {});

// What is wrong with a picture, one sentence each: boxes of one parent overlap or leave it, a label
// leaves its place or covers something, an edge ends off its box or crosses another box. At most
// `most` sentences.
std::vector<std::string> scenePictureFaults(const Scene& scene, std::size_t most = 20);

} // namespace lapidary
