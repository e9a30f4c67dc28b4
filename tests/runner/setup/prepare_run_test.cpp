// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/dialect.h"
#include "graph_model/read/model_file.h"
#include "runner/profile/profile_sums.h"
#include "runner/setup/model_interface.h"
#include "runner/setup/prepare_run.h"
#include "runner/setup/profile_run.h"
#include "runner/setup/run_obstacle.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <algorithm>

namespace lapidary {
namespace {

// z = NoSuchOp(y), y = x + d; x is [batch, width], d has a default.
const std::string sums = R"(
node { name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: WIDTH } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 10 } } } }
node { name: "d" op: "PlaceholderWithDefault" input: "w"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { unknown_rank: true } } } }
node { name: "y" op: "Add" input: "x" input: "d" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "z" op: "NoSuchOp" input: "y" }
)";

GraphEntry entryOf(const std::string& width)
{
    std::string text = sums;
    text.replace(text.find("WIDTH"), 5, width);
    const auto file = readModelBytes(text, "sums.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    REQUIRE_FALSE(file->graphs.empty());
    return file->graphs.front();
}

std::vector<float> sumsOf(const RunPlan& plan)
{
    auto prepared = prepareRun(entryOf("2"), "-", plan, Job());
    if (!prepared)
        FAIL(prepared.error().message);
    const auto answer = prepared->session.run(prepared->request, Job());
    if (!answer)
        FAIL(answer.error().message);
    const auto numbers = answer->front().as<float>();
    return {numbers.begin(), numbers.end()};
}

Error errorOf(const RunPlan& plan, const std::string& width = "2")
{
    const auto prepared = prepareRun(entryOf(width), "-", plan, Job());
    REQUIRE_FALSE(prepared.ok());
    CHECK(prepared.error().message.find("--") == std::string::npos);
    return prepared.error();
}

// A dropout of x: x / keep * floor(keep + random).
const std::string dropout = R"(
node { name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } } }
node { name: "p" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "sizes" op: "Shape" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "r" op: "RandomUniform" input: "sizes"
  attr { key: "T" value { type: DT_INT32 } } attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "sum" op: "Add" input: "p" input: "r" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "mask" op: "Floor" input: "sum" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "div" op: "RealDiv" input: "x" input: "p" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Mul" input: "div" input: "mask" attr { key: "T" value { type: DT_FLOAT } } }
)";

TEST_CASE("the purpose of an input is found through any number of copies", "[setup]")
{
    constexpr int copies = 100'000; // too deep for a recursive walk
    std::string text = "x = Placeholder()\ni0 = Identity(x)\n";
    for (int i = 1; i < copies; ++i)
        text += "i" + std::to_string(i) + " = Identity(i" + std::to_string(i - 1) + ")\n";
    const std::string last = "i" + std::to_string(copies - 1);
    const Shape one;
    const GraphPtr plain = graph(text);
    CHECK(inputUse(*plain, {"x:0", DType::String, one}) == InputUse::Plain);
    CHECK(inputUse(*plain, {"x:0", DType::Float, one}) == InputUse::Plain);
    const GraphPtr parsed = graph(text + "y = DecodeJpeg(" + last + ")\n");
    CHECK(inputUse(*parsed, {"x:0", DType::String, one}) == InputUse::Decoded);
    const GraphPtr steering = graph(text + "y = Enter(" + last + ")\n");
    CHECK(inputUse(*steering, {"x:0", DType::Float, one}) == InputUse::SteersLoop);
}

TEST_CASE("a dropout whose rate is not set keeps everything", "[setup]")
{
    const auto file = readModelBytes(dropout, "dropout.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    RunPlan plan;
    plan.fetches = {"y"};
    plan.feeds = {{"x", ConstantFeed{3}}};
    auto prepared = prepareRun(file->graphs.front(), "-", plan, Job());
    if (!prepared)
        FAIL(prepared.error().message);
    const auto source = std::ranges::find(prepared->sources, "p:0",
                                          [](const auto& from) { return from.target.tensor; });
    REQUIRE(source != prepared->sources.end());
    CHECK(source->setting == "how much a dropout keeps");
    const auto answer = prepared->session.run(prepared->request, Job());
    REQUIRE(answer.ok());
    CHECK(std::ranges::all_of(answer->front().as<float>(), [](float y) { return y == 3; }));

    plan.feeds.push_back({"p", WrittenFeed{"0.5"}});
    prepared = prepareRun(file->graphs.front(), "-", plan, Job());
    if (!prepared)
        FAIL(prepared.error().message);
    CHECK(std::ranges::none_of(prepared->sources,
                               [](const auto& from) { return !from.setting.empty(); }));
}

TEST_CASE("inputs that a plan names are fed as the likely ones are", "[setup]")
{
    const auto file = readModelBytes(dropout, "dropout.pbtxt", Job(), {.check = false});
    REQUIRE(file.ok());
    RunPlan plan;
    plan.fetches = {"y"};
    plan.inputs = {"p", "x", "sum"};
    plan.otherInputs = RandomFeed{};
    plan.shapes = {{"sum", Shape{{1, 2}, false}}};
    const auto prepared = prepareRun(file->graphs.front(), "-", plan, Job());
    if (!prepared)
        FAIL(prepared.error().message);
    REQUIRE(prepared->sources.size() == 3);
    for (const auto& source : prepared->sources)
        CHECK(source.setting.empty() == (source.target.tensor != "p:0"));
    plan.inputs = {"q"};
    const auto missing = prepareRun(file->graphs.front(), "-", plan, Job());
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().message == "the input q:0: no node is named q");
}

TEST_CASE("a plan feeds by typed sources", "[setup]")
{
    RunPlan plan;
    plan.fetches = {"y"};
    plan.feeds = {{"x", ConstantFeed{1}}};
    CHECK(sumsOf(plan) == std::vector<float>{11, 11});
    plan.feeds.push_back({"x:0", ConstantFeed{2}}); // the later source counts
    CHECK(sumsOf(plan) == std::vector<float>{12, 12});
    plan.shapes = {{"x", Shape{{2, 2}, false}}};
    CHECK(sumsOf(plan).size() == 4);
    plan.feeds.push_back({"d", ConstantFeed{0.5}}); // fed only if named
    plan.shapes.emplace_back("d", Shape{{}, false});
    CHECK(sumsOf(plan) == std::vector<float>{2.5, 2.5, 2.5, 2.5});
    MemoryPool pool(1 << 20);
    Value value = Value::make(DType::Float, {1, 2}, pool).value();
    std::ranges::copy(std::vector<float>{3, 4}, value.mutableAs<float>().begin());
    plan = {};
    plan.fetches = {"y:0"};
    plan.feeds = {{"x", value}};
    CHECK(sumsOf(plan) == std::vector<float>{13, 14});
    plan.feeds = {{"x", RandomFeed{.seed = 3, .range = SeededRange{5, 5}}}};
    CHECK(sumsOf(plan) == std::vector<float>{15, 15});
}

TEST_CASE("an input before the fed tensors needs no size", "[setup]")
{
    RunPlan plan;
    plan.fetches = {"y"};
    CHECK(!prepareRun(entryOf("-1"), "-", plan, Job()).ok()); // x has no width
    plan.fetches = {"w"};
    plan.feeds = {{"d:0", WrittenFeed{"[3]"}}};
    plan.shapes = {{"d", Shape{{1}, false}}};
    CHECK(prepareRun(entryOf("-1"), "-", plan, Job()).ok());
    plan.fetches = {"y"};
    CHECK(!prepareRun(entryOf("-1"), "-", plan, Job()).ok()); // y still needs it
}

TEST_CASE("an input that nothing asks for needs no size", "[setup]")
{
    const std::string text = R"(
node { name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } } }
node { name: "label" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { unknown_rank: true } } } }
node { name: "y" op: "Softmax" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "far" op: "Sub" input: "y" input: "label"
  attr { key: "T" value { type: DT_FLOAT } } })";
    const auto file = readModelBytes(text, "labeled.pbtxt", Job(), {.check = false});
    REQUIRE(file);
    const auto run = [&](const std::string& fetch) {
        const auto prepared = prepareRun(file->graphs.front(), "-", {.fetches = {fetch}}, Job());
        return prepared ? "" : prepared.error().message;
    };
    CHECK(run("y:0").empty());
    CHECK(run("far:0").find("input 'label:0' takes float of any shape") != std::string::npos);
}

TEST_CASE("a plan's errors carry reasons and name no flags", "[setup]")
{
    RunPlan plan;
    plan.fetches = {"y"};
    plan.feeds = {{"x", RandomFeed{}}};
    const Error size = errorOf(plan, "-1");
    CHECK(size.reason == ErrorReason::MissingSize);
    CHECK(size.subject == "x:0");

    plan.session.backEnd = "abacus";
    CHECK(errorOf(plan).reason == ErrorReason::BackEnd);
    plan.session.backEnd.clear();
    plan.session.memoryLimit = 4;
    CHECK(errorOf(plan).reason == ErrorReason::MemoryLimit);
    plan.session.memoryLimit = 1 << 20;

    plan.fetches = {"z"};
    const Error kernel = errorOf(plan);
    CHECK(kernel.reason == ErrorReason::MissingKernel);
    CHECK(kernel.subject == "NoSuchOp");
    plan.reportsMissing = true;
    const auto reported = prepareRun(entryOf("2"), "-", plan, Job());
    REQUIRE(reported.ok());
    CHECK(reported->missing.size() == 1);

    plan.fetches = {"y"};
    plan.feeds = {{"q", RandomFeed{}}};
    CHECK(errorOf(plan).message.find("no node is named q") != std::string::npos);
    plan.feeds.clear();
    plan.shapes = {{"q", Shape{}}};
    CHECK(errorOf(plan).message.find("q:0") != std::string::npos);
}

TEST_CASE("a value that the caller gives later, and a placeholder without one", "[setup]")
{
    RunPlan plan;
    plan.otherInputs.reset();
    plan.fetches = {"y"};
    auto unfed = prepareRun(entryOf("2"), "-", plan, Job());
    REQUIRE(unfed.ok());
    CHECK(unfed->request.feeds.empty());
    const auto answer = unfed->session.run(unfed->request, Job());
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.error().reason == ErrorReason::MissingFeed);
    CHECK(answer.error().subject == "x:0");

    plan.feeds = {{"x", FedLater{}}};
    const auto later = prepareRun(entryOf("2"), "-", plan, Job());
    REQUIRE(later.ok());
    REQUIRE(later->request.feeds.size() == 1);
    CHECK_FALSE(later->request.feeds[0].second.isSet());
}

TEST_CASE("a profile without outputs says why", "[setup]")
{
    const auto profile = profileRun(entryOf("2"), "-", {}, {}, Job());
    REQUIRE_FALSE(profile.ok());
    CHECK(profile.error().reason == ErrorReason::NoOutputs);
}

TEST_CASE("a profile of another format's graph has a row for each of its operators", "[setup]")
{
    GraphEntry entry;
    Graph::Parts parts;
    const GraphPtr made = typed(graph(R"(x = Placeholder()
        w = Placeholder()
        c = Placeholder()
        net/y = Gemm(x, w, c)
        z = Relu(net/y))"));
    parts.nodes.assign(made->nodes().begin(), made->nodes().end());
    parts.unknownFields = dialectField(Dialect::Onnx);
    entry.graph = Graph::make(std::move(parts));
    InterfaceChoice choice;
    for (const auto& [name, dims] : std::vector<std::pair<std::string, std::vector<std::int64_t>>>{
             {"x:0", {2, 3}}, {"w:0", {3, 4}}, {"c:0", {4}}})
        choice.inputs.push_back(
            {.tensor = name, .dtype = DType::Float, .shape = Shape{dims, false}});
    choice.outputs.push_back({.tensor = "z:0"});
    const auto profile = profileRun(entry, "-", choice, {.mostRuns = 3, .mostSeconds = 60}, Job());
    INFO((profile.ok() ? "" : profile.error().message));
    REQUIRE(profile.ok());
    std::vector<std::string> rows;
    for (const ProfiledNode& node : (*profile)->nodes)
        rows.push_back(node.op + " " + node.name);
    std::ranges::sort(rows);
    CHECK(rows == std::vector<std::string>{"Gemm net/y", "Relu z"});
    const auto gemm = std::ranges::find((*profile)->nodes, "net/y", &ProfiledNode::name) -
                      (*profile)->nodes.begin();
    const ProfiledNode& node = (*profile)->nodes[std::size_t(gemm)];
    CHECK(node.flops == 2 * 2 * 3 * 4); // of the product, which is a node before it
    CHECK(node.bytes == 2 * 4 * sizeof(float));
    CHECK(node.calls == 1);
    CHECK(std::ranges::count((*profile)->slices, std::uint32_t(gemm), &ProfiledSlice::row) > 1);
    REQUIRE((node.least && node.most));
    CHECK(*node.least * 3 <= node.nanoseconds);
    CHECK(*node.most * 3 >= node.nanoseconds);

    const auto tree = buildScopeTree(entry.graph, {}, Job());
    REQUIRE(tree.ok());
    const auto sums = ProfileSums::make(*profile, *entry.graph, *tree, {}, Job());
    REQUIRE(sums.ok());
    CHECK((*sums)->unmatched() == 0);
}

TEST_CASE("the signature of the loader is not an interface", "[setup]")
{
    GraphEntry entry = entryOf("2");
    entry.signatures = {{.name = "__saved_model_init_op",
                         .method = {},
                         .inputs = {},
                         .outputs = {{.key = "__saved_model_init_op", .tensor = "NoOp"}}}};
    const auto found = modelInterface(entry, {});
    REQUIRE(found.ok());
    CHECK(std::ranges::count(found->outputs, "NoOp:0") == 0);
    REQUIRE_FALSE(found->inputs.empty());
    CHECK(found->inputs[0].tensor == "x:0");
}

// A training script that names copies of the tensors that its network reads from a pipeline.
TEST_CASE("a tensor that a signature names but the graph lacks is replaced, and that is said",
          "[setup]")
{
    const auto file = readModelBytes(R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "inputs" op: "Identity" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } })",
                                     "copies.pbtxt", Job());
    REQUIRE(file.ok());
    GraphEntry entry = file->graphs.front();
    entry.signatures = {{.name = "split",
                         .method = {},
                         .inputs = {{.key = "inputs", .tensor = "inputs:0"}},
                         .outputs = {{.key = "y", .tensor = "y:0"}}}};
    for (const std::string signature : {"", "split"}) {
        const auto found = modelInterface(entry, signature);
        REQUIRE(found.ok());
        REQUIRE(found->inputs.size() == 1);
        CHECK(found->inputs[0].tensor == "x:0");
        CHECK(found->outputs == std::vector<std::string>{"y:0"});
        CHECK(found->vainInputs == std::vector<std::string>{"inputs:0"});
    }
    const auto prepared = prepareRun(entry, "-", {}, Job());
    REQUIRE(prepared.ok());
    CHECK(prepared->vainInputs ==
          "no output depends on the inputs of the signature (inputs:0); fed in their place: x:0");
    REQUIRE(prepared->request.feeds.size() == 1);

    entry.signatures[0].inputs[0].tensor = "x:0";
    const auto led = prepareRun(entry, "-", {}, Job());
    REQUIRE(led.ok());
    CHECK(led->vainInputs.empty());
}

TEST_CASE("likely inputs before ops without a kernel are named", "[setup]")
{
    const auto file = readModelBytes(R"(
node { name: "names" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "pipeline" op: "NoSuchDataset" }
node { name: "next" op: "IteratorGetNext" input: "pipeline"
       attr { key: "output_types" value { list { type: DT_FLOAT } } }
       attr { key: "output_shapes" value { list { shape { dim { size: 2 } } } } } }
node { name: "y" op: "Mul" input: "names" input: "next"
       attr { key: "T" value { type: DT_FLOAT } } })",
                                     "pipeline.pbtxt", Job());
    REQUIRE(file.ok());
    GraphEntry entry = file->graphs.front();
    entry.signatures = {{.name = "serving_default",
                         .method = {},
                         .inputs = {{.key = "names", .tensor = "names:0"}},
                         .outputs = {{.key = "y", .tensor = "y:0"}}}};
    const auto refused = prepareRun(entry, "-", {}, Job());
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find(", and none is missing with next:0 fed, too") !=
          std::string::npos);
    RunPlan plan;
    plan.inputs = {"next:0"};
    CHECK(prepareRun(entry, "-", plan, Job()).ok());
    const Error lacking = errorOf({});
    CHECK(lacking.message.find("none is missing") == std::string::npos); // nothing helps
}

} // namespace
TEST_CASE("the missing parts are named: ops, and constants whose weights are in other files",
          "[setup]")
{
    CHECK(missingText({{"NoSuchOp", {"y", "z"}}, {"Other", {"a"}}}) ==
          "no kernel for NoSuchOp (y, z); Other (a)");
    CHECK(missingText({{"ONNX.Const", {"w", "b"}}}) ==
          "no values of w, b, which are not in the file");
    CHECK(missingText({{"ONNX.Const", {"w"}}, {"ONNX.Own", {"y"}}}) ==
          "no kernel for ONNX.Own (y); no values of w, which are not in the file");
}

} // namespace lapidary
