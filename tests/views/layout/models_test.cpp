// SPDX-License-Identifier: Apache-2.0
// Pictures of all recorded models, checked automatically: collapsed, with the largest group open,
// and with everything open.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/views/layout/scene_testing.h"
#include "views/layout/scene_json.h"

#include <algorithm>

using namespace lapidary;
using lapidary::testing::TestView;
using lapidary::testing::viewOf;

namespace {

std::set<GroupId> openedTo(const TestView& view, GroupId group)
{
    std::set<GroupId> open;
    for (; group.isValid() && group != rootGroup; group = view.tree().group(group).parent)
        open.insert(group);
    return open;
}

void checkPicture(const TestView& view, const std::set<GroupId>& open, const char* state)
{
    SceneOptions options;
    for (const Direction direction : {Direction::Down, Direction::Right}) {
        options.direction = direction;
        INFO(state << (direction == Direction::Down ? ", down" : ", right"));
        const ScenePtr scene = view.build(open, options);
        const std::vector<std::string> faults = scenePictureFaults(*scene, 5);
        CAPTURE(faults);
        CHECK(faults.empty());
    }
}

} // namespace

TEST_CASE("pictures of all models are free of faults", "[layout][models]")
{
    const auto files = testing::modelFiles();
    if (files.empty())
        WARN("no recorded models: set LAPIDARY_SHARED");
    for (const auto& file : files) {
        INFO(file);
        const auto model = readModel(file, Job{}, {.check = false});
        if (!model)
            continue;
        for (const GraphEntry& entry : model->graphs) {
            const TestView view = viewOf(entry.graph);
            checkPicture(view, {}, "collapsed");
            checkPicture(view, openedTo(view, view.largestGroup()), "largest group open");
            checkPicture(view, view.everyGroup(), "all open");
        }
    }
}
