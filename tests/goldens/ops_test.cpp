// What TensorFlow's CPU kernels compute, op by op, and whole graphs with control flow.
#include "tests/goldens/run_cases.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace lapidary::goldens {
namespace {

void runFolder(const std::string& folder)
{
    if (!present(folder))
        return;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(dataRoot() / "goldens" / folder))
        if (entry.path().extension() == ".jsonl")
            files.push_back(entry.path());
    std::ranges::sort(files);
    Tally tally(folder);
    for (const auto& file : files)
        runCaseFile(file, tally);
    tally.finish();
}

TEST_CASE("ops compute what was recorded", "[ops]")
{
    runFolder("ops");
}

TEST_CASE("control flow, state and functions do what was recorded", "[flow]")
{
    runFolder("flow");
}

} // namespace
} // namespace lapidary::goldens
