// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

namespace lapidary {
namespace {

TEST_CASE("one node runs with the attributes that its inputs decide", "[one_node]")
{
    const auto y = runOne("Add", {valueOf<float>({3}, {1, 2, 3}), scalarOf(0.5F)});
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{3});
    CHECK(elementsOf<float>(*y) == std::vector<float>{1.5F, 2.5F, 3.5F});
}

TEST_CASE("lists of inputs give the count and the list of types", "[one_node]")
{
    const std::vector<Value> inputs{scalarOf(1.0F), scalarOf(std::int32_t(2)),
                                    stringsOf({1}, {"three"})};
    const auto all = runNode("IdentityN", inputs);
    REQUIRE(all.ok());
    REQUIRE(all->size() == 3);
    CHECK(elementsOf<std::int32_t>((*all)[1]) == std::vector<std::int32_t>{2});
    CHECK((*all)[2].strings()[0] == "three");
}

TEST_CASE("an error of the node comes back", "[one_node]")
{
    const auto y = runOne("Add", {rampOf<float>({2}), rampOf<float>({3})});
    REQUIRE_FALSE(y.ok());
    CHECK(y.error().message.starts_with("y: "));
}

TEST_CASE("a tensor without elements is no wider than the memory limit", "[one_node]")
{
    const auto empty = [](Dims dims) { return emptyValue(DType::Float, {0}).reshaped(dims); };
    const std::int64_t wide = std::int64_t(1) << 40;
    CHECK(runOne("Relu", {empty({0, 1 << 20})}).ok());
    for (const Dims& dims : {Dims{0, wide}, Dims{wide, 0, wide}, Dims{wide, wide, wide, 0}}) {
        const auto taken = runOne("Relu", {empty(dims)});
        REQUIRE_FALSE(taken.ok());
        CHECK(taken.error().message == "y: input 0 has no elements, but its shape " +
                                           dimsText(dims) +
                                           " is wider than the memory limit of 1073741824 bytes");
        CHECK(taken.error().reason == ErrorReason::MemoryLimit);
    }
    // Outputs that share the data of an input, and outputs that a kernel allocates.
    const Value sizes = valueOf<std::int64_t>({2}, {0, wide});
    for (const auto& made :
         {runOne("Reshape", {empty({0}), sizes}), runOne("Fill", {sizes, scalarOf(1.0F)})}) {
        REQUIRE_FALSE(made.ok());
        CHECK(made.error().message.find("y: ") == 0);
        CHECK(made.error().message.find("is wider than the memory limit") != std::string::npos);
    }
}

} // namespace
} // namespace lapidary
