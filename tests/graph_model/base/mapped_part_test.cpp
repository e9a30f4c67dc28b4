// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_file.h"
#include "graph_model/base/mapped_part.h"
#include "graph_model/base/spilled_bytes.h"
#include "tests/catch.h"
#include "tests/graph_model/base/scratch_file.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

using namespace lapidary;
namespace fs = std::filesystem;

namespace {

std::string pattern(std::size_t size)
{
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i)
        text[i] = char(i * 31 + i / 251);
    return text;
}

// Returns the resident memory of these bytes, by /proc/self/smaps.
std::size_t residentKilobytes(std::string_view bytes)
{
    const auto first = reinterpret_cast<std::uintptr_t>(bytes.data());
    std::ifstream maps("/proc/self/smaps");
    std::size_t sum = 0;
    bool isInside = false;
    for (std::string line; std::getline(maps, line);) {
        unsigned long long begin = 0;
        unsigned long long end = 0;
        unsigned long long resident = 0;
        if (std::sscanf(line.c_str(), "%llx-%llx ", &begin, &end) == 2)
            isInside = begin >= first && end <= first + bytes.size();
        else if (isInside && std::sscanf(line.c_str(), "Rss: %llu kB", &resident) == 1)
            sum += std::size_t(resident);
    }
    return sum;
}

} // namespace

TEST_CASE("a head comes before a part of a file, wherever the part begins", "[read]")
{
    const std::string content = pattern(50000);
    const ScratchFile file(content);
    for (const std::size_t offset : {0U, 1U, 40U, 4095U, 4096U, 4097U, 12345U}) {
        for (const std::size_t size : {1U, 4096U, 30000U}) {
            for (const std::string& head : {std::string(), std::string("head"), pattern(4096)}) {
                INFO(offset << " " << size << " " << head.size());
                const std::vector<FilePart> parts{{offset, size, head}};
                const auto mapped = mapFileParts(file.path(), parts);
                REQUIRE(mapped.ok());
                const std::string wanted = head + content.substr(offset, size);
                CHECK(mapped->parts.front() == wanted);
                releasePages(*mapped->buffer, mapped->parts.front());
                CHECK(mapped->parts.front() == wanted);
                CHECK(mapped->buffer->intact().ok());
            }
        }
    }
}

TEST_CASE("a part that the file does not have is an error, and so is a file that changed", "[read]")
{
    const ScratchFile file(pattern(5000));
    const auto isMapped = [](const fs::path& path, const FilePart& part) {
        return mapFileParts(path, {&part, 1}).ok();
    };
    CHECK_FALSE(isMapped(file.path(), {4000, 1001, "head"}));
    CHECK_FALSE(isMapped(file.path(), {5001, 0, "head"}));
    CHECK_FALSE(isMapped(file.path(), {0, 10, pattern(5000)}));
    CHECK_FALSE(isMapped("/nowhere/at all", {0, 1, "head"}));
    const FilePart all{0, 5000, "head"};
    const auto mapped = mapFileParts(file.path(), {&all, 1});
    REQUIRE(mapped.ok());
    fs::resize_file(file.path(), 10);
    CHECK_FALSE(mapped->buffer->intact().ok());
}

TEST_CASE("the pages of parts are given back, those that hold a head are not", "[read]")
{
    const std::size_t size = std::size_t(1) << 20;
    const std::string content = pattern(3 * size);
    const ScratchFile file(content);
    const std::vector<FilePart> parts{{10, size, "a head that reaches back over a page"},
                                      {size + 500, size, pattern(4000)}};
    const auto mapped = mapFileParts(file.path(), parts);
    REQUIRE(mapped.ok());
    const auto isRight = [&](std::size_t i) {
        return mapped->parts[i] == parts[i].head + content.substr(parts[i].offset, parts[i].length);
    };
    REQUIRE(isRight(0));
    REQUIRE(isRight(1));
    const std::size_t before = residentKilobytes(mapped->buffer->bytes());
    CHECK(before >= 2 * size / 1024);
    releasePages(*mapped->buffer, mapped->parts[0]);
    CHECK(residentKilobytes(mapped->buffer->bytes()) <= before - size / 1024 + 16);
    releasePages(*mapped->buffer, mapped->buffer->bytes());
    CHECK(residentKilobytes(mapped->buffer->bytes()) <= 32);
    CHECK(isRight(0));
    CHECK(isRight(1));
}

TEST_CASE("spilled bytes are the same", "[read]")
{
    const std::string body = pattern(70000);
    const auto spilled = spillBytes("head", body);
    REQUIRE(spilled.ok());
    CHECK((*spilled)->bytes() == "head" + body);
    CHECK((*spilled)->intact().ok());
    CHECK_FALSE(spillBytes("", "").ok());
}
