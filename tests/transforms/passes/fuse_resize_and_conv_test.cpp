// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/edited_graphs.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("resizing and a convolution", "[passes]")
{
    checkedPass("fuse_resize_and_conv", resized(true, false).build(), {"Conv2D", "ResizeBilinear"});
}

TEST_CASE("images of another type than the filter are not fused", "[passes]")
{
    const GraphPtr before =
        changed(resized(true, false).build(), "resize_op", {{"T", attr::fromType(DType::UInt8)}});
    CHECK(passed("fuse_resize_and_conv", before, {}, {"output"}) == before);
    const GraphPtr padded =
        changed(resized(true, true).build(), "resize_op", {{"T", attr::fromType(DType::Int32)}});
    CHECK(passed("fuse_resize_pad_and_conv", padded, {}, {"output"}) == padded);
}

TEST_CASE("control inputs of a fused resize are kept", "[passes]")
{
    for (const char* node : {"resize_op", "output"}) {
        const GraphPtr before =
            waiting(resized(true, false).node("init", "NoOp").build(), node, "init");
        const GraphPtr after =
            checkedPass("fuse_resize_and_conv", before, {"Conv2D", "ResizeBilinear"});
        CHECK(inputsOf(after, "output").ends_with(", ^init"));
    }
    for (const char* node : {"resize_op", "pad_op", "output"}) {
        const GraphPtr before =
            waiting(resized(true, true).node("init", "NoOp").build(), node, "init");
        const GraphPtr after = checkedPass("fuse_resize_pad_and_conv", before,
                                           {"Conv2D", "MirrorPad", "ResizeBilinear"});
        CHECK(inputsOf(after, "output").ends_with(", ^init"));
    }
}

namespace {

PatternCases fuseResizeAndConvPatterns(const TestFolder&)
{
    return {{"fuse_resize_and_conv",
             resizedAndPadded(true, false),
             {"size", "resized", "w", "conv"},
             {{"channels in front", resizedAndPadded(true, false, "NCHW")},
              {"dilated", resizedAndPadded(true, false, "NHWC", 2)}}}};
}

const CasesOf fuseResizeAndConvCases("fuse_resize_and_conv",
                                     {.patterns = fuseResizeAndConvPatterns});

} // namespace

} // namespace lapidary
