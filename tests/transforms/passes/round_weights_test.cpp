// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("large constants are rounded", "[passes]")
{
    const GraphPtr before = largeWeights({1, 1, 6, 2}, sampleInput);
    const GraphPtr after = checkedPass("round_weights", before, {}, 0.05);
    CHECK(floatsOf(after, "input_op") == sampleInput);
    Floats first = floatsOf(after, "weights_op");
    first.resize(8);
    checkNear(first, {1.006445F, 1.99668F, 3.002148F, 4.007617F, .1076172F, .1990234F, .3056641F,
                      .3970703F});
}

TEST_CASE("one value for a large shape stays one value", "[passes]")
{
    for (const Floats& stored : {Floats{0.5F}, Floats{-0.25F, 0.5F}, Floats()}) {
        const auto values = std::int64_t(stored.empty() ? 1 : stored.size());
        const GraphPtr before = splat(2000, stored);
        const GraphPtr packed = checkedPass("quantize_weights", before, {}, 0.01);
        CHECK(storedIn(packed, "w_quantized_const") == values);
        const GraphPtr rounded = checkedPass("round_weights(num_steps=1000)", before, {}, 1);
        CHECK(storedIn(rounded, "w") == values);
        // More than memory holds.
        const GraphPtr huge = splat(std::int64_t(1) << 40, stored);
        for (const char* step : {"quantize_weights", "round_weights"})
            CHECK(passed(step, huge, {}, {"output"}) != huge);
    }
}

} // namespace lapidary
