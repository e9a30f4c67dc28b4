// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/grade.h"

namespace lapidary {

std::string_view gradeName(Grade grade)
{
    switch (grade) {
    case Grade::Same: return "same";
    case Grade::SmallLoss: return "small loss";
    case Grade::Broken: break;
    }
    return "broken";
}

Grade gradeOf(const TensorAgreement& agreement, bool isWithin, const GradeLimits& limits)
{
    if (isWithin)
        return Grade::Same;
    // Each comparison is false for NaN.
    bool isGood = agreement.sqnrDb >= limits.minSqnrDb && agreement.cosine >= limits.minCosine;
    if (!agreement.hasFloats)
        isGood = isGood || agreement.equal >= limits.minTop1;
    if (agreement.top1 && agreement.rows >= limits.fewestRows)
        isGood = isGood && *agreement.top1 >= limits.minTop1;
    return isGood ? Grade::SmallLoss : Grade::Broken;
}

} // namespace lapidary
