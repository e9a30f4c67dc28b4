// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_traits.h"
#include "graph_model/read/model_file.h"
#include "runner/checkpoint/load_variables.h"
#include "runner/checkpoint/stored_tensor.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/shared_data.h"

namespace lapidary {

namespace {

// A model that computes a x + b; its checkpoint has a = 0.5 and b = 2.
class HalfPlusTwo {
public:
    // Returns whether recorded data is missing, as in a stranger's clone, and prints that.
    bool isMissing() const
    {
        if (std::filesystem::exists(m_folder))
            return false;
        WARN(m_folder << " is not there");
        return true;
    }
    const std::filesystem::path& folder() const { return m_folder; }
    GraphEntry open() const
    {
        auto file = readModel(m_folder, Job(), {.check = false});
        REQUIRE(file.ok());
        return file->graphs.front();
    }

    // Loads the variables of `entry` and compares the values of both.
    void checkLoaded(const GraphEntry& entry) const
    {
        Session session(entry.graph, {.folder = m_folder.string()});
        REQUIRE(loadVariables(session, entry, m_folder, Job()).ok());
        for (const auto& [name, expected] : {std::pair("a", 0.5F), std::pair("b", 2.0F)}) {
            const auto values = session.run({.fetches = {name + std::string("/read:0")}}, Job());
            INFO((values ? "" : values.error().message));
            REQUIRE(values.ok());
            CHECK((*values)[0].as<float>()[0] == expected);
        }
    }

private:
    std::filesystem::path m_folder = sharedData() / "models/real/half_plus_two";
};

} // namespace

TEST_CASE("variables have the values of the checkpoint beside the model", "[checkpoint]")
{
    const HalfPlusTwo model;
    if (model.isMissing())
        return;
    const GraphPtr graph = model.open().graph;
    const auto checkpoint = checkpointBeside(model.folder());
    REQUIRE_FALSE(checkpoint.empty());
    for (const auto& [name, expected] : {std::pair("a", 0.5), std::pair("b", 2.0)}) {
        const NodeId id = graph->find(name);
        REQUIRE(id.isValid());
        CHECK(isStoredVariable(graph->node(id).op()));
        const auto tensor = storedTensor(*graph, id, {checkpoint}, Job());
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
    const HalfPlusTwo model;
    if (model.isMissing())
        return;
    GraphEntry entry = model.open();
    entry.loading = {};
    model.checkLoaded(entry);
}

TEST_CASE("variables that the restoring nodes omit come from the checkpoint too", "[checkpoint]")
{
    const HalfPlusTwo model;
    if (model.isMissing())
        return;
    GraphEntry entry = model.open();
    REQUIRE(entry.graph->find("save/Assign").isValid());
    entry.loading.restoreOp = "save/Assign"; // one of the two variables
    model.checkLoaded(entry);
}

TEST_CASE("a variable that the checkpoint does not hold is said to be absent from it",
          "[checkpoint]")
{
    const HalfPlusTwo model;
    if (model.isMissing())
        return;
    const auto file = readModelBytes(R"(
node { name: "later" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { } } } }
node { name: "read" op: "Identity" input: "later" attr { key: "T" value { type: DT_FLOAT } } }
)",
                                     "later.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    const GraphEntry& entry = file->graphs.front();
    Session session(entry.graph, {.folder = model.folder().string()});
    REQUIRE(loadVariables(session, entry, model.folder(), Job()).ok());
    const auto values = session.run({.fetches = {"read:0"}}, Job());
    REQUIRE_FALSE(values.ok());
    INFO(values.error().message);
    CHECK(values.error().message.find("the checkpoint variables does not hold it") !=
          std::string::npos);
}

TEST_CASE("a variable without a checkpoint says so", "[checkpoint]")
{
    const GraphPtr in = graph("v = VariableV2()\nr = Identity(v)");
    const auto none = storedTensor(*in, in->find("v"), {}, Job());
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().message.starts_with("v: "));
    CHECK_FALSE(storedTensor(*in, in->find("v"), {"/no/such/checkpoint"}, Job()).ok());
    CHECK_FALSE(storedTensor(*in, in->find("r"), {}, Job()).ok());
}

} // namespace lapidary
