// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

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

} // namespace lapidary
