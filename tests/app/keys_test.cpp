// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"

using namespace lapidary;

TEST_CASE("keys lists the commands of the window without a display", "[cli]")
{
    const Ran ran = runLapidary({"keys"});
    CHECK(ran.exitCode == 0);
    CHECK(ran.err.empty());
    CHECK(ran.out.starts_with("## File\n\n| key | command | what it does | id |\n"));
    CHECK(ran.out.find("\n| Ctrl+O | Open | ") != std::string::npos);
    CHECK(ran.out.find("\n| *Enter* | Open or close scope | ") != std::string::npos);
    const Ran help = runLapidary({"keys", "--help"});
    CHECK(help.exitCode == 0);
    CHECK(help.out.find("Example: lapidary keys") != std::string::npos);
    CHECK(runLapidary({"keys", "--no-such-flag"}).exitCode == 2);
}
