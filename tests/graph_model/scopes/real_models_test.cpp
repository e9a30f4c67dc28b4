// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/shared_data.h"

#include <filesystem>

namespace lapidary {

TEST_CASE("every input string of real models is in exactly one edge", "[scopes]")
{
    const std::filesystem::path models = sharedData() / "models";
    for (const char* name :
         {"made/resnet_v1_50.pb", "made/odd_names.pb", "made/loops.pb", "made/control_edges.pb",
          "made/lstm_dynamic.pb", "made/training_adam.meta", "made/ssd_detector.pb",
          "real/nested_while.pb.txt", "real/rnn_bstack_d_b1_n3.pb"}) {
        INFO(name);
        const auto file = readModel(models / name, Job(), {.check = false});
        REQUIRE(file.ok());
        REQUIRE_FALSE(file->graphs.empty());
        const GraphPtr& graph = file->graphs[0].graph;
        const PreparationPtr made = prepare(graph);
        checkTree(*graph, made->tree());
        checkEdges(*made);
        for (std::uint32_t g = 0; g < made->tree().size(); ++g)
            CHECK(made->scope(GroupId{g}).items.size() <= 60);
    }
}

} // namespace lapidary
