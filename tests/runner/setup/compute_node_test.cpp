// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/compute_node.h"
#include "tests/catch.h"

#include <algorithm>

namespace lapidary {
namespace {

// y = tanh(relu(x)) + z; s switches t to its second output.
const char* const network = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 3 } } } } }
node { name: "z" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 3 } } } } }
node { name: "r" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "t" op: "Tanh" input: "r" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Add" input: "t" input: "z" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_BOOL } }
  attr { key: "value" value { tensor { dtype: DT_BOOL tensor_shape { } bool_val: true } } } }
node { name: "s" op: "Switch" input: "t" input: "c" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "n" op: "NoOp" }
)";

GraphEntry entry()
{
    const auto file = readModelBytes(network, "net.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    return file->graphs.front();
}

NodeRequest requestFor(const GraphEntry& model, const char* node)
{
    NodeRequest request;
    request.node = model.graph->find(node);
    request.plan.feeds = {{"x", WrittenFeed{"-1 0.5 2"}}, {"z", WrittenFeed{"1 1 1"}}};
    return request;
}

std::vector<std::string> fedIn(const RunPlan& plan)
{
    std::vector<std::string> names;
    for (const RunPlan::Feed& feed : plan.feeds)
        names.push_back(feed.tensor);
    std::ranges::sort(names);
    return names;
}

TEST_CASE("a run to a node takes the feeds that it depends on", "[setup][compute_node]")
{
    const GraphEntry model = entry();
    NodeRequest request = requestFor(model, "t");
    request.plan.shapes = {{"z", Shape{{3}, false}}};
    const RunPlan plan = planTo(*model.graph, request);
    CHECK(fedIn(plan) == std::vector<std::string>{"x"});
    CHECK(plan.shapes.empty());
    CHECK(plan.fetches == std::vector<std::string>{"t:0"});
    const auto outputs = computeNode(model, "-", request, Job());
    REQUIRE(outputs.ok());
    REQUIRE(outputs->size() == 1);
    CHECK(outputs->front().value->as<float>()[0] == 0);
}

TEST_CASE("known values take the place of what they hide", "[setup][compute_node]")
{
    const GraphEntry model = entry();
    NodeRequest request = requestFor(model, "y");
    MemoryPool pool(1 << 20);
    Value value = Value::make(DType::Float, {3}, pool).value();
    std::ranges::fill(value.mutableAs<float>(), 5.0F);
    request.known = {{"t:0", value}, {"r:0", value}};
    CHECK(fedIn(planTo(*model.graph, request)) == std::vector<std::string>{"t:0", "z"});
    const auto outputs = computeNode(model, "-", request, Job());
    REQUIRE(outputs.ok());
    CHECK(outputs->front().value->as<float>()[2] == 6);
}

TEST_CASE("a fed input is its own value", "[setup][compute_node]")
{
    const GraphEntry model = entry();
    const auto outputs = computeNode(model, "-", requestFor(model, "x"), Job());
    REQUIRE(outputs.ok());
    CHECK(outputs->front().value->as<float>()[2] == 2);
}

TEST_CASE("an output without a value says so beside the one that has one", "[setup][compute_node]")
{
    const GraphEntry model = entry();
    const auto outputs = computeNode(model, "-", requestFor(model, "s"), Job());
    REQUIRE(outputs.ok());
    REQUIRE(outputs->size() == 2);
    CHECK(!(*outputs)[0].value.ok());
    CHECK((*outputs)[1].value.ok());
    CHECK(computeNode(model, "-", requestFor(model, "n"), Job()).error().message.find("n: ") == 0);
}

} // namespace
} // namespace lapidary
