// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the jobs of a Document make; for its own files only.
#include "app/document/document.h"

namespace lapidary {

struct Document::Laid {
    ScenePtr scene;
    SceneIndexPtr index;
    std::set<GroupId> open;
};

struct Document::Prepared {
    GraphViewPtr view;
    Laid first;
    std::vector<OpCount> ops;
    std::int64_t folded = 0;
    InterfaceGuess guess;
    bool hasGuess = false;
};

using BuiltScene = std::pair<ScenePtr, SceneIndexPtr>;

// A scene with its index, which the canvas would else have to make.
Result<BuiltScene> buildScene(GraphView& view, const std::set<GroupId>& open,
                              const SceneOptions& options, const Job& job);
std::int64_t countFolded(const Preparation& preparation);
std::set<GroupId> groupsAt(const ScopeTree& tree, const std::set<std::string>& paths);

} // namespace lapidary
