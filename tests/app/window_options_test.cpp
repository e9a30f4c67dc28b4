// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"

#include <cstdlib>

using namespace lapidary;

TEST_CASE("without a display the window says so and what works instead", "[cli]")
{
    unsetenv("QT_QPA_PLATFORM"); // NOLINT(concurrency-mt-unsafe)
    const Ran ran = runLapidary({sample("flat_chain.pb")});
    CHECK(ran.exitCode == 2);
    CHECK(ran.err.find("no display") != std::string::npos);
    CHECK(ran.err.find("lapidary render") != std::string::npos);
    const Ran wrongName = runLapidary({"nosuch.pb"});
    CHECK(wrongName.exitCode == 3);
    CHECK(wrongName.err == "lapidary: nosuch.pb: no such file\n");
}

TEST_CASE("an option of the window without its file is named", "[cli]")
{
    setenv("QT_QPA_PLATFORM", "offscreen", 1); // NOLINT(concurrency-mt-unsafe)
    for (const std::vector<std::string>& call :
         {std::vector<std::string>{"--script"}, {"--watchdog", "--script", "s"}}) {
        const Ran ran = runLapidary(call);
        CHECK(ran.exitCode == 2);
        CHECK(ran.err.find(call[0] + ": a file must follow") != std::string::npos);
    }
    const Ran unknown = runLapidary({"--no-such-option"});
    CHECK(unknown.exitCode == 2);
    CHECK(unknown.err.find("--no-such-option: unknown option") != std::string::npos);
    unsetenv("QT_QPA_PLATFORM"); // NOLINT(concurrency-mt-unsafe)
}
