// SPDX-License-Identifier: Apache-2.0
// Operators on 8-bit codes, drawn at random, compared with the results of TFLite's reference
// kernels for the same files: tflite_codes.tsv has the beginning of the SHA-256 of each output.
// `record_codes` writes the table.
#include "graph_model/lift/lift_graph.h"
#include "graph_model/read/model_file.h"
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/goldens/code_cases.h"
#include "tests/goldens/code_drawing.h"
#include "tests/goldens/golden_data.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace lapidary::goldens {
namespace {

constexpr std::uint64_t drawings = 64; // of each operator
constexpr std::size_t digits = 8;

std::string computed(const std::string& bytes)
{
    const auto file = readModelBytes(bytes, "drawn", Job());
    if (!file)
        return file.error().message;
    if (file->graphs.empty())
        return "no graph";
    const auto lifted = liftGraph(file->graphs[0].graph, Job());
    REQUIRE(lifted);
    SessionOptions options;
    options.memoryLimit = std::uint64_t(256) << 20;
    Session session(*lifted, options);
    RunRequest request;
    request.fetches = {"y"};
    const auto made = session.run(request, Job());
    return made ? sha256(made->front().bytes()).substr(0, digits) : made.error().message;
}

} // namespace

TEST_CASE("Codes of 8 bits are those of TFLite's reference kernels", "[codes]")
{
    std::ifstream table(sourceFolder() / "tests/goldens/tflite_codes.tsv");
    std::size_t operators = 0;
    for (std::string line; std::getline(table, line);) {
        std::istringstream words(line);
        std::string op;
        words >> op;
        if (op.empty() || op[0] == '#')
            continue;
        ++operators;
        std::string expected;
        std::string wrong;
        std::uint64_t number = 0;
        for (; words >> expected; ++number)
            if (expected != "-" && computed(drawnFile(op, number)) != expected)
                wrong += " " + std::to_string(number);
        INFO(op << ": drawings" << wrong);
        CHECK(wrong.empty());
        CHECK(number == drawings);
    }
    CHECK(operators == drawnOperators().size());
}

// A file with changed bytes is refused, or computes something.
TEST_CASE("Damaged files of codes of 8 bits do no harm", "[codes]")
{
    constexpr std::uint64_t tries = 150;
    drawn::Chance chance(1);
    std::size_t refused = 0;
    for (const std::string_view op : drawnOperators())
        for (std::uint64_t number = 0; number < tries; ++number) {
            std::string bytes = drawnFile(op, number % drawings);
            for (std::int32_t i = chance.within(1, 3); i > 0; --i)
                bytes[std::size_t(chance.within(0, std::int32_t(bytes.size()) - 1))] =
                    char(chance.within(0, 255));
            const std::string made = computed(bytes);
            CHECK(!made.empty());
            refused += made.size() == digits ? 0 : 1;
        }
    CHECK(refused > 0);
}

// Writes the files and this program's results for record_codes.
TEST_CASE("Drawn files are written", "[.][code_files]")
{
    const char* folder = std::getenv("LAPIDARY_CODE_FILES"); // NOLINT(concurrency-mt-unsafe)
    REQUIRE(folder != nullptr);
    for (const std::string_view op : drawnOperators())
        for (std::uint64_t number = 0; number < drawings; ++number) {
            const std::string name = std::string(op) + "." + std::to_string(number);
            const std::string bytes = drawnFile(op, number);
            writeBytes(std::filesystem::path(folder) / (name + ".tflite"), bytes);
            writeBytes(std::filesystem::path(folder) / (name + ".txt"), computed(bytes));
        }
}

} // namespace lapidary::goldens
