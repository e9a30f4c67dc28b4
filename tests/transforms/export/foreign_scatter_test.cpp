// SPDX-License-Identifier: Apache-2.0
// Operators of ONNX that read or write by index, with the results of the reference implementation.
#include "tests/transforms/export/one_operator.h"

#include <numeric>

namespace lapidary::foreign_scatter {
namespace {

using foreign::checkValues;
using foreign::Dims;
using foreign::Floats;
using foreign::list;
using foreign::number;
using foreign::OneOperator;
using foreign::word;

Floats counted(std::size_t count)
{
    Floats all(count);
    std::iota(all.begin(), all.end(), 1.0F);
    return all;
}

} // namespace

TEST_CASE("Updates of one position are combined as the operator says", "[export][foreign]")
{
    const auto elements = [](const char* reduction) {
        OneOperator made("ScatterElements", {4}, {word("reduction", reduction)});
        made.longs({3}, {1, 1, -1}).floats({3}, {5, 0.5F, 3});
        return made.run({1, 2, 3, 4});
    };
    checkValues(elements("max"), {4}, {1, 5, 3, 4});
    checkValues(elements("min"), {4}, {1, 0.5F, 3, 3});
    checkValues(elements("mul"), {4}, {1, 5, 3, 12});
    const auto rows = [](const char* reduction) {
        OneOperator made("ScatterND", {2, 2, 2}, {word("reduction", reduction)});
        made.longs({2, 1}, {-1, -1}).floats({2, 2, 2}, {9, 0, 9, 0, 0, 9, 2, 2});
        return made.run({1, 2, 3, 4, 5, 6, 7, 8});
    };
    checkValues(rows("max"), {2, 2, 2}, {1, 2, 3, 4, 9, 9, 9, 8});
    checkValues(rows("add"), {2, 2, 2}, {1, 2, 3, 4, 14, 15, 18, 10});
}

TEST_CASE("Places may be told for each row of a batch", "[export][foreign]")
{
    OneOperator gather("GatherND", {2, 3}, {number("batch_dims", 1)});
    gather.longs({2, 1}, {2, -3});
    checkValues(gather.run({1, 2, 3, 4, 5, 6}), {2}, {3, 4});
    OneOperator cache("TensorScatter", {2, 1, 3, 1}, {word("mode", "circular")});
    cache.floats({2, 1, 2, 1}, {7, 8, 9, 10}).longs({2}, {0, 2});
    checkValues(cache.run({1, 2, 3, 4, 5, 6}), {2, 1, 3, 1}, {7, 8, 3, 10, 5, 9});
}

TEST_CASE("A cache whose rows would need too many constants is refused", "[export][foreign]")
{
    constexpr std::int64_t many = 1 << 21; // two axes of this size are the most that it may have
    OneOperator cache("Identity", {many, many, 1});
    cache.outputs({"copy"}).then("TensorScatter", "x", "y", {}, "x");
    CHECK(cache.obstacle("y").find("TensorScatter") != std::string::npos);
}

TEST_CASE("Pools may leave elements out, over any number of axes", "[export][foreign]")
{
    OneOperator mean(
        "AveragePool", {1, 1, 3, 3},
        {list("kernel_shape", {2, 2}), list("dilations", {2, 2}), list("pads", {1, 0, 0, 0})});
    // Two rows of indices; the first reads the border above.
    checkValues(mean.run(counted(9)), {1, 1, 2, 1}, {5, 5});
    OneOperator largest("MaxPool", {1, 1, 3, 1, 3},
                        {list("kernel_shape", {2, 1, 2}), list("dilations", {2, 1, 1})});
    checkValues(largest.run(counted(9)), {1, 1, 1, 1, 2}, {8, 9});
    OneOperator power("LpPool", {1, 1, 4},
                      {list("kernel_shape", {2}), word("auto_pad", "SAME_UPPER")});
    checkValues(power.run({3, 4, 0, 5}), {1, 1, 4}, {5, 4, 5, 5});
}

TEST_CASE("A pool tells where the largest lie, and is undone by them", "[export][foreign]")
{
    const auto places = [](std::int64_t order) {
        OneOperator pool("MaxPool", {1, 2, 2, 3},
                         {list("kernel_shape", {2, 2}), number("storage_order", order)});
        pool.outputs({"values", "places"});
        pool.then("Cast", "places", "y", {number("to", 1)});
        return pool.run({1, 9, 3, 4, 5, 6, 7, 1, 1, 1, 1, 8});
    };
    checkValues(places(0), {1, 2, 1, 2}, {1, 1, 6, 11});
    checkValues(places(1), {1, 2, 1, 2}, {2, 2, 6, 11});
    OneOperator unpool("MaxUnpool", {1, 1, 2, 2},
                       {list("kernel_shape", {2, 2}), list("strides", {2, 2})});
    unpool.longs({1, 1, 2, 2}, {5, 7, 13, 15});
    checkValues(unpool.run({1, 2, 3, 4}), {1, 1, 4, 4},
                {0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4});
}

TEST_CASE("GridSample reads between 16 elements, and in blocks", "[export][foreign]")
{
    OneOperator cubic(
        "GridSample", {1, 1, 4, 4},
        {word("mode", "cubic"), word("padding_mode", "border"), number("align_corners", 1)});
    cubic.floats({1, 1, 2, 2}, {0, 0, -1, 1.0F / 3});
    // The middle of evenly increasing numbers, and an element of the third row.
    checkValues(cubic.run(counted(16)), {1, 1, 1, 2}, {8.5F, 9});
    OneOperator block("GridSample", {1, 1, 2, 2, 2}, {number("align_corners", 1)});
    block.floats({1, 1, 1, 2, 3}, {0, 0, 0, 1, -1, 1}); // x, y, z
    checkValues(block.run(counted(8)), {1, 1, 1, 1, 2}, {4.5F, 6});
}

TEST_CASE("Patches are added where they lie", "[export][foreign]")
{
    OneOperator together("Col2Im", {1, 2, 3}, {list("pads", {0, 1, 0, 0})});
    together.longs({2}, {1, 3}).longs({2}, {1, 2});
    checkValues(together.run({1, 2, 3, 10, 20, 30}), {1, 1, 1, 3}, {12, 23, 30});
}

TEST_CASE("Grids, middles and running products", "[export][foreign]")
{
    OneOperator grid("AffineGrid", {1, 2, 3});
    grid.longs({4}, {1, 1, 1, 2});
    checkValues(grid.run({1, 0, 5, 0, 1, 7}), {1, 1, 2, 2}, {4.5F, 7, 5.5F, 7});
    OneOperator middle("CenterCropPad", {1, 4}, {list("axes", {0, -1})});
    middle.longs({2}, {3, 1});
    checkValues(middle.run({1, 2, 3, 4}), {3, 1}, {0, 2, 0});
    OneOperator product("CumProd", {3}, {number("reverse", 1), number("exclusive", 1)});
    product.longs({}, {0});
    checkValues(product.run({2, 3, 4}), {3}, {12, 4, 1});
    OneOperator round("Pad", {3}, {word("mode", "wrap")});
    round.longs({2}, {1, 2});
    checkValues(round.run({1, 2, 3}), {6}, {3, 1, 2, 3, 1, 2});
    OneOperator transposed("ConvTranspose", {1, 1, 2}, {list("dilations", {2})});
    transposed.floats({1, 1, 2}, {1, 10});
    checkValues(transposed.run({1, 2}), {1, 1, 4}, {1, 2, 10, 20});
}

TEST_CASE("Numbers without a sign are compared and added as such", "[export][foreign]")
{
    constexpr std::int64_t wide = 13; // uint64
    OneOperator less("Cast", {2}, {number("to", wide)});
    less.outputs({"large"});
    less.then("Sub", "large", "wrapped", {}, "large"); // 0
    less.then("BitwiseNot", "wrapped", "most", {});
    less.then("Greater", "most", "isMore", {}, "large");
    less.then("Cast", "isMore", "y", {number("to", 1)});
    checkValues(less.run({1, 2}), {2}, {1, 1});
    OneOperator sum("Cast", {2}, {number("to", 12)}); // uint32
    sum.outputs({"a"});
    sum.then("Add", "a", "b", {}, "a");
    sum.then("Cast", "b", "y", {number("to", 1)});
    checkValues(sum.run({3e9F, 2}), {2}, {1705032704.0F, 4});
}

TEST_CASE("A comparison of three numbers without a sign becomes one node", "[export][foreign]")
{
    OnnxModel model;
    model.graphName = "main";
    model.inputs.push_back({"x", DType::UInt16, {2}});
    model.outputs.push_back({"y", DType::Invalid, {}, false});
    OnnxNode node{.op = "Equal"};
    node.inputs = {"x", "x", "x"};
    node.outputs = {"y"};
    model.nodes.push_back(std::move(node));
    const auto encoded = encodeOnnx(model);
    REQUIRE(encoded);
    const auto file = readModelBytes(*encoded->bytes(), "made", Job());
    REQUIRE(file);
    const auto lifted = liftGraph(file->graphs[0].graph, Job());
    REQUIRE(lifted);
    CHECK(std::ranges::count((*lifted)->nodes(), "y",
                             [](const NodePtr& made) { return made->name(); }) == 1);
}

TEST_CASE("Operators whose sizes a run is told are lifted by them", "[export][foreign]")
{
    OneOperator resize("Resize", {1, 1, -1, -1}, {word("mode", "nearest")});
    resize.floats({0}, {}).floats({4}, {1, 1, 1.5F, 1.5F});
    CHECK(resize.canRun({1, 1, 4, 6}));
    CHECK_FALSE(resize.canRun({1, 1, -1, -1}));
}

} // namespace lapidary::foreign_scatter
