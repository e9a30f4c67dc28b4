// SPDX-License-Identifier: Apache-2.0
#include "runner/values/memory_pool.h"
#include "tests/catch.h"
#include "transforms/verify/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

TEST_CASE("agreement: texts are equal or not", "[verify]")
{
    const Value two = Value::ofStrings({2}, {"cat", "dog"});
    const auto same = compareValues(two, Value::ofStrings({2}, {"cat", "dog"}));
    REQUIRE(same);
    CHECK(same->hasTexts);
    CHECK(same->equal == 1);
    CHECK(same->isWithin(0, 0));
    const auto half = compareValues(two, Value::ofStrings({2}, {"cat", "fox"}));
    REQUIRE(half);
    CHECK(half->equal == 0.5);
    CHECK_FALSE(half->isWithin(1e-3, 1e-3));
    CHECK_FALSE(compareValues(two, Value::ofStrings({1}, {"cat"})));
    CHECK_FALSE(compareValues(two, floats({2}, {1, 2})));
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
    const Value wide = floats({0, std::int64_t(1) << 40}, {});
    CHECK(compareValues(wide, wide).value().isWithin(0, 0));
    CHECK(agreementOf({0, 0}, {0, 0}).cosine == 1);
    CHECK(agreementOf({0, 0}, {0, 1}).cosine == 0);
    CHECK(agreementOf({0, 0}, {0, 1}).maxRel == 0);
}

TEST_CASE("agreement: what is not finite", "[verify]")
{
    const TensorAgreement same = agreementOf({nan, endless, 1}, {nan, endless, 1});
    CHECK(same.isWithin(0, 0));
    CHECK(same.notFiniteA == 2);
    CHECK(same.sqnrDb == infinity); // of the finite one
    CHECK(agreementOf({endless}, {-endless}).maxAbs == infinity);
    const TensorAgreement agreement = agreementOf({endless, 2}, {3, 2});
    CHECK(agreement.magnitude == 2);
    CHECK(agreement.meanSquared == infinity);
    CHECK(agreement.sqnrDb == -infinity);
    CHECK(std::isnan(agreement.cosine));
    CHECK(agreement.notFiniteA == 1);
    CHECK(agreement.notFiniteB == 0);
    CHECK_FALSE(agreement.isWithin(1, 1));
}

TEST_CASE("agreement: a NaN on one side leaves no figure that praises", "[verify]")
{
    for (const auto& [a, b] : {std::pair<std::vector<float>, std::vector<float>>{{1, 2}, {nan, 2}},
                               {{nan, 2}, {1, 2}},
                               {{1, 2}, {nan, nan}}}) {
        const TensorAgreement agreement = agreementOf(a, b);
        for (const double figure : {agreement.maxAbs, agreement.maxRel, agreement.meanSquared,
                                    agreement.sqnrDb, agreement.cosine})
            CHECK(std::isnan(figure));
        CHECK_FALSE(agreement.isWithin(1e9, 1e9));
    }
    const TensorAgreement nothing = agreementOf({nan, nan}, {nan, nan});
    CHECK(nothing.isWithin(0, 0));
    CHECK(std::isnan(nothing.sqnrDb)); // no finite values were compared
    CHECK(std::isnan(nothing.cosine));
}

TEST_CASE("agreement: rows with NaN have no best class", "[verify]")
{
    const Value a = floats({3, 2}, {nan, 1, /**/ 0, 1, /**/ 0, 1});
    const Value b = floats({3, 2}, {nan, 1, /**/ nan, 1, /**/ 0, 1});
    const TensorAgreement agreement = compareValues(a, b).value();
    CHECK(agreement.rows == 2);
    CHECK(agreement.classes == 1);
    CHECK(agreement.top1 == 0.5);
    CHECK_FALSE(compareValues(floats({1, 2}, {nan, 0}), floats({1, 2}, {nan, 0}))->top1);
}

TEST_CASE("agreement: sums over several runs", "[verify]")
{
    AgreementSums sums;
    CHECK(sums.isEmpty());
    CHECK(sums.add(floats({1, 2}, {3, 4}), floats({1, 2}, {3, 5})));
    CHECK(sums.add(floats({1, 2}, {0, -2}), floats({1, 2}, {1, -2})));
    CHECK_FALSE(sums.add(floats({1}, {1}), floats({2}, {1, 1})));
    const TensorAgreement all = sums.result();
    const TensorAgreement once = agreementOf({3, 4, 0, -2}, {3, 5, 1, -2});
    CHECK(all.elements == 4);
    CHECK(all.sqnrDb == Approx(once.sqnrDb));
    CHECK(all.cosine == Approx(once.cosine));
    CHECK(all.maxAbs == once.maxAbs);
    CHECK(all.rows == 2);
    CHECK(all.classes == 2);
    CHECK(all.top1 == 1.0);
}

TEST_CASE("agreement: the same numbers on another scale, channel by channel", "[verify]")
{
    std::vector<float> a;
    std::vector<float> scaled;
    std::vector<float> wrong;
    for (int i = 0; i < 20; ++i)
        for (int channel = 0; channel < 3; ++channel) {
            a.push_back(float((i * 7 + channel * 3) % 11) - 5);
            scaled.push_back(a.back() * float(channel + 2));
            wrong.push_back(float((i * 5 + channel) % 13) - 6);
        }
    const auto rescaled = [&](const std::vector<float>& b) {
        return compareValues(floats({20, 3}, a), floats({20, 3}, b))->rescaledDb;
    };
    CHECK(rescaled(scaled).value() > 100);
    CHECK(rescaled(wrong).value() < 6);
    CHECK_FALSE(
        compareValues(floats({2, 3}, {1, 2, 3, 4, 5, 6}), floats({2, 3}, {2, 4, 6, 8, 10, 12}))
            ->rescaledDb); // too few elements
    // The layout with channels first.
    std::vector<float> rows(a.size());
    std::vector<float> scaledRows(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        rows[i % 3 * 20 + i / 3] = a[i];
        scaledRows[i % 3 * 20 + i / 3] = scaled[i];
    }
    AgreementSums channelsFirst(1);
    CHECK(channelsFirst.add(floats({1, 3, 20}, rows), floats({1, 3, 20}, scaledRows)));
    CHECK(channelsFirst.result().rescaledDb.value() > 100);
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
