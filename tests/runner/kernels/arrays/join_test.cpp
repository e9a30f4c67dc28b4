// SPDX-License-Identifier: Apache-2.0
// Joining and splitting: one op undoes the other.
#include "tests/catch.h"
#include "tests/runner/kernels/arrays/moved.h"

namespace lapidary {
namespace {

bool same(const Result<Value>& a, const Value& b)
{
    if (!a || a.value().dims() != b.dims() || a.value().dtype() != b.dtype())
        return false;
    return b.dtype() == DType::String ? std::ranges::equal(a.value().strings(), b.strings())
                                      : a.value().bytes() == b.bytes();
}

TEST_CASE("Split and ConcatV2 are inverse along every axis", "[arrays]")
{
    for (const DType dtype : movedTypes)
        for (std::int32_t axis = -3; axis < 3; ++axis) {
            const Value input = distinctValue(dtype, {4, 6, 2});
            const auto parts =
                runNode("Split", {scalarOf(axis), input}, {{"num_split", attr::fromInt(2)}});
            REQUIRE(parts.ok());
            REQUIRE(parts->size() == 2);
            std::vector<Value> inputs = *parts;
            inputs.push_back(scalarOf(axis));
            CHECK(same(runOne("ConcatV2", inputs), input));
        }
}

TEST_CASE("SplitV parts unevenly; -1 takes the rest", "[arrays]")
{
    const Value input = rampOf<float>({2, 15});
    const auto parts =
        runNode("SplitV", {input, valueOf<std::int64_t>({3}, {1, -1, 0}), scalarOf(1)},
                {{"num_split", attr::fromInt(3)}});
    REQUIRE(parts.ok());
    CHECK((*parts)[0].dims() == Dims{2, 1});
    CHECK(elementsOf<float>((*parts)[0]) == std::vector<float>{0, 15});
    CHECK((*parts)[1].dims() == Dims{2, 14});
    CHECK((*parts)[1].as<float>()[14] == 16);
    CHECK((*parts)[2].dims() == Dims{2, 0});
}

TEST_CASE("Pack and Unpack are inverse along every axis", "[arrays]")
{
    for (const DType dtype : movedTypes)
        for (std::int64_t axis = -3; axis < 3; ++axis) {
            const Value input = distinctValue(dtype, {3, 5, 2});
            const std::int64_t count = input.dim(int(axis < 0 ? axis + 3 : axis));
            const NodeAttrs attrs{{"axis", attr::fromInt(axis)}, {"num", attr::fromInt(count)}};
            const auto parts = runNode("Unpack", {input}, attrs);
            REQUIRE(parts.ok());
            CHECK(same(runOne("Pack", *parts, {{"axis", attr::fromInt(axis)}}), input));
        }
}

TEST_CASE("empty tensors join and part", "[arrays]")
{
    const Value none = emptyValue(DType::Float, {0, 3});
    const Value some = rampOf<float>({2, 3});
    CHECK(same(runOne("ConcatV2", {none, some, none, scalarOf(0)}), some));
    CHECK(same(runOne("Concat", {scalarOf(0), none, none}), none));
    const auto packed = runOne("Pack", {none, none});
    REQUIRE(packed.ok());
    CHECK(packed->dims() == Dims{2, 0, 3});
}

TEST_CASE("a value that is passed on is not changed by who takes it", "[arrays]")
{
    const Value input = rampOf<float>({4, 2});
    const auto y = runOne("TensorScatterUpdate", {input, valueOf<std::int32_t>({1, 1}, {2}),
                                                  valueOf<float>({1, 2}, {-1, -2})});
    REQUIRE(y.ok());
    CHECK(elementsOf<float>(*y) == std::vector<float>{0, 1, 2, 3, -1, -2, 6, 7});
    CHECK(input.as<float>()[4] == 4);
}

} // namespace
} // namespace lapidary
