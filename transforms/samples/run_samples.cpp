// SPDX-License-Identifier: Apache-2.0
#include "transforms/samples/run_samples.h"

#include "runner/guard/machine_memory.h"
#include "runner/setup/run_plan.h"
#include "transforms/fold/delegated_evaluation.h"

namespace lapidary {
namespace {

SessionOptions boundedSession()
{
    SessionOptions options = fusedSession();
    options.memoryLimit = memoryLimitOfThread();
    return options;
}

// Runs the samples through the delegate of this process.
Result<std::vector<Value>> delegated(const ConstantGraph& fed,
                                     const std::vector<std::string>& tensors, const Job& job)
{
    ASSIGN_OR_RETURN(auto answer, delegatedEvaluation()(fed, tensors, job));
    std::vector<Value> values;
    for (std::size_t i = 0; i < answer.size(); ++i) {
        if (!answer[i])
            return Error{
                ErrorCode::InvalidArgument,
                tensors[i] +
                    " cannot be computed for the samples; run the graph on one of them to see why"};
        values.push_back(*std::move(answer[i]));
    }
    return values;
}

} // namespace

Status runSamples(const GraphPtr& graph, const Samples& samples,
                  const std::vector<std::string>& tensors, const UseTensors& use, const Job& job)
{
    const bool isDelegated = bool(delegatedEvaluation());
    Session session(graph, boundedSession());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (job.cancelled())
            return cancelledError();
        ASSIGN_OR_RETURN(auto feeds, samples.feeds(i, job));
        // Inputs that no longer have a reader are not fed.
        std::erase_if(feeds, [&](const auto& feed) {
            return !graph->find(parseInput(feed.first).node).isValid();
        });
        const auto values =
            isDelegated
                ? delegated({graph, std::move(feeds)}, tensors, job)
                : session.run({.feeds = std::move(feeds), .fetches = tensors, .targets = {}}, job);
        RETURN_IF_ERROR(values);
        use(*values);
    }
    return Done{};
}

} // namespace lapidary
