// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/any_node.h"
#include "tests/runner/kernels/known_nodes.h"

namespace lapidary {

std::string expectAnswerOrError(const NodeDraft& draft, const std::vector<Value>& inputs,
                                bool mustFail)
{
    const auto answer = runCulprit(draft, inputs, Job(), std::uint64_t(32) << 20, knownFunctions());
    if (answer) {
        INFO(draft.op << " gave an answer");
        CHECK_FALSE(mustFail);
        return {};
    }
    INFO(draft.op << ": " << answer.error().message);
    CHECK(answer.error().message.find("culprit") != std::string::npos);
    CHECK(answer.error().code != ErrorCode::Internal);
    return answer.error().message;
}

} // namespace lapidary
