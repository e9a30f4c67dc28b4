// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"

#include <algorithm>
#include <sstream>

using namespace lapidary;

TEST_CASE("the reference has a row for every verb of the help", "[cli]")
{
    const Ran help = runLapidary({"--help"});
    const Ran reference = runLapidary({"--reference"});
    CHECK(reference.exitCode == 0);
    CHECK(reference.err.empty());
    CHECK(reference.out.starts_with("| verb | what it does |\n|---|---|\n| `autopilot FILE"));
    std::istringstream lines(help.out.substr(help.out.find("Verbs:\n") + 7));
    std::size_t verbs = 0;
    for (std::string line; std::getline(lines, line) && line.starts_with("  "); ++verbs) {
        const std::string verb = line.substr(2, line.find(' ', 2) - 2);
        INFO(verb);
        const std::size_t row = reference.out.find("\n| `" + verb + (verb == "keys" ? "`" : " "));
        CHECK(row != std::string::npos);
        CHECK_FALSE(reference.out.find("` | ", row) == std::string::npos);
    }
    CHECK(verbs >= 30);
    CHECK(std::size_t(std::ranges::count(reference.out, '\n')) == verbs + 2);
}
