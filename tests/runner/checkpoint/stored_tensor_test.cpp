// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_traits.h"
#include "graph_model/read/model_file.h"
#include "runner/checkpoint/load_variables.h"
#include "runner/checkpoint/stored_tensor.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/shared_data.h"

namespace lapidary {

TEST_CASE("variables have the values of the checkpoint beside the model", "[checkpoint]")
{
    const std::filesystem::path folder = sharedData() / "models/real/half_plus_two";
    if (!std::filesystem::exists(folder)) {
        WARN(folder << " is not there");
        return;
    }
    const auto file = readModel(folder, Job(), {.check = false});
    REQUIRE(file.ok());
    const Graph& graph = *file->graphs.front().graph;
    const auto checkpoint = checkpointBeside(folder);
    REQUIRE_FALSE(checkpoint.empty());
    for (const auto& [name, expected] : {std::pair("a", 0.5), std::pair("b", 2.0)}) {
        const NodeId id = graph.find(name);
        REQUIRE(id.isValid());
        CHECK(isStoredVariable(graph.node(id).op()));
        const auto tensor = storedTensor(graph, id, checkpoint, Job());
        INFO((tensor ? "" : tensor.error().message));
        REQUIRE(tensor.ok());
        CHECK(tensor->dtype() == DType::Float);
        const auto numbers = tensor->numbers(0, 1);
        REQUIRE(numbers.ok());
        CHECK((*numbers)[0] == expected);
    }
}

TEST_CASE("a graph without nodes that restore runs with the checkpoint beside the model",
          "[checkpoint]")
{
    const std::filesystem::path folder = sharedData() / "models/real/half_plus_two";
    if (!std::filesystem::exists(folder)) {
        WARN(folder << " is not there");
        return;
    }
    const auto file = readModel(folder, Job(), {.check = false});
    REQUIRE(file.ok());
    GraphEntry entry = file->graphs.front();
    entry.loading = {};
    Session session(entry.graph, {.folder = folder.string()});
    REQUIRE(loadVariables(session, entry, folder, Job()).ok());
    for (const auto& [name, expected] : {std::pair("a", 0.5F), std::pair("b", 2.0F)}) {
        const auto values = session.run({.fetches = {name + std::string("/read:0")}}, Job());
        INFO((values ? "" : values.error().message));
        REQUIRE(values.ok());
        CHECK((*values)[0].as<float>()[0] == expected);
    }
}

TEST_CASE("what the nodes that restore leave out comes from the checkpoint too", "[checkpoint]")
{
    const std::filesystem::path folder = sharedData() / "models/real/half_plus_two";
    if (!std::filesystem::exists(folder)) {
        WARN(folder << " is not there");
        return;
    }
    const auto file = readModel(folder, Job(), {.check = false});
    REQUIRE(file.ok());
    GraphEntry entry = file->graphs.front();
    REQUIRE(entry.graph->find("save/Assign").isValid());
    entry.loading.restoreOp = "save/Assign"; // one of the two variables
    Session session(entry.graph, {.folder = folder.string()});
    REQUIRE(loadVariables(session, entry, folder, Job()).ok());
    for (const auto& [name, expected] : {std::pair("a", 0.5F), std::pair("b", 2.0F)}) {
        const auto values = session.run({.fetches = {name + std::string("/read:0")}}, Job());
        INFO((values ? "" : values.error().message));
        REQUIRE(values.ok());
        CHECK((*values)[0].as<float>()[0] == expected);
    }
}

TEST_CASE("a variable without a checkpoint says so", "[checkpoint]")
{
    const GraphPtr in = graph("v = VariableV2()\nr = Identity(v)");
    const auto none = storedTensor(*in, in->find("v"), {}, Job());
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().message.starts_with("v: "));
    CHECK_FALSE(storedTensor(*in, in->find("v"), "/no/such/checkpoint", Job()).ok());
    CHECK_FALSE(storedTensor(*in, in->find("r"), {}, Job()).ok());
}

} // namespace lapidary
