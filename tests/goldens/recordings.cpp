// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/recordings.h"

#include "tests/catch.h"
#include "tests/goldens/case_table.h"
#include "tests/shared_data.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <fstream>
#include <iostream>

namespace lapidary::goldens {
namespace {

namespace fs = std::filesystem;

struct Amount {
    std::size_t files = 0;
    std::size_t cases = 0; // lines of the *.jsonl files
};

std::size_t linesOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);)
        lines += line.empty() ? 0 : 1;
    return lines;
}

Amount amountIn(const fs::path& folder)
{
    Amount amount;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
        if (!entry.is_regular_file())
            continue;
        ++amount.files;
        if (entry.path().extension() == ".jsonl")
            amount.cases += linesOf(entry.path());
    }
    return amount;
}

// A row has a folder, the numbers of its files and cases in all recordings, and in the selection.
Amount expectedOf(const std::string& folder)
{
    for (const auto& row : tableRows("recordings.tsv"))
        if (row.size() == 5 && row[0] == folder) {
            const std::size_t first = isSelection() ? 3 : 1;
            return {std::stoul(row[first]), std::stoul(row[first + 1])};
        }
    INFO("recordings.tsv has no row for " << folder);
    REQUIRE(false);
    return {};
}

} // namespace

fs::path dataRoot()
{
    return sharedData();
}

bool isSelection()
{
    std::error_code none;
    return fs::weakly_canonical(dataRoot(), none) ==
           fs::weakly_canonical(sourceFolder() / "tests" / "goldens", none);
}

std::string missingRecordings(const std::string& folder)
{
    const Amount expected = expectedOf(folder);
    const Amount found = amountIn(dataRoot() / folder);
    const std::string of = (dataRoot() / folder).string() + " has ";
    if (found.files < expected.files)
        return of + std::to_string(found.files) + " files, not " + std::to_string(expected.files);
    if (found.cases < expected.cases)
        return of + std::to_string(found.cases) + " cases, not " + std::to_string(expected.cases);
    return "";
}

bool present(const std::string& folder)
{
    const std::string missing = missingRecordings(folder);
    INFO(missing);
    CHECK(missing.empty());
    if (fs::is_directory(dataRoot() / folder))
        return true;
    if (missing.empty())
        std::cout << folder << ": not in the choice of recordings\n";
    return false;
}

std::vector<fs::path> caseFiles(const std::string& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(dataRoot() / folder))
        if (entry.path().extension() == ".jsonl")
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

} // namespace lapidary::goldens
