// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "transforms/verify/grade.h"

#include <limits>

namespace lapidary {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

struct Case {
    double sqnrDb;
    double cosine;
    std::optional<double> top1;
    std::int64_t rows;
    bool hasFloats;
    double equal;
    bool isWithin;
    Grade grade;
};

TEST_CASE("grades against a table written by hand", "[verify]")
{
    // The first rows are outputs of 8-bit models that were reviewed one by one.
    const std::vector<Case> table{
        {36.5, 0.9999, 1.0, 32, true, 0, false, Grade::SmallLoss},
        {42.7, 0.99997, 0.9, 32, true, 0, false, Grade::SmallLoss},
        {12.9, 0.975, {}, 0, true, 0, false, Grade::SmallLoss},
        {2.0, 0.9, 0.0, 32, true, 0, false, Grade::Broken},
        {-6.4, 0.865, {}, 0, true, 0, false, Grade::Broken},
        {0.1, 0.176, {}, 0, true, 0, false, Grade::Broken},
        {unbounded, 1, 1.0, 32, true, 1, true, Grade::Same},
        {70, 1, {}, 0, true, 0.1, true, Grade::Same},
        {10, 0.95, {}, 0, true, 0, false, Grade::SmallLoss}, // at the limits
        {9.9, 0.99, {}, 0, true, 0, false, Grade::Broken},
        {20, 0.94, {}, 0, true, 0, false, Grade::Broken},
        {20, 0.99, 0.4, 32, true, 0, false, Grade::Broken},
        {20, 0.99, 0.4, 7, true, 0, false, Grade::SmallLoss}, // too few rows to decide
        {undefined, undefined, {}, 0, true, 0, false, Grade::Broken},
        {-unbounded, undefined, {}, 0, true, 0, false, Grade::Broken},
        {undefined, undefined, 1.0, 32, true, 1, true, Grade::Same}, // NaN in both
        {3, 0.8, {}, 0, false, 0.9, false, Grade::SmallLoss},        // indices, most of them equal
        {3, 0.8, {}, 0, false, 0.1, false, Grade::Broken},
        {25, 0.99, {}, 0, false, 0.1, false, Grade::SmallLoss}, // pixels
    };
    for (const Case& one : table) {
        TensorAgreement agreement;
        agreement.sqnrDb = one.sqnrDb;
        agreement.cosine = one.cosine;
        agreement.top1 = one.top1;
        agreement.rows = one.rows;
        agreement.hasFloats = one.hasFloats;
        agreement.equal = one.equal;
        CAPTURE(one.sqnrDb, one.cosine, one.rows);
        CHECK(gradeOf(agreement, one.isWithin, {}) == one.grade);
    }
}

TEST_CASE("grades by other limits", "[verify]")
{
    TensorAgreement agreement;
    agreement.sqnrDb = 20;
    agreement.cosine = 0.99;
    CHECK(gradeOf(agreement, false, {.minSqnrDb = 20}) == Grade::SmallLoss);
    CHECK(gradeOf(agreement, false, {.minSqnrDb = 21}) == Grade::Broken);
    CHECK(gradeOf(agreement, false, {.minCosine = 0.999}) == Grade::Broken);
    CHECK(gradeOf(agreement, true, {.minSqnrDb = 21}) == Grade::Same);
}

} // namespace
} // namespace lapidary
