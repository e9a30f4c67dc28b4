// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("padding and a convolution", "[passes]")
{
    const GraphPtr before = resized(false, true).build();
    checkedPass("fuse_pad_and_conv", before, {"Conv2D", "MirrorPad"});
}

} // namespace lapidary
