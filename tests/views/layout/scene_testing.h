// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <filesystem>
#include <memory>
#include <set>
#include <vector>

namespace lapidary::testing {

// A graph prepared for drawing, without fonts: every letter has the average width of a common font.
struct TestView {
    PreparationPtr preparation;
    std::unique_ptr<SceneBuilder> builder;

    ScenePtr build(const std::set<GroupId>& open, const SceneOptions& options = {}) const;
    const ScopeTree& tree() const { return preparation->tree(); }
    std::set<GroupId> everyGroup() const;
    GroupId largestGroup() const; // by its children; invalid if there is none
};

TestView viewOf(const GraphPtr& graph, const ScopeOptions& scopes = {},
                const PrepareOptions& prepare = {});
MeasureText plainMeasure();
// Returns the recorded models; none if the shared folder does not exist.
std::vector<std::filesystem::path> modelFiles();

} // namespace lapidary::testing
