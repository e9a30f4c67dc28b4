// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <optional>
#include <string>
#include <utility>

namespace lapidary {

// The range in which a node rounds to codes, as the comparison of the numbers found it.
struct RoundedTensor {
    std::string node;                             // of the graph that was compared
    std::optional<std::pair<float, float>> range; // nothing: it is measured, and not known
};
// Returns the node of a pair of the lens whose range can be set; nothing if there is none.
std::optional<RoundedTensor> roundedTensor(const LensSession& lens, std::size_t pair);
// The pair that shows what a node makes of a tensor; nothing: none does.
std::optional<std::size_t> pairOf(const Verification& found, std::string_view node);

// Whether there is a trial that worked and the graph that is shown is the one it was made on.
bool canKeepRange(const Document& document);
// Appends the step that sets the tried range to the state that is shown, and applies it.
void keepRange(Document& document);

} // namespace lapidary
