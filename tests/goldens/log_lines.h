// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lapidary::goldens {

// Returns the lines of the log without times and source positions, as in the recordings: "I text",
// or "text" for lines without a level.
std::vector<std::string> plainLines(const std::string& log);

// Returns the errors among them; fatal errors of the original are errors of ours.
std::string errorText(const std::vector<std::string>& lines);

// As reasonFault(), for the program's standard error and the recorded lines. Nodes that the
// original itself added, such as "png_reader", need not be named.
std::string complaintFault(std::vector<std::string> recorded, const std::string& err);

} // namespace lapidary::goldens
