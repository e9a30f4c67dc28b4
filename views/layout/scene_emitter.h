// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scope_layout.h"

#include <functional>

namespace lapidary {

struct PlacedScope {
    const ScopePlan* plan = nullptr;
    const EdgeFaces* edges = nullptr;
    const ScopeLayout* layout = nullptr;
};

// Puts the layouts of all open scopes together, from the root down, in scene coordinates.
std::shared_ptr<Scene> emitScene(const std::function<PlacedScope(GroupId)>& scopeOf,
                                 const std::function<std::string(const Group&, float)>& elide,
                                 const ScopeTree& tree, const SceneOptions& options);

} // namespace lapidary
