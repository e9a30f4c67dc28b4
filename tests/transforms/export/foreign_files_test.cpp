// SPDX-License-Identifier: Apache-2.0
// Files as other programs write them, which describe only their inputs, run by this program.
#include "graph_model/lift/lift_graph.h"
#include "graph_model/read/model_file.h"
#include "graph_model/tflite/tflite_model.h"
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/transforms/export/onnx_attributes.h"
#include "tests/transforms/export/run_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lapidary::foreign {
namespace {

using Dims = std::vector<std::int64_t>;
using Floats = std::vector<float>;

template <class T>
std::string bytesOf(const std::vector<T>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

OnnxAttribute body(std::string name, OnnxGraph graph)
{
    OnnxAttribute attribute{.name = std::move(name), .type = OnnxAttribute::Type::Graph};
    attribute.graph = std::make_shared<const OnnxGraph>(std::move(graph));
    return attribute;
}

OnnxNode node(std::string op, std::vector<std::string> inputs, std::string output,
              std::vector<OnnxAttribute> attributes = {})
{
    OnnxNode made{.op = std::move(op)};
    made.inputs = std::move(inputs);
    made.outputs = {std::move(output)};
    made.attributes = std::move(attributes);
    return made;
}

// Builds a file that computes y from x.
class Onnx {
public:
    explicit Onnx(Dims x)
    {
        m_model.graphName = "main";
        m_model.inputs.push_back({"x", DType::Float, std::move(x)});
        m_model.outputs.push_back({"y", DType::Invalid, {}, false});
    }

    Onnx& opset(std::int64_t version)
    {
        m_model.opset = version;
        return *this;
    }
    Onnx& ints(const std::string& name, Dims values)
    {
        const auto count = std::int64_t(values.size());
        return constant(name, DType::Int64, {count}, bytesOf(values));
    }
    Onnx& floats(const std::string& name, Dims dims, const Floats& values)
    {
        return constant(name, DType::Float, std::move(dims), bytesOf(values));
    }
    Onnx& add(OnnxNode made)
    {
        m_model.nodes.push_back(std::move(made));
        return *this;
    }

    std::string bytes() const
    {
        const auto encoded = encodeOnnx(m_model);
        REQUIRE(encoded);
        return *encoded->bytes();
    }

    RanFile run(const Floats& x) const
    {
        return runFile(bytes(), DType::Float, m_model.inputs[0].dims, x);
    }

private:
    Onnx& constant(const std::string& name, DType dtype, Dims dims, std::string bytes)
    {
        OnnxTensor tensor;
        tensor.name = name;
        tensor.dtype = dtype;
        tensor.dims = std::move(dims);
        tensor.bytes = ConstantBytes(std::move(bytes));
        m_model.initializers.push_back(std::move(tensor));
        return *this;
    }

    OnnxModel m_model;
};

void checkNear(const Floats& made, const Floats& wanted)
{
    REQUIRE(made.size() == wanted.size());
    for (std::size_t i = 0; i < made.size(); ++i)
        CHECK(std::abs(made[i] - wanted[i]) < 1e-5F);
}

} // namespace

TEST_CASE("Sizes between the nodes of a foreign file follow from its inputs", "[export][foreign]")
{
    Onnx file({2, 3});
    file.ints("axes", {0, 3}).add(node("Unsqueeze", {"x", "axes"}, "four"));
    file.add(node("Transpose", {"four"}, "turned")).add(node("Relu", {"turned"}, "kept"));
    file.ints("sizes", {0, -1}).add(node("Reshape", {"kept", "sizes"}, "y"));
    const auto made = file.run({1, 2, 3, 4, 5, 6});
    CHECK(made.dims == Dims{1, 6});
    CHECK(made.values == Floats{1, 4, 2, 5, 3, 6});
}

TEST_CASE("Sizes that a file computes are followed", "[export][foreign]")
{
    // x.reshape(x.shape[0], -1), and its last row, as PyTorch exports them.
    Onnx file({2, 2, 2});
    file.ints("zero", {0}).ints("rest", {-1}).ints("last", {-1});
    file.add(node("Shape", {"x"}, "shape")).add(node("Gather", {"shape", "zero"}, "first"));
    file.add(node("Concat", {"first", "rest"}, "sizes", {number("axis", 0)}));
    file.add(node("Reshape", {"x", "sizes"}, "flat"));
    file.add(node("Gather", {"flat", "last"}, "y", {number("axis", 0)}));
    const auto made = file.run({0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(made.dims == Dims{1, 4});
    CHECK(made.values == Floats{4, 5, 6, 7});
}

TEST_CASE("An old softmax is over all axes from its own on", "[export][foreign]")
{
    const auto softmax = [](std::int64_t opset) {
        Onnx file({1, 2, 2});
        return file.opset(opset).add(node("Softmax", {"x"}, "y", {number("axis", 1)}));
    };
    checkNear(softmax(11).run({0, 0, 0, 0}).values, Floats(4, 0.25F));
    checkNear(softmax(13).run({0, 0, 0, 0}).values, Floats(4, 0.5F));
}

TEST_CASE("A resize takes the element that ONNX' rounding says", "[export][foreign]")
{
    const auto resize = [](std::vector<OnnxAttribute> attributes) {
        Onnx file({1, 1, 1, 4});
        file.floats("scales", {4}, {1, 1, 1, 0.5F}).floats("roi", {0}, {});
        file.add(node("Resize", {"x", "roi", "scales"}, "y", std::move(attributes)));
        return file.run({1, 2, 3, 4}).values;
    };
    CHECK(resize({}) == Floats{1, 3});
    CHECK(resize({word("nearest_mode", "round_prefer_ceil")}) == Floats{2, 4});
    CHECK(resize({word("mode", "linear")}) == Floats{1.5F, 3.5F});
    CHECK(resize({word("coordinate_transformation_mode", "align_corners")}) == Floats{1, 4});
}

TEST_CASE("Parts of a split may differ, and the last may be smaller", "[export][foreign]")
{
    Onnx file({5});
    OnnxNode split = node("Split", {"x"}, "first", {number("num_outputs", 2)});
    split.outputs.emplace_back("y");
    CHECK(file.opset(18).add(std::move(split)).run({1, 2, 3, 4, 5}).values == Floats{4, 5});
}

TEST_CASE("A split of a size that only the run knows is made of that size", "[export][foreign]")
{
    const auto splitOf = [](std::int64_t opset, std::int64_t axis,
                            std::vector<OnnxAttribute> attributes) {
        Onnx file({4});
        file.opset(opset).ints("rows", {-1, 1});
        file.add(node("NonZero", {"x"}, "places")).add(node("Reshape", {"places", "rows"}, "all"));
        attributes.push_back(number("axis", axis));
        OnnxNode split = node("Split", {"all"}, "first", std::move(attributes));
        split.outputs.emplace_back("last");
        file.add(std::move(split));
        return file.add(node("Cast", {"last"}, "y", {number("to", 1)}));
    };
    CHECK(splitOf(13, 0, {}).run({1, 1, 1, 1}).values == Floats{2, 3});
    CHECK(splitOf(18, 0, {number("num_outputs", 2)}).run({1, 1, 0, 1}).values == Floats{3});
    CHECK(splitOf(18, -2, {number("num_outputs", 2)}).run({1, 1, 1, 1}).values == Floats{2, 3});
}

TEST_CASE("Layers over one axis are run", "[export][foreign]")
{
    Onnx conv({1, 1, 4});
    conv.floats("w", {1, 1, 2}, {1, -1});
    conv.add(node("Conv", {"x", "w"}, "y", {list("pads", {1, 0})}));
    const auto made = conv.run({1, 2, 4, 8});
    CHECK(made.dims == Dims{1, 1, 4});
    CHECK(made.values == Floats{-1, -1, -2, -4});

    Onnx back({1, 1, 2});
    back.floats("w", {1, 1, 2}, {1, 10});
    back.add(node("ConvTranspose", {"x", "w"}, "y",
                  {list("strides", {2}), list("pads", {1, 0}), list("output_padding", {1})}));
    CHECK(back.run({1, 2}).values == Floats{10, 2, 20, 0});
}

TEST_CASE("Pools round up, and skip elements", "[export][foreign]")
{
    Onnx mean({1, 1, 1, 5});
    mean.add(node("AveragePool", {"x"}, "y",
                  {list("kernel_shape", {1, 2}), list("strides", {1, 2}), number("ceil_mode", 1)}));
    CHECK(mean.run({1, 3, 5, 7, 9}).values == Floats{2, 6, 9});
    Onnx largest({1, 1, 1, 5});
    largest.add(
        node("MaxPool", {"x"}, "y", {list("kernel_shape", {1, 2}), list("dilations", {1, 3})}));
    CHECK(largest.run({9, 1, 2, 3, 4}).values == Floats{9, 4});
}

TEST_CASE("A convolution of each channel skips elements", "[export][foreign]")
{
    Onnx file({1, 2, 1, 5});
    file.floats("w", {2, 1, 1, 3}, {1, 10, 100, 1, 0, 0});
    file.add(node("Conv", {"x", "w"}, "y",
                  {number("group", 2), list("dilations", {1, 2}), list("pads", {0, 2, 0, 2})}));
    const auto made = file.run({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    CHECK(made.values == Floats{310, 420, 531, 42, 53, 0, 0, 6, 7, 8});
}

TEST_CASE("Places below 0 count from the end", "[export][foreign]")
{
    Onnx elements({2, 2});
    elements.ints("at", {-1, 0, 0, -2}).ints("sizes", {2, 2});
    elements.add(node("Reshape", {"at", "sizes"}, "places"));
    elements.add(node("GatherElements", {"x", "places"}, "y", {number("axis", 1)}));
    CHECK(elements.run({1, 2, 3, 4}).values == Floats{2, 1, 3, 3});
}

TEST_CASE("Sums are scattered as sums", "[export][foreign]")
{
    Onnx file({3});
    file.ints("at", {1, 1}).ints("sizes", {2, 1}).floats("added", {2}, {10, 100});
    file.add(node("Reshape", {"at", "sizes"}, "places"));
    file.add(node("ScatterND", {"x", "places", "added"}, "y", {word("reduction", "add")}));
    CHECK(file.run({1, 2, 3}).values == Floats{1, 112, 3});
}

TEST_CASE("A mask of one side of the diagonal keeps infinities out", "[export][foreign]")
{
    Onnx file({2, 2});
    file.ints("one", {1}).add(node("Trilu", {"x", "one"}, "y"));
    constexpr float low = -std::numeric_limits<float>::infinity();
    CHECK(file.run({low, low, low, low}).values == Floats{0, low, 0, 0});
}

TEST_CASE("The outputs of a scan's steps are stacked", "[export][foreign]")
{
    OnnxGraph step;
    step.graphName = "step";
    step.inputs = {{"sum", DType::Invalid, {}, false}, {"item", DType::Invalid, {}, false}};
    step.nodes = {node("Add", {"sum", "item"}, "next"), node("Identity", {"next"}, "given")};
    step.outputs = {{"next", DType::Invalid, {}, false}, {"given", DType::Invalid, {}, false}};
    Onnx file({3, 2});
    OnnxNode scan = node("Scan", {"zeros", "x"}, "last",
                         {number("num_scan_inputs", 1), body("body", std::move(step))});
    scan.outputs.emplace_back("y");
    const auto made =
        file.floats("zeros", {2}, {0, 0}).add(std::move(scan)).run({1, 2, 3, 4, 5, 6});
    CHECK(made.dims == Dims{3, 2});
    CHECK(made.values == Floats{1, 2, 4, 6, 9, 12});
}

TEST_CASE("The outputs of a loop's iterations are stacked", "[export][foreign]")
{
    OnnxGraph step;
    step.graphName = "step";
    step.inputs = {
        {"i", DType::Int64, {}}, {"goes", DType::Bool, {}}, {"sum", DType::Invalid, {}, false}};
    step.nodes = {node("Identity", {"goes"}, "goes_on"), node("Add", {"sum", "x"}, "next"),
                  node("Identity", {"next"}, "given")};
    step.outputs = {{"goes_on", DType::Bool, {}},
                    {"next", DType::Invalid, {}, false},
                    {"given", DType::Invalid, {}, false}};
    Onnx file({2});
    OnnxNode loop = node("Loop", {"turns", "", "zeros"}, "last", {body("body", std::move(step))});
    loop.outputs.emplace_back("y");
    file.ints("turns", {3}).floats("zeros", {2}, {0, 0}).add(std::move(loop));
    const auto made = file.run({1, 10});
    CHECK(made.dims == Dims{3, 2});
    CHECK(made.values == Floats{1, 10, 2, 20, 3, 30});
}

TEST_CASE("The body of a loop may take its numbers as lists, and may never run",
          "[export][foreign]")
{
    OnnxGraph step;
    step.graphName = "step";
    step.inputs = {
        {"i", DType::Int64, {1}}, {"goes", DType::Bool, {1}}, {"sum", DType::Float, {2}}};
    step.nodes = {node("Squeeze", {"i"}, "turn"), node("Gather", {"x", "turn"}, "item"),
                  node("Add", {"sum", "item"}, "next"), node("Identity", {"goes"}, "goes_on"),
                  node("Identity", {"next"}, "given")};
    step.outputs = {
        {"goes_on", DType::Bool, {1}}, {"next", DType::Float, {2}}, {"given", DType::Float, {2}}};
    const auto run = [&](std::int64_t turns) {
        Onnx file({3});
        OnnxNode loop = node("Loop", {"turns", "", "zeros"}, "last", {body("body", step)});
        loop.outputs.emplace_back("y");
        file.ints("turns", {turns}).floats("zeros", {2}, {0, 0}).add(std::move(loop));
        return file.run({1, 10, 100});
    };
    const auto made = run(3);
    CHECK(made.dims == Dims{3, 2});
    CHECK(made.values == Floats{1, 1, 11, 11, 111, 111});
    CHECK(run(0).dims == Dims{0, 2});
}

TEST_CASE("Operators of a file may come before the operators that they read", "[export][foreign]")
{
    Onnx file({2, 3});
    file.add(node("MatMul", {"x", "turned"}, "product"));
    file.add(node("ReduceSum", {"product"}, "y", {number("keepdims", 0)}));
    file.add(node("Transpose", {"x"}, "turned"));
    checkNear(file.run({1, 2, 3, 4, 5, 6}).values, {155});
}

TEST_CASE("A condition may be a list of one", "[export][foreign]")
{
    const auto side = [](std::string op) {
        OnnxGraph graph;
        graph.nodes = {node(std::move(op), {"x"}, "made")};
        graph.outputs = {{"made", DType::Invalid, {}, false}};
        return graph;
    };
    Onnx choice({1, 1});
    choice.floats("limit", {}, {5}).add(node("Greater", {"x", "limit"}, "isMore"));
    choice.add(node("If", {"isMore"}, "y",
                    {body("then_branch", side("Neg")), body("else_branch", side("Identity"))}));
    checkNear(choice.run({2}).values, {2});
    checkNear(choice.run({7}).values, {-7});

    OnnxGraph step;
    step.inputs = {
        {"i", DType::Int64, {}}, {"goes", DType::Bool, {}}, {"sum", DType::Invalid, {}, false}};
    step.nodes = {node("Add", {"sum", "sum"}, "next"), node("Less", {"next", "x"}, "goes_on")};
    step.outputs = {{"goes_on", DType::Bool, {}}, {"next", DType::Invalid, {}, false}};
    Onnx loop({1});
    loop.ints("turns", {9}).floats("one", {1}, {1});
    loop.add(node("Loop", {"turns", "", "one"}, "y", {body("body", std::move(step))}));
    checkNear(loop.run({6}).values, {8});
}

namespace {

// Adds a node of most ops to which files are lifted, with numbers that a file may have.
std::string hostile(const OnnxAttribute& attribute, std::int64_t number, const Dims& dims)
{
    constexpr std::array ops{"AveragePool",
                             "Conv",
                             "ConvTranspose",
                             "DepthToSpace",
                             "Flatten",
                             "Gather",
                             "MaxPool",
                             "GatherElements",
                             "GroupNormalization",
                             "Hardmax",
                             "LRN",
                             "OneHot",
                             "Pad",
                             "Reshape",
                             "Resize",
                             "Scan",
                             "Softmax",
                             "SpaceToDepth",
                             "Split",
                             "Squeeze",
                             "TopK",
                             "Trilu",
                             "Unsqueeze",
                             "Upsample",
                             "ConvInteger",
                             "Slice",
                             "ConstantOfShape",
                             "NonMaxSuppression",
                             "LSTM",
                             "Transpose",
                             "AffineGrid",
                             "CenterCropPad",
                             "Col2Im",
                             "CumProd",
                             "GatherND",
                             "GridSample",
                             "LpPool",
                             "MaxUnpool",
                             "ScatterElements",
                             "ScatterND",
                             "TensorScatter"};
    Onnx file(dims);
    file.ints("n", {number, 1, number, number}).floats("w", {2, 2, 1, 1}, {1, 2, 3, 4});
    for (const char* op : ops)
        for (const char* second : {"", "n", "w"})
            file.add(node(op, {"x", second, second, second}, "", {attribute}));
    OnnxNode places = node("MaxPool", {"x"}, "largest", {attribute, list("kernel_shape", {2, 2})});
    places.outputs.emplace_back("places");
    file.add(std::move(places));
    return file.opset(number < 0 ? 11 : 13).bytes();
}

void liftBytes(const std::string& bytes)
{
    const auto file = readModelBytes(bytes, "hostile", Job());
    if (!file)
        return;
    for (const GraphEntry& entry : file->graphs)
        CHECK(liftGraph(entry.graph, Job()));
}

} // namespace

TEST_CASE("No number in a foreign file does harm", "[export][foreign]")
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const Dims small{1, 4, 5, 5};
    for (const std::int64_t value : {-most - 1, std::int64_t(-1), std::int64_t(0), most})
        for (const char* name :
             {"axis", "axes", "pads", "strides", "dilations", "kernel_shape", "output_padding",
              "output_shape", "group", "blocksize", "size", "num_groups", "hidden_size",
              "num_scan_inputs", "ceil_mode", "scan_input_axes"})
            for (const Dims& dims : {small, Dims{}, Dims{most / 2, 4, most / 4, most}}) {
                liftBytes(hostile(number(name, value), value, dims));
                liftBytes(hostile(list(name, {value, 1}), value, dims));
                liftBytes(hostile(list(name, {1, value, value, 1}), value, dims));
            }
}

TEST_CASE("A foreign file may end anywhere and have any bit wrong", "[export][foreign]")
{
    Onnx file({1, 2, 4, 4});
    file.ints("axes", {0}).ints("sizes", {0, -1}).floats("w", {2, 2, 1, 1}, {1, 2, 3, 4});
    file.add(node("Conv", {"x", "w"}, "c")).add(node("Shape", {"c"}, "s"));
    file.add(node("Gather", {"s", "axes"}, "g")).add(node("Slice", {"c", "axes", "g"}, "d"));
    file.add(node("Resize", {"d", "", "", "s"}, "r", {word("mode", "linear")}));
    file.add(node("MaxPool", {"r"}, "m", {list("kernel_shape", {2, 2}), number("ceil_mode", 1)}));
    file.add(node("Reshape", {"m", "sizes"}, "y"));
    const std::string whole = file.bytes();
    for (std::size_t size = 0; size < whole.size(); ++size)
        liftBytes(whole.substr(0, size));
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
        std::string wrong = whole;
        wrong[bit / 8] = char(wrong[bit / 8] ^ (1 << bit % 8));
        liftBytes(wrong);
    }
}

} // namespace lapidary::foreign
