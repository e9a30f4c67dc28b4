// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lapidary::goldens {

// The lines of a log without their times and source positions, as the recordings have them: "I
// text", or "text" where there is no level.
std::vector<std::string> plainLines(const std::string& log);

// The errors among them; the original's fatal ones are errors of ours.
std::string errorText(const std::vector<std::string>& lines);

// As reasonFault(): what a program says on standard error against the recorded lines. Nodes that
// the original itself made, such as "png_reader", need no name.
std::string complaintFault(std::vector<std::string> recorded, const std::string& err);

} // namespace lapidary::goldens
