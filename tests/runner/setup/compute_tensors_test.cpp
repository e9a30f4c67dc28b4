// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"
#include "runner/setup/compute_tensors.h"
#include "tests/catch.h"
#include "tests/shared_data.h"

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

TensorRequest requestFor(const GraphEntry& model, const char* node)
{
    TensorRequest request;
    request.tensors = outputTensors(*model.graph, model.graph->find(node));
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

TEST_CASE("a run to a node takes the feeds that it depends on", "[setup][compute_tensors]")
{
    const GraphEntry model = entry();
    TensorRequest request = requestFor(model, "t");
    request.plan.shapes = {{"z", Shape{{3}, false}}};
    const RunPlan plan = planTo(*model.graph, request);
    CHECK(fedIn(plan) == std::vector<std::string>{"x"});
    CHECK(plan.shapes.empty());
    CHECK(plan.fetches == std::vector<std::string>{"t:0"});
    const auto outputs = computeTensors(model, "-", request, Job());
    REQUIRE(outputs.ok());
    REQUIRE(outputs->size() == 1);
    CHECK(outputs->front().value->as<float>()[0] == 0);
}

TEST_CASE("known values take the place of what they hide", "[setup][compute_tensors]")
{
    const GraphEntry model = entry();
    TensorRequest request = requestFor(model, "y");
    MemoryPool pool(1 << 20);
    Value value = Value::make(DType::Float, {3}, pool).value();
    std::ranges::fill(value.mutableAs<float>(), 5.0F);
    request.known = {{"t:0", value}, {"r:0", value}};
    CHECK(fedIn(planTo(*model.graph, request)) == std::vector<std::string>{"t:0", "z"});
    const auto outputs = computeTensors(model, "-", request, Job());
    REQUIRE(outputs.ok());
    CHECK(outputs->front().value->as<float>()[2] == 6);
}

TEST_CASE("a fed input is its own value", "[setup][compute_tensors]")
{
    const GraphEntry model = entry();
    const auto outputs = computeTensors(model, "-", requestFor(model, "x"), Job());
    REQUIRE(outputs.ok());
    CHECK(outputs->front().value->as<float>()[2] == 2);
}

TEST_CASE("an output without a value says so beside the one that has one",
          "[setup][compute_tensors]")
{
    const GraphEntry model = entry();
    const auto outputs = computeTensors(model, "-", requestFor(model, "s"), Job());
    REQUIRE(outputs.ok());
    REQUIRE(outputs->size() == 2);
    CHECK(!(*outputs)[0].value.ok());
    CHECK((*outputs)[1].value.ok());
    CHECK(!computeTensors(model, "-", requestFor(model, "n"), Job()).ok()); // it has no outputs
}

// While(i, a) from (0, x): five iterations of i + 1 and a * 2; twice(a) = a + a; If keeps the first
// value.
GraphEntry controlEntry()
{
    const auto file = readModel(sharedData() / "models/made/functional_control.pb", Job());
    REQUIRE(file.ok());
    return file->graphs.front();
}

TensorRequest inFunction(const char* function, const char* tensor)
{
    TensorRequest request;
    request.function = function;
    request.tensors = {tensor};
    request.plan.feeds = {{"x", WrittenFeed{"[[1, 2, 3, 4]]"}}};
    request.plan.shapes = {{"x", Shape{{1, 4}, false}}};
    return request;
}

TEST_CASE("a node of a function has the value of its last call", "[setup][compute_tensors]")
{
    const GraphEntry model = controlEntry();
    CHECK(callersOf(*model.graph, "Below") == std::vector<std::string>{"functional_while"});
    const auto less = computeTensors(model, "-", inFunction("Below", "Less:0"), Job());
    REQUIRE(less.ok());
    REQUIRE(less->front().value.ok());
    CHECK(!less->front().value->as<bool>()[0]); // the sixth iteration does not begin
    CHECK(less->front().times == 6);
    const auto none = computeTensors(model, "-", inFunction("Nobody", "Less:0"), Job());
    CHECK(none.error().message.find("does not call Nobody") != std::string::npos);
}

TEST_CASE("the callers of a function are found however deep calls are nested",
          "[setup][compute_tensors]")
{
    constexpr int depth = 200000;
    std::string text;
    const auto call = [](const char* name, int to) {
        return std::string(name) + " { name: 'c' op: 'f" + std::to_string(to) + "' }";
    };
    for (int i = 0; i < depth; ++i)
        text += "function { signature { name: 'f" + std::to_string(i) + "' } " +
                (i + 1 < depth ? call("node_def", i + 1) : std::string()) + " }\n";
    const auto file = readModelBytes(
        call("node", 0) + "\nnode { name: 'n' op: 'NoOp' }\nlibrary { " + text + " }", "deep.pbtxt",
        Job(), {.check = false});
    REQUIRE(file.ok());
    const Graph& graph = *file->graphs.front().graph;
    CHECK(callersOf(graph, "f" + std::to_string(depth - 1)) == std::vector<std::string>{"c"});
    CHECK(callersOf(graph, "f0") == std::vector<std::string>{"c"});
}

TEST_CASE("a branch that was not taken says so for the nodes of its function",
          "[setup][compute_tensors]")
{
    const GraphEntry model = controlEntry();
    const FunctionPtr function = model.graph->functions()->find("Else");
    REQUIRE(function != nullptr);
    TensorRequest request = inFunction("Else", "");
    for (const NodePtr& node : function->body->nodes())
        if (!isFunctionArgument(node->op()) && !isFunctionResult(node->op()))
            request.tensors = {std::string(node->name()) + ":0"};
    const auto outputs = computeTensors(model, "-", request, Job());
    REQUIRE(outputs.ok());
    CHECK(outputs->front().value.error().message.find("no call of Else") != std::string::npos);
}

TEST_CASE("a node in a loop has the value of its last turn", "[setup][compute_tensors]")
{
    const auto file = readModel(sharedData() / "models/made/loops.pb", Job());
    REQUIRE(file.ok());
    const GraphEntry& model = file->graphs.front();
    std::size_t inLoops = 0;
    for (std::uint32_t i = 0; i < model.graph->size(); ++i) {
        if (model.graph->node(NodeId{i}).op() != "NextIteration")
            continue;
        TensorRequest request;
        request.tensors = outputTensors(*model.graph, NodeId{i});
        request.plan.feeds = {{"x", WrittenFeed{"[[1, 2, 3, 4]]"}}};
        request.plan.shapes = {{"x", Shape{{1, 4}, false}}};
        const auto outputs = computeTensors(model, "-", request, Job());
        REQUIRE(outputs.ok());
        REQUIRE(outputs->front().value.ok());
        CHECK(outputs->front().times > 0);
        ++inLoops;
    }
    CHECK(inLoops > 0);
}

TEST_CASE("a value computed in a loop is not used for another run", "[setup][compute_tensors]")
{
    const auto file = readModel(sharedData() / "models/made/loops.pb", Job());
    REQUIRE(file.ok());
    const GraphEntry& model = file->graphs.front();
    TensorRequest request;
    request.plan.feeds = {{"x", WrittenFeed{"[[1, 2, 3, 4]]"}}};
    request.plan.shapes = {{"x", Shape{{1, 4}, false}}};
    const auto valueOf = [&](const char* tensor) {
        request.tensors = {tensor};
        const auto outputs = computeTensors(model, "-", request, Job());
        INFO((outputs ? std::string() : outputs.error().message));
        REQUIRE(outputs.ok());
        REQUIRE(outputs->front().value.ok());
        return *outputs->front().value;
    };
    const Value wanted = valueOf("rows/rows:0");
    // The exit of the inner loop is inside the outer loop.
    request.known = {{"outer/inner/Exit_1:0", valueOf("outer/inner/Exit_1:0")}};
    CHECK(valueOf("rows/rows:0").bytes() == wanted.bytes());
    request.tensors = {"rows/rows:0"};
    CHECK(fedIn(planTo(*model.graph, request)) == std::vector<std::string>{"x"});
    // The exit of the outer loop is outside of both. The loop's writes to an array are not in its
    // flow.
    request.known = {{"outer/Exit_1:0", valueOf("outer/Exit_1:0")}};
    request.tensors = {"out:0"};
    CHECK(fedIn(planTo(*model.graph, request)) == std::vector<std::string>{"outer/Exit_1:0"});
    request.known = {{"outer/Exit_2:0", valueOf("outer/Exit_2:0")}};
    request.tensors = {"rows/rows:0"};
    CHECK(valueOf("rows/rows:0").bytes() == wanted.bytes());
}

TEST_CASE("a variable with a known value is still assigned", "[setup][compute_tensors]")
{
    const auto file = readModelBytes(R"(
node { name: "one" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 1 tensor_shape { } } } } }
node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { } } } }
node { name: "a" op: "Assign" input: "v" input: "one" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "validate_shape" value { b: true } } }
)",
                                     "net.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    MemoryPool pool(1 << 20);
    Value zero = Value::make(DType::Float, {}, pool).value();
    zero.mutableAs<float>()[0] = 0;
    const auto outputs =
        computeTensors(file->graphs.front(), "-",
                       {.tensors = {"a:0"}, .plan = {}, .known = {{"v:0", zero}}}, Job());
    REQUIRE(outputs.ok());
    REQUIRE(outputs->front().value.ok());
    CHECK(outputs->front().value->as<float>()[0] == 1);
}

TEST_CASE("values that nodes compute for others are their results", "[setup][compute_tensors]")
{
    const GraphEntry model = entry();
    const auto nodes = [&](std::initializer_list<const char*> names) {
        std::vector<NodeId> ids;
        for (const char* name : names)
            ids.push_back(model.graph->find(name));
        std::ranges::sort(ids);
        return ids;
    };
    CHECK(resultTensors(*model.graph, nodes({"r", "t"})) == std::vector<std::string>{"t:0"});
    CHECK(resultTensors(*model.graph, nodes({"y", "c"})) == std::vector<std::string>{"y:0"});
    CHECK(resultTensors(*model.graph, nodes({"c"})) == std::vector<std::string>{"c:0"});
    CHECK(resultTensors(*model.graph, nodes({"n"})).empty());
}

} // namespace
} // namespace lapidary
