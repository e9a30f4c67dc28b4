// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <string>
#include <vector>

namespace lapidary {

// The part of the scene that a window shows, and what the window lists about the network besides
// it.
struct SceneView {
    Rect rect;
    double scale = 1;
    std::vector<std::string> inputs = {}; // nodes of the chosen tensors, the best first
    std::vector<std::string> outputs = {};
    std::vector<std::string> strip = {}; // names of the stages above the canvas
};

// Returns the scene as drawn, for checks by machine: {"boxes", "edges", "labels", "faults",
// "inputs", "outputs", "strip", "view"} in scene units. `node` is the path of a group of `tree` or
// the name of a node of `graph`; "faults" are those of scenePictureFaults().
std::string sceneJson(const Scene& scene, const Graph& graph, const ScopeTree& tree,
                      const SceneView& view = {});

// Returns the faults of a picture, one sentence each: boxes of one parent overlap or leave it, a
// label leaves its line or covers something, an edge does not end at its box or crosses another
// box. At most `most` sentences.
std::vector<std::string> scenePictureFaults(const Scene& scene, std::size_t most = 20);

} // namespace lapidary
