// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/picture/graph_view.h"
#include "graph_model/read/model_file.h"
#include "views/canvas/paint/scene_index.h"
#include "views/models/op_table_model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lapidary {

// Paths of the groups that should be open; none: those of a first picture.
using OpenPaths = std::optional<std::set<std::string>>;

// The user's choices of how a graph is drawn. They are kept after the program ends, and also apply
// to the states that a recipe makes from the graph.
struct PictureLook {
    std::set<std::string> hiddenOps;
    std::vector<NodeId> hiddenNodes;
    std::vector<NodeId> alone;      // sorted: never folded, never cut
    std::vector<std::string> apart; // paths of groups found by structure that are taken apart
    TrainingView training = TrainingView::Folded; // for the parts beside the network
    bool plumbing = false; // ops that carry values around loops are drawn node by node
    Direction direction = Direction::Down;
    double aspect = 1.6; // of the view; used from the next layout on

    void hide(const std::vector<NodeId>& nodes);
    void showAlone(NodeId id);
    void resetStructure();
    void showHidden();
    bool hasOwnStructure() const { return !alone.empty() || !apart.empty(); }
    bool hasHidden() const { return !hiddenOps.empty() || !hiddenNodes.empty(); }
    // Returns every node of `graph` that is hidden, sorted.
    std::vector<NodeId> hiddenIn(const Graph& graph) const;
    // Returns the look for the same nodes of another graph, found by name; nodes that are gone are
    // left out.
    PictureLook carriedOver(const Graph& from, const Graph& to) const;
    // Tells whether a change to `other` needs another GraphView, and not only another layout.
    bool needsOtherView(const PictureLook& other) const;
};

// Everything that one picture is made from.
struct SceneRequest {
    GraphPtr graph;
    PictureLook look;
    ShapeOptions shapes;      // given for inputs
    std::set<NodeId> inputs;  // drawn as such
    std::set<NodeId> outputs; // drawn as such
    OpenPaths open;
    // The entry whose likely inputs and outputs are drawn as such; null: `inputs` and `outputs`
    // are.
    std::shared_ptr<const GraphEntry> entry;
    GraphViewPtr known; // made before from the same graph, look and shapes; or null

    SceneOptions sceneOptions() const;
};

struct MadePicture {
    GraphViewPtr view;
    ScenePtr scene;
    SceneIndexPtr index;
    std::set<GroupId> open;
    std::vector<OpCount> ops;
    std::int64_t folded = 0;             // number of nodes drawn inside others
    std::set<NodeId> inputs;             // drawn as such
    std::set<NodeId> outputs;            // drawn as such
    std::optional<InterfaceGuess> guess; // if it was requested
    double aspect = 1;                   // of the view that it was laid out for
};

// Call this on a worker.
Result<MadePicture> makePicture(const SceneRequest& request, MeasureText measure, const Job& job);

// A scene with its index, so that the canvas need not make the index.
using BuiltScene = std::pair<ScenePtr, SceneIndexPtr>;
Result<BuiltScene> buildScene(GraphView& view, const std::set<GroupId>& open,
                              const SceneOptions& options, const Job& job);

// Returns the nodes of the same names in another graph; those that are gone are left out.
std::set<NodeId> sameNodes(const std::set<NodeId>& nodes, const Graph& from, const Graph& to);

} // namespace lapidary
