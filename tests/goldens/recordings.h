// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary::goldens {

// The folder that holds goldens/ and models/: $LAPIDARY_SHARED, else ../shared beside the checkout,
// else the choice in tests/goldens.
std::filesystem::path dataRoot();

// It is that choice, which has some of the cases only.
bool isSelection();

// Returns what is missing below dataRoot() of the folder "goldens/ops"; recordings.tsv lists the
// required files and cases. Empty: nothing.
std::string missingRecordings(const std::string& folder);

// Fails the running test where recordings are missing. False where there is nothing to read and the
// test should return: they are missing, or the choice leaves this folder out.
bool present(const std::string& folder);

// The files of a folder with cases (*.jsonl), sorted.
std::vector<std::filesystem::path> caseFiles(const std::string& folder);

} // namespace lapidary::goldens
