// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "transforms/diff/difference_list.h"

#include <iosfwd>

namespace lapidary {

// Prints the differences in one sentence and, for a long list, a line for each kind of change in
// each scope. Prints nothing if nothing differs.
void printStory(const DifferenceList& list, std::ostream& out);

// Returns one object for each change: "rule", "scope", "before" and "after" (ops), "nodes" (names).
Json storyJson(const DifferenceList& list);

} // namespace lapidary
