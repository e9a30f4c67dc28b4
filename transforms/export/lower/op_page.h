// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary {

// Returns the page of all ops that are exported or refused by name, in Markdown:
// resources/help/export_ops.md.
std::string exportOpsPage();

} // namespace lapidary
