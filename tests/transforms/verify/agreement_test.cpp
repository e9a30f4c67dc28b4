#include "runner/values/memory_pool.h"
#include "transforms/verify/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

namespace lapidary {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();
const float endless = std::numeric_limits<float>::infinity();

Value floats(Dims dims, const std::vector<float>& numbers)
{
    MemoryPool pool(1 << 20);
    Value value = Value::make(DType::Float, std::move(dims), pool).value();
    REQUIRE(value.elements() == std::int64_t(numbers.size()));
    std::ranges::copy(numbers, value.mutableAs<float>().begin());
    return value;
}

TensorAgreement agreementOf(const std::vector<float>& a, const std::vector<float>& b)
{
    const Dims dims{std::int64_t(a.size())};
    return compareValues(floats(dims, a), floats(dims, b)).value();
}

} // namespace

TEST_CASE("agreement: known numbers", "[verify]")
{
    const TensorAgreement agreement = agreementOf({3, 4, 0, -2}, {3, 5, 1, -2});
    CHECK(agreement.elements == 4);
    CHECK(agreement.magnitude == 4);
    CHECK(agreement.maxAbs == 1);
    CHECK(agreement.maxRel == 0.25);
    CHECK(agreement.meanSquared == 0.5);
    CHECK(agreement.sqnrDb == Approx(10 * std::log10(29.0 / 2)));
    CHECK(agreement.cosine == Approx(33 / std::sqrt(29.0 * 39.0)));
    CHECK(agreement.isWithin(0.6, 0.1));
    CHECK_FALSE(agreement.isWithin(0.5, 0.1));
}

TEST_CASE("agreement: what is held at the ends of a range", "[verify]")
{
    CHECK(agreementOf({-9, -1, 2, 7, 8, 5}, {-1, -1, 2, 5, 5, 5}).saturated == 0.5);
    CHECK(agreementOf({1, 2}, {1, 2}).saturated == 0);
    CHECK(agreementOf({3, 2}, {2, 1}).saturated == 0.5);
    CHECK(agreementOf({nan, endless}, {0, 1}).saturated == 0.5);
    CHECK(agreementOf({}, {}).saturated == 0);
}

TEST_CASE("agreement: equal, empty and zero tensors", "[verify]")
{
    CHECK(agreementOf({1, 2}, {1, 2}).sqnrDb == infinity);
    CHECK(agreementOf({}, {}).isWithin(0, 0));
    CHECK(agreementOf({0, 0}, {0, 0}).cosine == 1);
    CHECK(agreementOf({0, 0}, {0, 1}).cosine == 0);
    CHECK(agreementOf({0, 0}, {0, 1}).maxRel == 0);
}

TEST_CASE("agreement: what is not finite", "[verify]")
{
    CHECK(agreementOf({nan, endless, 1}, {nan, endless, 1}).isWithin(0, 0));
    CHECK(agreementOf({nan, 1}, {0, 1}).maxAbs == infinity);
    CHECK(agreementOf({endless}, {-endless}).maxAbs == infinity);
    const TensorAgreement agreement = agreementOf({endless, 2}, {3, 2});
    CHECK(agreement.magnitude == 2);
    CHECK(agreement.meanSquared == 0);
    CHECK_FALSE(agreement.isWithin(1, 1));
}

TEST_CASE("agreement: more elements than one block", "[verify]")
{
    std::vector<float> a(5000, 1);
    std::vector<float> b = a;
    b[4999] = 1.5F;
    CHECK(agreementOf(a, b).maxAbs == 0.5);
    CHECK(agreementOf(a, b).meanSquared == Approx(0.25 / 5000));
}

TEST_CASE("agreement: best classes of each row", "[verify]")
{
    const Value a = floats({2, 7}, {9, 1, 2, 3, 4, 5, 6, /**/ 0, 8, 1, 2, 3, 4, 5});
    const Value b = floats({2, 7}, {9, 0, 0, 0, 0, 0, 0, /**/ 7, 1, 6, 5, 4, 3, 2});
    const TensorAgreement agreement = compareValues(a, b).value();
    CHECK(agreement.top1 == 0.5);
    CHECK(agreement.top5 == 0.5);
    const TensorAgreement few =
        compareValues(floats({1, 3}, {0, 1, 2}), floats({1, 3}, {0, 2, 1})).value();
    CHECK(few.top1 == 0.0);
    CHECK_FALSE(few.top5.has_value());
    CHECK_FALSE(compareValues(floats({1, 1, 2}, {0, 1}), floats({1, 1, 2}, {0, 1}))->top1);
}

TEST_CASE("agreement: tensors that cannot be compared", "[verify]")
{
    CHECK_FALSE(compareValues(floats({2}, {1, 2}), floats({1, 2}, {1, 2})).has_value());
    CHECK_FALSE(compareValues(floats({1}, {1}), Value::ofStrings({1}, {"1"})).has_value());
    MemoryPool pool(1 << 20);
    Value doubles = Value::make(DType::Double, {1}, pool).value();
    doubles.mutableAs<double>()[0] = 1;
    CHECK(compareValues(floats({1}, {1}), doubles)->isWithin(0, 0));
}

} // namespace lapidary
