// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace lapidary;

namespace {

std::string content(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Width and height in the header of a PNG.
std::pair<int, int> pngSize(const std::string& bytes)
{
    const auto number = [&](std::size_t at) {
        int value = 0;
        for (std::size_t i = at; i < at + 4; ++i)
            value = value * 256 + static_cast<unsigned char>(bytes.at(i));
        return value;
    };
    return {number(16), number(20)};
}

} // namespace

TEST_CASE("render writes the three formats without a display", "[cli]")
{
    const TestFolder folder;
    const std::string model = sample("flat_chain.pb");
    for (const char* name : {"a.png", "a.svg", "a.pdf"}) {
        const Ran ran = runLapidary({"render", model, "-o", folder.file(name)});
        INFO(name << ": " << ran.err);
        CHECK(ran.exitCode == 0);
        CHECK(ran.out.empty());
        CHECK(ran.err.empty());
        CHECK(content(folder.file(name)).size() > 500);
    }
    CHECK(content(folder.file("a.svg")).find("<svg") != std::string::npos);
    CHECK(content(folder.file("a.pdf")).substr(0, 4) == "%PDF");
}

TEST_CASE("render keeps to the size and opens scopes", "[cli]")
{
    const TestFolder folder;
    const std::string model = sample("flat_chain.pb");
    const std::string closed = folder.file("closed.png");
    const std::string open = folder.file("open.png");
    CHECK(runLapidary({"render", model, "-o", closed, "--size", "640x400"}).exitCode == 0);
    CHECK(pngSize(content(closed)) == std::pair(640, 400));
    CHECK(runLapidary({"render", "--expand", "all", model, "-o", open, "--theme=dark"}).exitCode ==
          0);
    CHECK(pngSize(content(open)) != pngSize(content(closed)));
}

TEST_CASE("render refuses what makes no sense, in one line", "[cli]")
{
    const TestFolder folder;
    const std::string model = sample("flat_chain.pb");
    const std::string out = folder.file("a.png");
    const std::vector<std::vector<std::string>> wrong{
        {"render", model},
        {"render", model, "-o", folder.file("a.gif")},
        {"render", model, "-o", out, "--size", "0x10"},
        {"render", model, "-o", out, "--size", "wide"},
        {"render", model, "-o", out, "--theme", "pink"},
        {"render", model, "-o", out, "--expand", "no/such/scope"},
    };
    for (const auto& arguments : wrong) {
        const Ran ran = runLapidary(arguments);
        INFO(ran.err);
        CHECK(ran.exitCode == 2);
        CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
    }
    CHECK(runLapidary({"render", folder.file("none.pb"), "-o", out}).exitCode == 3);
    CHECK(runLapidary({"render", folder.write("x.pb", "hello"), "-o", out}).exitCode == 3);
    CHECK(runLapidary({"render", model, "-o", folder.file("no/a.png")}).exitCode == 3);
}
