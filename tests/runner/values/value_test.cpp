// SPDX-License-Identifier: Apache-2.0
#include "runner/values/memory_pool.h"
#include "runner/values/value.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

constexpr std::int64_t wide = std::int64_t(1) << 40;

TEST_CASE("no value is so wide that the product of its sizes above 0 does not fit", "[value]")
{
    MemoryPool pool(1 << 20);
    for (const Dims& dims : {Dims{wide, 0, wide}, Dims{0, wide, wide}, Dims{wide, wide, 0}})
        for (const DType dtype : {DType::Float, DType::String, DType::Variant}) {
            INFO(dimsText(dims) << " of " << dtypeName(dtype));
            CHECK_FALSE(Value::make(dtype, dims, pool).ok());
        }
    CHECK(Value::make(DType::Float, {0, wide}, pool).ok());
    CHECK_FALSE(Value::make(DType::Double, {0, std::int64_t(1) << 60}, pool).ok());
}

TEST_CASE("the width of a value counts axes of size 0 as 1", "[value]")
{
    MemoryPool pool(1 << 20);
    const auto isWithin = [&](DType dtype, Dims dims, std::uint64_t bytes) {
        return Value::make(dtype, {0}, pool).value().reshaped(std::move(dims)).isWithin(bytes);
    };
    CHECK(isWithin(DType::Float, {0, 100}, 400));
    CHECK_FALSE(isWithin(DType::Float, {0, 100}, 399));
    CHECK(isWithin(DType::String, {100, 0, 2}, 200));
    CHECK_FALSE(isWithin(DType::String, {100, 0, 2}, 199));
    CHECK_FALSE(isWithin(DType::Float, {wide, 0, wide}, UINT64_MAX));
    CHECK(Value().isWithin(1));
}

} // namespace
} // namespace lapidary
