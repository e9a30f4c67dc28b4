// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary::goldens {

// Returns the folder that has goldens/ and models/: $LAPIDARY_SHARED, else ../shared beside the
// checkout, else the selection in tests/goldens.
std::filesystem::path dataRoot();

// Returns whether it is that selection, which has only some of the cases.
bool isSelection();

// Returns what is missing in the folder "goldens/ops" below dataRoot(), according to
// recordings.tsv; empty if nothing is.
std::string missingRecordings(const std::string& folder);

// Returns false if the test should return because there is nothing to read: either recordings are
// missing, which fails the test, or the selection leaves this folder out.
bool present(const std::string& folder);

// Returns the files of cases (*.jsonl) in a folder, sorted.
std::vector<std::filesystem::path> caseFiles(const std::string& folder);

} // namespace lapidary::goldens
