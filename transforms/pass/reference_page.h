// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <string>

namespace lapidary {

// Everything about one pass, in Markdown that reads well as it is.
std::string passReference(const Pass& pass);
// The page of all passes, in Markdown: resources/help/passes.md.
std::string passReferencePage();

} // namespace lapidary
