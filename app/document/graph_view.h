// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/interface/interface.h"
#include "graph_model/scopes/prepared_scope.h"
#include "graph_model/scopes/scope_tree.h"
#include "graph_model/shapes/known_tensor.h"
#include "views/layout/scene.h"

#include <memory>
#include <set>
#include <string_view>

namespace lapidary {

struct GraphViewOptions {
    ScopeOptions scopes;
    PrepareOptions prepare;
    ShapeOptions shapes;
};

// The shapes of one graph, and which of them were given for that.
struct GraphShapes {
    ShapeOptions options;
    InferredShapes inferred;
};
using GraphShapesPtr = std::shared_ptr<const GraphShapes>;
Result<GraphShapesPtr> shapesOf(const Graph& graph, ShapeOptions options, const Job& job);

// One graph made ready to be drawn: its groups, what is folded and cut, and the layouts made so
// far. Keeps no threads of its own: make() and build() belong on a worker, one call of build() at a
// time; everything else is const and may be asked from anywhere.
class GraphView {
public:
    // Infers shapes on a thread of its own while groups are found.
    static Result<std::shared_ptr<GraphView>> make(const GraphPtr& graph,
                                                   const GraphViewOptions& options,
                                                   MeasureText measure, const Job& job);

    const GraphPtr& graph() const { return m_preparation->sharedGraph(); }
    const ScopeTree& tree() const { return m_preparation->tree(); }
    const ScopeTreePtr& sharedTree() const { return m_preparation->sharedTree(); }
    const Preparation& preparation() const { return *m_preparation; }
    const PreparationPtr& sharedPreparation() const { return m_preparation; }

    const GraphShapesPtr& shapes() const { return m_shapes; }
    // The same graph with other shapes on its edges; nothing is laid out yet.
    std::shared_ptr<GraphView> withShapes(GraphShapesPtr shapes) const;

    Result<ScenePtr> build(const std::set<GroupId>& open, const SceneOptions& options,
                           const Job& job);

    // The groups of the first picture: nothing is open but what stands alone in its parent, or
    // beside a few nodes: there the stages of a network are to be seen, not one box.
    std::set<GroupId> firstOpen() const;
    // `open` and `id`; a child that stands alone in it is opened too, and so on.
    std::set<GroupId> withOpened(std::set<GroupId> open, GroupId id) const;
    // `open` and everything that must be open for `item` to have a box of its own.
    std::set<GroupId> withVisible(std::set<GroupId> open, ItemId item) const;
    std::set<GroupId> everyGroup() const;

private:
    GraphView(const PreparationPtr& preparation, MeasureText measure, GraphShapesPtr shapes);
    // The scope that holds nearly all of `id`, with little beside it; or invalid.
    GroupId mainGroup(GroupId id) const;

    PreparationPtr m_preparation;
    GraphShapesPtr m_shapes;
    MeasureText m_measure;
    SceneBuilder m_builder;
};
using GraphViewPtr = std::shared_ptr<GraphView>;

// What a first picture needs: the entry's graph made ready and its likely interface, found side by
// side.
struct FirstView {
    GraphViewPtr view;
    InterfaceGuess guess;
};
Result<FirstView> makeFirstView(const GraphEntry& entry, const GraphViewOptions& options,
                                MeasureText measure, const Job& job);

// What an edge label says of a tensor: "1×56×56×64", "?×10 int32"; nothing where no shape is known.
// `bytes` counts unknown sizes as one.
EdgeFace describeTensor(const Graph& graph, const InferredShapes* shapes, Endpoint from);

} // namespace lapidary
