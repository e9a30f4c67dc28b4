// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

namespace lapidary {

using PassWalk = Result<EditResult>(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                    Findings* findings);

// find() and run() of a pass that decides while it rewrites: `walk` makes the edit, and adds what
// it rewrites and declines to the findings unless they are null. find() throws the edit away.
template <PassWalk walk>
struct OneWalk {
    static Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
    {
        Findings findings;
        const auto edit = walk(graph, args, job, &findings);
        if (!edit)
            return edit.error();
        return findings;
    }

    static Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
    {
        return walk(graph, args, job, nullptr);
    }
};

} // namespace lapidary
