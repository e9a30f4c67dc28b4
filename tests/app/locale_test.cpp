// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "tests/app/program.h"
#include "tests/catch.h"

#include <clocale>
#include <locale>
#include <sstream>

namespace lapidary {
namespace {

// Numbers in the notation of much of Europe: 1.234,5.
class CommaNumbers : public std::numpunct<char> {
protected:
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

std::string outputOf(const std::vector<std::string>& arguments)
{
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    Console console{in, out, err};
    runCommandLine(arguments, console);
    return out.str() + err.str();
}

} // namespace

TEST_CASE("the locale does not show in any output", "[cli]")
{
    const TestFolder folder;
    const std::string graph = sample("residual_network.pb");
    const std::vector<std::vector<std::string>> calls{
        {"lapidary", "summarize", graph, "--print-structure"},
        {"lapidary", "summarize", graph, "--json"},
        {"lapidary", "interface", graph},
        {"lapidary", "interface", graph, "--json"},
        {"lapidary", "check", graph},
        {"lapidary", "dot", graph},
        {"lapidary", "convert", graph, "-", "--format", "pbtxt"},
        {"summarize_graph", "--in_graph=" + graph, "--print_structure"},
    };
    std::vector<std::string> plain;
    for (const auto& call : calls)
        plain.push_back(outputOf(call));
    const std::locale before =
        std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
    const char* comma = std::setlocale(LC_ALL, "de_DE.UTF-8");
    if (comma == nullptr)
        WARN("this system has no de_DE.UTF-8; C functions were not tried with a comma");
    for (std::size_t i = 0; i < calls.size(); ++i) {
        INFO(calls[i][1]);
        CHECK(outputOf(calls[i]) == plain[i]);
    }
    std::setlocale(LC_ALL, "C");
    std::locale::global(before);
}

} // namespace lapidary
