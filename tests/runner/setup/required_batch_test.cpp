// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "runner/setup/prepare_run.h"
#include "runner/setup/required_batch.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

// y = concat(x, state): x is [batch, 2], state [STATE, 1]. The loss beside it has 7 rows.
const std::string stateful = R"(
node { name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } } }
node { name: "state" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT
    tensor_shape { dim { size: STATE } dim { size: 1 } } float_val: 0.5 } } } }
node { name: "next" op: "Neg" input: "state" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "axis" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 1 } } } }
node { name: "y" op: "ConcatV2" input: "x" input: "next" input: "axis"
  attr { key: "N" value { i: 2 } } attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "Tidx" value { type: DT_INT32 } } }
node { name: "label" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT
    tensor_shape { dim { size: 7 } dim { size: 2 } } float_val: 1 } } } }
node { name: "loss" op: "ConcatV2" input: "x" input: "label" input: "axis"
  attr { key: "N" value { i: 2 } } attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "Tidx" value { type: DT_INT32 } } }
)";

GraphEntry entryWith(const std::string& state)
{
    std::string text = stateful;
    text.replace(text.find("STATE"), 5, state);
    const auto file = readModelBytes(text, "state.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    return file->graphs.front();
}

std::int64_t batchOf(const Graph& graph, const std::vector<std::string>& needed, const Shape& shape)
{
    std::vector<bool> isNeeded(graph.size(), false);
    for (const std::string& name : needed)
        isNeeded[graph.find(name).value] = true;
    const std::vector<std::pair<Endpoint, Shape>> inputs{{{graph.find("x"), 0}, shape}};
    const auto batch = requiredBatch(graph, inputs, isNeeded, Job());
    REQUIRE(batch.ok());
    return *batch;
}

const Shape openShape{{-1, 2}, false};
const std::vector<std::string> forwardNodes{"x", "state", "next", "axis", "y"};

} // namespace

TEST_CASE("a batch is that of the state that meets the input, else 1", "[batch]")
{
    const GraphEntry five = entryWith("5");
    CHECK(batchOf(*five.graph, forwardNodes, openShape) == 5);
    CHECK(batchOf(*five.graph, forwardNodes, Shape{{3, 2}, false}) == 1); // no size is open
    CHECK(batchOf(*five.graph, forwardNodes, Shape{{}, true}) == 1);
    CHECK(batchOf(*entryWith("1").graph, forwardNodes, openShape) == 1);
    CHECK(batchOf(*five.graph, {"x", "label", "axis", "loss"}, openShape) == 7);
}

TEST_CASE("nodes that the outputs do not need require no batch", "[batch]")
{
    const GraphEntry five = entryWith("5");
    CHECK(batchOf(*five.graph, forwardNodes, openShape) == 5); // the loss needs 7
    std::vector<std::string> all = forwardNodes;
    all.emplace_back("loss");
    CHECK(batchOf(*five.graph, all, openShape) == 1); // neither 5 nor 7 fits both
}

TEST_CASE("a value that is made up has the batch that the graph requires", "[batch]")
{
    const auto sizesOf = [](const RunPlan& plan) {
        auto prepared = prepareRun(entryWith("5"), "-", plan, Job());
        REQUIRE(prepared.ok());
        return prepared->request.feeds.front().second.dims();
    };
    CHECK(sizesOf({.fetches = {"y"}}) == Dims{5, 2});
    CHECK(sizesOf({.feeds = {{"x", RandomFeed{}}}, .fetches = {"y"}}) == Dims{5, 2});
    CHECK(sizesOf({.shapes = {{"x", Shape{{2, 2}, false}}}, .fetches = {"y"}}) == Dims{2, 2});
    CHECK(sizesOf({.feeds = {{"x", WrittenFeed{"1 2"}}}, .fetches = {"y"}}) == Dims{1, 2});
}

} // namespace lapidary
