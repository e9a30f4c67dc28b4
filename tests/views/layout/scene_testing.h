// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <filesystem>
#include <memory>
#include <set>
#include <vector>

namespace lapidary::testing {

// A graph made ready for drawing, without fonts: every letter is as wide as in a usual font's mean.
struct TestView {
    PreparationPtr preparation;
    std::unique_ptr<SceneBuilder> builder;

    ScenePtr build(const std::set<GroupId>& open, const SceneOptions& options = {}) const;
    const ScopeTree& tree() const { return preparation->tree(); }
    std::set<GroupId> everyGroup() const;
    GroupId largestGroup() const; // by children; invalid where there is none
};

TestView viewOf(const GraphPtr& graph, const ScopeOptions& scopes = {},
                const PrepareOptions& prepare = {});
MeasureText plainMeasure();
// The recorded models, or nothing where the shared folder is absent.
std::vector<std::filesystem::path> modelFiles();

} // namespace lapidary::testing
