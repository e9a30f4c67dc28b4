// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("resizing, padding and a convolution", "[passes]")
{
    checkedPass("fuse_resize_pad_and_conv", resized(true, true).build(),
                {"Conv2D", "MirrorPad", "ResizeBilinear"});
}

} // namespace lapidary
