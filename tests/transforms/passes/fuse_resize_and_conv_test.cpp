// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("resizing and a convolution", "[passes]")
{
    checkedPass("fuse_resize_and_conv", resized(true, false).build(), {"Conv2D", "ResizeBilinear"});
}

} // namespace lapidary
