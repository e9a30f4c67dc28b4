// SPDX-License-Identifier: Apache-2.0
#include "tests/views/layout/scene_testing.h"

#include "graph_model/shapes/declared_shapes.h"
#include "tests/catch.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <cstdlib>

namespace lapidary::testing {
namespace {

EdgeFace shapeOf(const Graph& graph, Endpoint from)
{
    const TensorFacts facts = declaredFacts(graph, from);
    EdgeFace face;
    if (facts.shape && !facts.shape->unknownRank)
        face.label = shapeLabel(*facts.shape);
    return face;
}

} // namespace

MeasureText plainMeasure()
{
    return [](std::string_view text, TextRole role) {
        const auto letters = std::ranges::count_if(
            text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
        const float em = role == TextRole::Heading ? 7.4F : role == TextRole::Name ? 6.6F : 5.8F;
        return float(letters) * em;
    };
}

TestView viewOf(const GraphPtr& graph, const ScopeOptions& scopes, const PrepareOptions& prepare)
{
    auto tree = buildScopeTree(graph, scopes, Job{});
    REQUIRE(tree.ok());
    auto preparation = Preparation::make(graph, *tree, prepare, Job{});
    REQUIRE(preparation.ok());
    TestView view;
    view.preparation = *preparation;
    view.builder = std::make_unique<SceneBuilder>(view.preparation, plainMeasure(), shapeOf);
    return view;
}

ScenePtr TestView::build(const std::set<GroupId>& open, const SceneOptions& options) const
{
    Result<ScenePtr> scene = builder->build(open, options, Job{});
    REQUIRE(scene.ok());
    return *scene;
}

std::set<GroupId> TestView::everyGroup() const
{
    std::set<GroupId> open;
    for (std::uint32_t i = 1; i < tree().size(); ++i)
        open.insert(open.end(), GroupId{i});
    return open;
}

GroupId TestView::largestGroup() const
{
    GroupId best;
    for (std::uint32_t i = 1; i < tree().size(); ++i)
        if (!best.isValid() ||
            tree().group(GroupId{i}).children.size() > tree().group(best).children.size())
            best = GroupId{i};
    return best;
}

std::vector<std::filesystem::path> modelFiles()
{
    const char* shared = std::getenv("LAPIDARY_SHARED");
    const std::filesystem::path root =
        (shared != nullptr ? std::filesystem::path(shared) : sourceFolder() / "../shared") /
        "models";
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root, error)) {
        const std::string extension = entry.path().extension().string();
        if (entry.is_regular_file() &&
            (extension == ".pb" || extension == ".pbtxt" || extension == ".meta"))
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

} // namespace lapidary::testing
