// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <string>

namespace lapidary {

// Returns all documentation of one pass, in Markdown that is also readable as plain text.
std::string passReference(const Pass& pass);
// Returns the page of all passes, in Markdown: resources/help/passes.md.
std::string passReferencePage();

} // namespace lapidary
