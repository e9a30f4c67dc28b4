// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("fuse_remote_graph says that there is no remote processor", "[passes]")
{
    const auto edit = applyPass("fuse_remote_graph", sumsGraph(), {}, {"mul_node1"});
    REQUIRE_FALSE(edit.ok());
    CHECK(edit.error().code == ErrorCode::Unsupported);
    CHECK(edit.error().message.find("Hexagon") != std::string::npos);
}

} // namespace lapidary
