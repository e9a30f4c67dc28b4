// SPDX-License-Identifier: Apache-2.0
// The results of TensorFlow's CPU kernels, op by op, and of whole graphs with control flow.
#include "runner/int8/back_end.h"
#include "tests/catch.h"
#include "tests/goldens/run_cases.h"
#include "tests/source_folder.h"

#include <cstdlib>
#include <iostream>

namespace lapidary::goldens {
namespace {

// LAPIDARY_CASES=Conv2D runs only the cases of that file.
void runFolder(const std::string& folder, const std::string& backEnd = {})
{
    if (!present("goldens/" + folder))
        return;
    const char* only = std::getenv("LAPIDARY_CASES");
    Tally tally(folder);
    if (only != nullptr)
        tally.readsSome();
    for (const auto& file : caseFiles("goldens/" + folder)) {
        if (only != nullptr && file.stem() != only)
            continue;
        tally.beginPart(file.stem().string());
        runCaseFile(file, tally, backEnd);
    }
    tally.finish();
}

TEST_CASE("ops compute what was recorded", "[ops]")
{
    runFolder("ops");
}

TEST_CASE("rarer ops compute what was recorded beside the tests", "[ops]")
{
    const std::filesystem::path folder = sourceFolder() / "tests/goldens/recorded";
    Tally tally("recorded");
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".jsonl")
            continue;
        ++files;
        tally.beginPart(entry.path().stem().string());
        runCaseFile(entry.path(), tally);
    }
    tally.finish();
    CHECK(files >= 127);
}

TEST_CASE("control flow, state and functions do what was recorded", "[flow]")
{
    runFolder("flow");
}

TEST_CASE("8-bit ops and chains of them give the recorded codes", "[quantised]")
{
    for (const int8::BackEnd* backEnd : int8::backEnds()) {
        if (!backEnd->isAvailable())
            continue;
        std::cout << "back end " << backEnd->name << '\n';
        runFolder("quantised", std::string(backEnd->name));
    }
}

} // namespace
} // namespace lapidary::goldens
