#include "app/document/recipe/verdict.h"

#include <limits>

namespace lapidary {

Verdict verdictOf(const Verification& verification)
{
    Verdict verdict;
    verdict.kind = verification.isSame() ? Verdict::Kind::Same : Verdict::Kind::Differs;
    verdict.compared = verification.pairs.size();
    for (const VerifiedPair& pair : verification.pairs) {
        const TensorAgreement& agreement = pair.agreement;
        if (!pair.isOutput || (agreement.maxAbs <= verdict.maxAbs && !verdict.output.empty()))
            continue;
        verdict.maxAbs = agreement.maxAbs;
        verdict.maxRel = agreement.magnitude > 0 ? agreement.maxAbs / agreement.magnitude
                         : agreement.maxAbs > 0  ? std::numeric_limits<double>::infinity()
                                                 : 0;
        verdict.output = pair.b;
    }
    if (verification.firstAbove) {
        const VerifiedPair& pair = verification.pairs[*verification.firstAbove];
        verdict.first = pair.b;
        verdict.firstMaxAbs = pair.agreement.maxAbs;
    }
    for (const std::string& text : verification.incomparable)
        verdict.why += (verdict.why.empty() ? "" : "; ") + text;
    return verdict;
}

} // namespace lapidary
