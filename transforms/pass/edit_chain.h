// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

namespace lapidary {

// Returns the lineage of two edits in a row: from the first one's base to the second one's result.
Lineage chained(const Lineage& first, const Lineage& second);

// Several edits in a row that count as one.
class EditChain {
public:
    explicit EditChain(GraphPtr base);

    const GraphPtr& graph() const { return m_result.graph; }
    // Adds an edit of graph(). Returns its number of changes, or its error.
    Result<std::size_t> apply(Result<EditResult> edit);
    // Returns findings in graph() with each node replaced by its origins in the base.
    Findings inBase(Findings findings) const;
    EditResult finish() && { return std::move(m_result); }

private:
    EditResult m_result;
};

} // namespace lapidary
