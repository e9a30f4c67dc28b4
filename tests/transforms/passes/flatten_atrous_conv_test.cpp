// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/edited_graphs.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {
namespace {

GraphBuilder atrous()
{
    GraphBuilder builder;
    builder.floats("input_op", {1, 3, 3, 2}, {.1F, .4F, .2F, .5F, .3F, .6F})
        .ints("block_shape_op", {2}, {2, 2})
        .ints("paddings_op", {2, 2}, {1, 2, 1, 2})
        .node("space_to_batch_op", "SpaceToBatchND", {"input_op", "block_shape_op", "paddings_op"})
        .floats("weights_op", {2, 2, 2, 1}, {.1F, .2F, .3F, .4F, .1F, .2F, .3F, .4F})
        .node("conv_op", "Conv2D", {"space_to_batch_op", "weights_op"}, valid)
        .ints("crops_op", {2, 2}, {0, 1, 0, 1})
        .node("output", "BatchToSpaceND", {"conv_op", "block_shape_op", "crops_op"})
        .node("init", "NoOp");
    return builder;
}

} // namespace

TEST_CASE("a flattened convolution waits for what its nodes waited for", "[passes]")
{
    for (const char* node : {"space_to_batch_op", "conv_op", "output", "weights_op"}) {
        INFO(node);
        const GraphPtr before = waiting(atrous().build(), node, "init");
        const GraphPtr after =
            checkedPass("flatten_atrous_conv", before, {"SpaceToBatchND", "BatchToSpaceND"}, 1e-6);
        const std::string waits = inputsOf(after, "output") + ", " + inputsOf(after, "weights_op");
        CHECK(waits.find("^init") != std::string::npos);
    }
}

TEST_CASE("a filter that is needed elsewhere stays beside the flattened one", "[passes]")
{
    const GraphPtr read = atrous().node("other", "Neg", {"weights_op"}).build();
    const GraphPtr after = passed("flatten_atrous_conv", read, {}, {"output", "other"});
    CHECK(inputsOf(after, "output") == "input_op, weights_op_flat");
    CHECK(inputsOf(after, "other") == "weights_op");
    CHECK(computesOther(read, after, {"output", "other"}) == "");
    const GraphPtr asked = atrous().floats("weights_op_flat", {1}, {1}).build();
    const GraphPtr kept = passed("flatten_atrous_conv", asked, {}, {"output", "weights_op:0"});
    CHECK(inputsOf(kept, "output") == "input_op, weights_op_flat_1");
    CHECK(computesOther(asked, kept, {"output", "weights_op"}) == "");
    // A node that only waits for it does not read it.
    const GraphPtr waited = waiting(atrous().build(), "init", "weights_op");
    CHECK(inputsOf(passed("flatten_atrous_conv", waited, {}, {"output"}), "output") ==
          "input_op, weights_op");
}

TEST_CASE("a convolution between SpaceToBatchND and BatchToSpaceND", "[passes]")
{
    for (const char* op : {"Conv2D", "DepthwiseConv2dNative"}) {
        INFO(op);
        const GraphPtr before =
            GraphBuilder()
                .floats("input_op", {1, 3, 3, 2},
                        {.1F, .4F, .2F, .5F, .3F, .6F, -1, -.4F, -.2F, -.5F, -.3F, -.6F, .1F, .4F,
                         .2F, .5F, .3F, .6F})
                .ints("block_shape_op", {2}, {2, 2})
                .ints("paddings_op", {2, 2}, {1, 2, 1, 2})
                .node("space_to_batch_op", "SpaceToBatchND",
                      {"input_op", "block_shape_op", "paddings_op"})
                .floats("weights_op", {2, 2, 2, 1}, {.1F, .2F, .3F, .4F, .1F, .2F, .3F, .4F})
                .node("conv_op", op, {"space_to_batch_op", "weights_op"}, valid)
                .ints("crops_op", {2, 2}, {0, 1, 0, 1})
                .node("output", "BatchToSpaceND", {"conv_op", "block_shape_op", "crops_op"})
                .build();
        const GraphPtr after =
            checkedPass("flatten_atrous_conv", before, {"SpaceToBatchND", "BatchToSpaceND"}, 1e-6);
        REQUIRE(after->size() == 3);
        CHECK(after->node(NodeId{0}).name() == "input_op");
        CHECK(after->node(NodeId{1}).name() == "weights_op");
        CHECK(after->node(NodeId{1}).op() == "Const");
        CHECK(after->node(NodeId{2}).name() == "output");
        CHECK(after->node(NodeId{2}).op() == op);
    }
}

namespace {

GraphPtr atrousImage(const char* op, const std::vector<std::int32_t>& crops)
{
    return imageInput({1, 4, 4, 2})
        .ints("block", {2}, {2, 2})
        .ints("paddings", {2, 2}, {2, 2, 2, 2})
        .node("split", "SpaceToBatchND", {"x", "block", "paddings"})
        .floats("w", {3, 3, 2, 1}, spreadValues(18))
        .node("conv", op, {"split", "w"}, convolutionAttrs("VALID"))
        .ints("block_again", {2}, {2, 2})
        .ints("crops", {2, 2}, crops)
        .node("joined", "BatchToSpaceND", {"conv", "block_again", "crops"})
        .node("y", "Relu", {"joined"})
        .build();
}

PatternCases flattenAtrousConvPatterns(const TestFolder&)
{
    PatternCases cases;
    for (const char* op : {"Conv2D", "DepthwiseConv2dNative"})
        cases.push_back(
            {"flatten_atrous_conv",
             atrousImage(op, {0, 0, 0, 0}),
             {"block", "paddings", "split", "w", "conv", "block_again", "crops", "joined"},
             {{"crops that make it no SAME", atrousImage(op, {0, 1, 0, 1})}}});
    return cases;
}

const CasesOf flattenAtrousConvCases("flatten_atrous_conv",
                                     {.patterns = flattenAtrousConvPatterns});

} // namespace

} // namespace lapidary
