// SPDX-License-Identifier: Apache-2.0
// --signature of transform.
#include "tests/app/program.h"
#include "tests/catch.h"
#include "tests/source_folder.h"

namespace lapidary {

TEST_CASE("transform keeps what a signature names", "[cli]")
{
    const std::string model = sourceFolder() / "tests/goldens/models/real/half_plus_two";
    const TestFolder folder;
    const std::string out = folder.file("out.pb");
    const Ran ran = runLapidary({"transform", model, "--preset", "mobile-fp32", "--signature",
                                 "regress_x2_to_y3", "-o", out});
    INFO(ran.err);
    REQUIRE(ran.exitCode == 0);
    const Ran summary = runLapidary({"summarize", out});
    CHECK(summary.out.find("1 possible input: (name=x2,") != std::string::npos);
    CHECK(summary.out.find("1 possible output: (name=y3,") != std::string::npos);
    const Ran unknown = runLapidary(
        {"transform", model, "--preset", "mobile-fp32", "--signature", "nosuch", "-o", out});
    CHECK(unknown.exitCode == 3);
    CHECK(unknown.err.find("no signature nosuch; there is classify_x2_to_y3") != std::string::npos);
}

} // namespace lapidary
