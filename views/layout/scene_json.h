// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <string>
#include <vector>

namespace lapidary {

// The part of the scene that a window shows.
struct SceneView {
    Rect rect;
    double scale = 1;
};

// Returns the scene as drawn, for checks by machine: {"boxes", "edges", "labels", "view"} in scene
// units. `node` and `id` are paths of `tree`'s groups and names of `graph`'s nodes.
std::string sceneJson(const Scene& scene, const Graph& graph, const ScopeTree& tree,
                      const SceneView& view = {});

// Returns the faults of a picture, one sentence each: boxes of one parent overlap or leave it, a
// label leaves its line or covers something, an edge does not end on its box or crosses another
// box. At most `most` sentences.
std::vector<std::string> scenePictureFaults(const Scene& scene, std::size_t most = 20);

} // namespace lapidary
