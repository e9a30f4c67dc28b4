// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/clamped_cast.h"
#include "tests/catch.h"

#include <cstddef>
#include <cstdint>

namespace lapidary {

TEST_CASE("Numbers become the nearest value of a type of integers", "[base]")
{
    STATIC_REQUIRE(std::is_same_v<decltype(clampedTo<std::int8_t>(1.0F)), std::int8_t>);
    CHECK(clampedTo<std::int8_t>(-3.9F) == -3);
    CHECK(clampedTo<std::int8_t>(127.9F) == 127);
    CHECK(clampedTo<std::int8_t>(1e38F) == 127);
    CHECK(clampedTo<std::int8_t>(-INFINITY) == -128);
    CHECK(clampedTo<std::uint8_t>(-1.0) == 0);
    CHECK(clampedTo<std::int32_t>(0x1p31F) == INT32_MAX);
    CHECK(clampedTo<std::int32_t>(2147483646.5) == 2147483646);
    CHECK(clampedTo<std::int64_t>(0x1p63) == INT64_MAX);
    CHECK(clampedTo<std::int64_t>(-0x1p63) == INT64_MIN);
    CHECK(clampedTo<std::size_t>(0x1p63) == std::size_t(1) << 63);
    CHECK(clampedTo<std::size_t>(INFINITY) == SIZE_MAX);
    CHECK(clampedTo<int>(NAN) == 0);
}

} // namespace lapidary
