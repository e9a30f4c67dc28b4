// SPDX-License-Identifier: Apache-2.0
#include "app/document/recipe/verdict.h"

#include "runner/setup/prepare_run.h"
#include "transforms/verify/loss_reason.h"

#include <limits>

namespace lapidary {

Verdict verdictOf(const Graph& state, const Verification& verification)
{
    Verdict verdict;
    if (!verification.missing.empty()) {
        verdict.kind = Verdict::Kind::Unknown;
        verdict.why = missingText(verification.missing);
        return verdict;
    }
    verdict.kind = verification.isSame() ? Verdict::Kind::Same : Verdict::Kind::Differs;
    verdict.compared = verification.pairs.size();
    verdict.grade = verification.grade();
    verdict.samples = verification.samples;
    verdict.isCutShort = verification.isStopped;
    verdict.sqnrDb = std::numeric_limits<double>::infinity();
    if (verification.firstLarge)
        verdict.firstLarge = verification.pairs[*verification.firstLarge].b;
    for (const VerifiedPair& pair : verification.pairs) {
        const TensorAgreement& agreement = pair.agreement;
        if (pair.isOutput && !(agreement.sqnrDb >= verdict.sqnrDb))
            verdict.sqnrDb = agreement.sqnrDb;
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
    verdict.reason = lossReason(state, verification);
    return verdict;
}

} // namespace lapidary
