// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/prepared_scope.h"
#include "transforms/diff/difference_list.h"
#include "views/canvas/paint/picture_state.h"
#include "views/layout/scene.h"
#include "views/strip/stages.h"

#include <QPointF>

#include <memory>
#include <set>
#include <vector>

namespace lapidary {

// One side of a comparison, as it is drawn.
struct ComparedSide {
    ScenePtr scene;
    PreparationPtr preparation;
    bool isBefore = true;

    bool isComplete() const { return scene != nullptr && preparation != nullptr; }
};

// Returns the counterpart of an item of one side on the other: a node's counterpart, or a group of
// the same path. Invalid if there is none.
ItemId counterpartOf(const DifferenceList& list, const ComparedSide& from, const ComparedSide& to,
                     ItemId item);

// Returns the differences for every box that is drawn. Each difference counts only on the one box
// that shows its node.
std::shared_ptr<const DifferenceMarks> differenceMarks(const DifferenceList& list,
                                                       const ComparedSide& side);

// Returns the number of differences in each stage of a side's network.
std::vector<DifferenceCounts> stageDifferences(const DifferenceList& list, bool isBefore,
                                               const Stages& stages);

// Returns the groups that should be open on one side, as on the other; groups that only one side
// has are not changed.
std::set<GroupId> linkedGroups(const std::set<GroupId>& from, const ScopeTree& fromTree,
                               const std::set<GroupId>& to, const ScopeTree& toTree);

// Maps a point of one picture to the other. Its position relative to the boxes that both have is
// kept, and nearer boxes count more. The result moves evenly with the point.
class SceneLink {
public:
    SceneLink() = default;
    SceneLink(const DifferenceList& list, const ComparedSide& before, const ComparedSide& after);

    bool isEmpty() const { return m_pairs.empty(); }
    std::size_t size() const { return m_pairs.size(); }
    QPointF mapped(QPointF at, bool fromBefore) const;

private:
    struct Pair {
        QPointF before;
        QPointF after;
    };
    std::vector<Pair> m_pairs;
};

} // namespace lapidary
