// SPDX-License-Identifier: Apache-2.0
// The verb benchmark.
#include "tests/app/program.h"
#include "tests/catch.h"
#include "tests/source_folder.h"

namespace lapidary {

TEST_CASE("an 8-bit graph has as many operations as the float one", "[cli]")
{
    const std::string plain = sourceFolder() / "tests/goldens/models/trained/tiny_mobilenet.pb";
    const TestFolder folder;
    const std::string codes = folder.file("8bit.pb");
    REQUIRE(
        runLapidary({"transform", plain, "--preset", "arm-8bit-accurate", "-o", codes}).exitCode ==
        0);
    const auto operations = [](const std::string& file) {
        return runLapidary({"benchmark", file, "--json", "--max-num-runs", "1"}).json()["flops"];
    };
    CHECK(operations(plain) == 2048000);
    CHECK(operations(codes) == 2048000);
}

TEST_CASE("a benchmark lists all nodes only where it is asked to", "[cli]")
{
    const std::string model = sourceFolder() / "tests/goldens/models/trained/tiny_mobilenet.pb";
    const Ran brief = runLapidary({"benchmark", model, "--max-num-runs", "1"});
    CHECK(brief.out.find("= Run Order =") == std::string::npos);
    CHECK(brief.out.find("= Top by Computation Time =") != std::string::npos);
    const Ran whole = runLapidary({"benchmark", model, "--max-num-runs", "1", "--show-run-order"});
    CHECK(whole.out.find("= Run Order =") != std::string::npos);
}

} // namespace lapidary
