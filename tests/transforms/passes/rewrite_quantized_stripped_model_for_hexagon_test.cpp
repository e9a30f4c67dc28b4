// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("rewrite_quantized_stripped_model_for_hexagon says that there is no remote processor",
          "[passes]")
{
    const auto edit =
        applyPass("rewrite_quantized_stripped_model_for_hexagon", sumsGraph(), {}, {"mul_node1"});
    REQUIRE_FALSE(edit.ok());
    CHECK(edit.error().code == ErrorCode::Unsupported);
    CHECK(edit.error().message.find("Hexagon") != std::string::npos);
}

} // namespace lapidary
