// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/interface/interface.h"
#include "graph_model/scopes/prepared_scope.h"
#include "graph_model/scopes/scope_tree.h"
#include "graph_model/shapes/known_tensor.h"
#include "views/layout/scene.h"
#include "views/strip/stages.h"

#include <future>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

namespace lapidary {

// How the parts of a graph beside its network are shown: each as one closed box, or open in a lane
// at the side, or among the network, placed by their names and edges.
enum class TrainingView : std::uint8_t { Folded, Lane, All };

struct GraphViewOptions {
    ScopeOptions scopes; // without the parts, which are found later
    // The inputs and outputs of the model, sorted; they are at the edges of the picture.
    std::vector<NodeId> inputs;
    std::vector<NodeId> outputs;
    TrainingView training = TrainingView::Folded;
    PrepareOptions prepare;
    ShapeOptions shapes;
};

// The shapes of one graph, and the given ones that they were inferred from.
struct GraphShapes {
    ShapeOptions options;
    InferredShapes inferred;
};
using GraphShapesPtr = std::shared_ptr<const GraphShapes>;
Result<GraphShapesPtr> shapesOf(const Graph& graph, ShapeOptions options, const Job& job);

// One graph prepared for drawing: its groups, what is folded and cut, and the layouts made so far.
// It has no threads of its own: call make() and build() on a worker, and never two build() at a
// time; all other functions are const and can be called from any thread.
class GraphView {
public:
    // Infers shapes on another thread while groups are found.
    static Result<std::shared_ptr<GraphView>> make(const GraphPtr& graph,
                                                   const GraphViewOptions& options,
                                                   MeasureText measure, const Job& job);
    // Makes the view if shapes are already being inferred.
    static Result<std::shared_ptr<GraphView>>
    make(const GraphPtr& graph, const GraphViewOptions& options, MeasureText measure,
         std::future<Result<GraphShapesPtr>>& inferring, const Job& job);

    // Returns the inputs that are drawn as inputs: those of the network.
    const std::vector<NodeId>& inputs() const { return m_inputs; }
    const std::vector<NodeId>& outputs() const { return m_outputs; }
    // Returns the options of a scene with these inputs and outputs.
    SceneOptions withEnds(SceneOptions options) const;

    const GraphPtr& graph() const { return m_preparation->sharedGraph(); }
    const ScopeTree& tree() const { return m_preparation->tree(); }
    const ScopeTreePtr& sharedTree() const { return m_preparation->sharedTree(); }
    const Preparation& preparation() const { return *m_preparation; }
    const PreparationPtr& sharedPreparation() const { return m_preparation; }

    const StagesPtr& stages() const { return m_stages; } // of the network; never null

    const GraphShapesPtr& shapes() const { return m_shapes; }
    // Returns the same graph with other shapes on its edges; it has no layouts yet. O(nodes +
    // edges).
    std::shared_ptr<GraphView> withShapes(GraphShapesPtr shapes) const;

    Result<ScenePtr> build(const std::set<GroupId>& open, const SceneOptions& options,
                           const Job& job);

    // Returns the groups that are open in the first picture: no part beside the network, unless
    // requested, and only groups that are alone in their parent, or with a few nodes, so that the
    // picture shows the stages of a network and not one box. A series among enough nodes is closed.
    std::set<GroupId> firstOpen() const;
    // Returns `open` without the innermost group if their picture is too large: names could not be
    // read when all of it is seen or, if there are enough items outside of that group, other text
    // could not. Otherwise returns `open`.
    std::set<GroupId> withoutTooMuch(std::set<GroupId> open, const Scene& scene) const;
    // Returns `open` and `id`; a group that is the only child of an opened one is opened too, and
    // so on.
    std::set<GroupId> withOpened(std::set<GroupId> open, GroupId id) const;
    // Returns `open` and everything that must be open for `item` to have a box of its own.
    std::set<GroupId> withVisible(std::set<GroupId> open, ItemId item) const;
    // Returns `open` and the parts beside the network.
    std::set<GroupId> withParts(std::set<GroupId> open) const;
    std::set<GroupId> everyGroup() const;

private:
    GraphView(const PreparationPtr& preparation, MeasureText measure, GraphShapesPtr shapes);
    void setEnds(const GraphViewOptions& options);
    Status setStages(const Job& job);
    // Returns the scope that contains nearly all of `id`, with little beside it; or an invalid ID.
    GroupId mainGroup(GroupId id) const;

    PreparationPtr m_preparation;
    std::vector<NodeId> m_inputs;
    std::vector<NodeId> m_outputs;
    TrainingView m_training = TrainingView::Folded;
    GraphShapesPtr m_shapes;
    StagesPtr m_stages = std::make_shared<const Stages>();
    MeasureText m_measure;
    SceneBuilder m_builder;
};
using GraphViewPtr = std::shared_ptr<GraphView>;

// The prepared graph of an entry, and its likely interface, for a first
// picture.
struct FirstView {
    GraphViewPtr view;
    InterfaceGuess guess;
};
Result<FirstView> makeFirstView(const GraphEntry& entry, GraphViewOptions options,
                                MeasureText measure, const Job& job);

// Returns the text of an edge label for a tensor: "1×56×56×64", "?×10 int32"; empty if no shape is
// known. `bytes` counts unknown sizes as one.
EdgeFace describeTensor(const Graph& graph, const InferredShapes* shapes, Endpoint from);

} // namespace lapidary
