// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <optional>
#include <string>
#include <utility>

namespace lapidary {

// A node that rounds to codes, with its range, as found when the numbers were compared.
struct RoundedTensor {
    std::string node;                             // in the graph that was compared
    std::optional<std::pair<float, float>> range; // none: it is measured at run time, and not known
};
// Returns the node of a pair of the lens whose range can be set; none if there is no such node.
std::optional<RoundedTensor> roundedTensor(const LensSession& lens, std::size_t pair);
// Returns the index of the pair whose tensor is the first output of a node; none if there is none.
std::optional<std::size_t> pairOf(const Verification& found, std::string_view node);

// Tells whether there is a trial that worked and the shown graph is the one that it was made on.
bool canKeepRange(const Document& document);
// Appends the step that sets the tried range to the state that is shown, and applies it.
void keepRange(Document& document);

} // namespace lapidary
