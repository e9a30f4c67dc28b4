// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("resizing, padding and a convolution", "[passes]")
{
    checkedPass("fuse_resize_pad_and_conv", resized(true, true).build(),
                {"Conv2D", "MirrorPad", "ResizeBilinear"});
}

namespace {

PatternCases fuseResizePadAndConvPatterns(const TestFolder&)
{
    return {{"fuse_resize_pad_and_conv",
             resizedAndPadded(true, true),
             {"size", "resized", "paddings", "padded", "w", "conv"},
             {{"channels in front", resizedAndPadded(true, true, "NCHW")},
              {"dilated", resizedAndPadded(true, true, "NHWC", 2)}}}};
}

const CasesOf fuseResizePadAndConvCases("fuse_resize_pad_and_conv",
                                        {.patterns = fuseResizePadAndConvPatterns});

} // namespace

} // namespace lapidary
