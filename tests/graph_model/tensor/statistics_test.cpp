// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/tensor/statistics.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace lapidary;

namespace {

Tensor floatTensor(std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(DType::Float));
    writer.bytes(2, encodeShape({.dims = std::move(dims)}));
    writer.bytes(4, {reinterpret_cast<const char*>(values.data()), values.size() * 4});
    const BufferPtr owner = makeBuffer(proto);
    auto decoded = Tensor::decode(owner->bytes(), owner);
    REQUIRE(decoded.ok());
    return *std::move(decoded);
}

TensorStatistics statistics(const Tensor& tensor, int bins = 4)
{
    auto out = tensorStatistics(tensor, bins, Job());
    REQUIRE(out.ok());
    return *std::move(out);
}

} // namespace

TEST_CASE("statistics of known values", "[statistics]")
{
    const TensorStatistics s = statistics(floatTensor({2, 2}, {0, 1, 2, 4}));
    CHECK(s.elements == 4);
    CHECK(s.zeros == 1);
    CHECK(s.minimum == 0);
    CHECK(s.maximum == 4);
    CHECK(s.mean == Approx(1.75));
    CHECK(s.deviation == Approx(std::sqrt(2.1875)));
    CHECK(s.bins == std::vector<std::int64_t>{1, 1, 1, 1});
    CHECK(!s.isConstant);
}

TEST_CASE("values that are not numbers are counted and left out", "[statistics]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const TensorStatistics s = statistics(floatTensor({5}, {nan, infinity, -infinity, 1, 3}));
    CHECK(s.nans == 1);
    CHECK(s.infinities == 2);
    CHECK(s.finite() == 2);
    CHECK(s.mean == Approx(2));
    CHECK(std::accumulate(s.bins.begin(), s.bins.end(), std::int64_t(0)) == 2);
    CHECK(statistics(floatTensor({1}, {nan})).bins.empty());
    CHECK(statistics(floatTensor({0}, {})).elements == 0);
}

TEST_CASE("a constant tensor falls into one bin", "[statistics]")
{
    const TensorStatistics s = statistics(floatTensor({3}, {7, 7, 7}));
    CHECK(s.isConstant);
    CHECK(s.bins == std::vector<std::int64_t>{3, 0, 0, 0});
}

TEST_CASE("the range of the largest floats does not overflow", "[statistics]")
{
    const float most = std::numeric_limits<float>::max();
    CHECK(statistics(floatTensor({2}, {-most, most})).bins ==
          std::vector<std::int64_t>{1, 0, 0, 1});
}

TEST_CASE("a grid has the last dimension to the right and means in its cells", "[statistics]")
{
    const Tensor tensor = floatTensor({2, 1, 4}, {1, 3, 5, 7, 2, 2, 4, 4});
    const auto full = tensorGrid(tensor, 10, 10, Job());
    REQUIRE(full.ok());
    CHECK(full->rows == 2);
    CHECK(full->columns == 4);
    CHECK(full->cells == std::vector<double>{1, 3, 5, 7, 2, 2, 4, 4});
    const auto small = tensorGrid(tensor, 1, 2, Job());
    REQUIRE(small.ok());
    CHECK(small->cells == std::vector<double>{2, 5});
    const auto scalar = tensorGrid(floatTensor({}, {3}), 8, 8, Job());
    REQUIRE(scalar.ok());
    CHECK(scalar->cells == std::vector<double>{3});
}
