// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/edited_graphs.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("padding and a convolution", "[passes]")
{
    const GraphPtr before = resized(false, true).build();
    checkedPass("fuse_pad_and_conv", before, {"Conv2D", "MirrorPad"});
}

TEST_CASE("control inputs of what is fused are kept", "[passes]")
{
    for (const char* node : {"pad_op", "output"}) {
        INFO(node);
        const GraphPtr before =
            waiting(resized(false, true).node("init", "NoOp").build(), node, "init");
        const GraphPtr after = checkedPass("fuse_pad_and_conv", before, {"Conv2D", "MirrorPad"});
        CHECK(inputsOf(after, "output") == "input_op, pad_dims_op, weights_op, ^init");
    }
}

TEST_CASE("paddings that the fused op cannot take are left alone", "[passes]")
{
    const auto isLeft = [](const GraphPtr& before) {
        return passed("fuse_pad_and_conv", before, {}, {"output"}) == before;
    };
    const auto padded = [](const Dims& dims, const std::vector<std::int32_t>& sizes) {
        return GraphBuilder()
            .floats("input_op", {1, 2, 3, 2}, sampleInput)
            .ints("pad_dims_op", dims, sizes)
            .node("pad_op", "MirrorPad", {"input_op", "pad_dims_op"},
                  {{"mode", attr::fromString("SYMMETRIC")},
                   {"Tpaddings", attr::fromType(DType::Int32)}})
            .floats("weights_op", {1, 2, 2, 2}, sampleWeights)
            .node("output", "Conv2D", {"pad_op", "weights_op"}, valid)
            .build();
    };
    CHECK(isLeft(padded({4, 2}, {1, 0, 1, 1, 2, 2, 0, 0})));
    CHECK(isLeft(padded({4, 2}, {0, 0, 1, 1, 2, 2, 0, 1})));
    CHECK_FALSE(isLeft(padded({4, 2}, {0, 0, 1, 1, 2, 2, 0, 0})));
    CHECK(isLeft(changed(padded({4, 2}, {0, 0, 1, 1, 2, 2, 0, 0}), "pad_op",
                         {{"Tpaddings", attr::fromType(DType::Int64)}})));
}

namespace {

PatternCases fusePadAndConvPatterns(const TestFolder&)
{
    return {{"fuse_pad_and_conv",
             resizedAndPadded(false, true),
             {"paddings", "padded", "w", "conv"},
             {{"channels in front", resizedAndPadded(false, true, "NCHW")},
              {"dilated", resizedAndPadded(false, true, "NHWC", 2)}}}};
}

const CasesOf fusePadAndConvCases("fuse_pad_and_conv", {.patterns = fusePadAndConvPatterns});

} // namespace

} // namespace lapidary
