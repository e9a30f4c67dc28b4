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

// Paths of groups that are to be open; nothing: those of a first picture.
using OpenPaths = std::optional<std::set<std::string>>;

// The user's choices of how a graph is drawn. They are kept after the program ends, and apply to
// the states that a recipe makes of the graph too.
struct PictureLook {
    std::set<std::string> hiddenOps;
    std::vector<NodeId> hiddenNodes;
    std::vector<NodeId> alone;      // sorted: never folded, never cut
    std::vector<std::string> apart; // paths of groups found by structure that are taken apart
    TrainingView training = TrainingView::Folded; // of the parts beside the network
    bool plumbing = false; // what carries values round loops is drawn node by node
    Direction direction = Direction::Down;
    double aspect = 1.6; // of the view; counts from the next layout on

    void hide(const std::vector<NodeId>& nodes);
    void showAlone(NodeId id);
    void resetStructure();
    void showHidden();
    bool hasOwnStructure() const { return !alone.empty() || !apart.empty(); }
    bool hasHidden() const { return !hiddenOps.empty() || !hiddenNodes.empty(); }
    // Every node of `graph` that is hidden, sorted.
    std::vector<NodeId> hiddenIn(const Graph& graph) const;
    // Returns the look for the same nodes of another graph, found by name; those that are gone are
    // left out.
    PictureLook carriedOver(const Graph& from, const Graph& to) const;
    // Another view has to be made to go from one to the other, not only another layout.
    bool needsOtherView(const PictureLook& other) const;
};

// All that one picture is made of.
struct SceneRequest {
    GraphPtr graph;
    PictureLook look;
    ShapeOptions shapes;      // given for inputs
    std::set<NodeId> inputs;  // drawn as such
    std::set<NodeId> outputs; // drawn as such
    OpenPaths open;
    // The entry whose likely inputs and outputs are drawn as such; null: those above count.
    std::shared_ptr<const GraphEntry> entry;
    GraphViewPtr known; // made of the same graph, look and shapes before; or null

    SceneOptions sceneOptions() const;
};

struct MadePicture {
    GraphViewPtr view;
    ScenePtr scene;
    SceneIndexPtr index;
    std::set<GroupId> open;
    std::vector<OpCount> ops;
    std::int64_t folded = 0;             // nodes drawn inside others
    std::set<NodeId> inputs;             // drawn as such
    std::set<NodeId> outputs;            // drawn as such
    std::optional<InterfaceGuess> guess; // where it was asked for
    double aspect = 1;                   // of the view that it was laid out for
};

// Belongs on a worker.
Result<MadePicture> makePicture(const SceneRequest& request, MeasureText measure, const Job& job);

// A scene with its index, which the canvas would else have to make.
using BuiltScene = std::pair<ScenePtr, SceneIndexPtr>;
Result<BuiltScene> buildScene(GraphView& view, const std::set<GroupId>& open,
                              const SceneOptions& options, const Job& job);

// The nodes of the same names; those that are gone are left out.
std::set<NodeId> sameNodes(const std::set<NodeId>& nodes, const Graph& from, const Graph& to);

} // namespace lapidary
