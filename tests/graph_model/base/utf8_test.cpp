// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/utf8.h"
#include "tests/catch.h"

#include <string>

namespace lapidary {
namespace {

std::string encoded(std::uint32_t point)
{
    if (point < 0x80)
        return {char(point)};
    if (point < 0x800)
        return {char(0xC0 | point >> 6), char(0x80 | (point & 63))};
    if (point < 0x10000)
        return {char(0xE0 | point >> 12), char(0x80 | (point >> 6 & 63)),
                char(0x80 | (point & 63))};
    return {char(0xF0 | point >> 18), char(0x80 | (point >> 12 & 63)),
            char(0x80 | (point >> 6 & 63)), char(0x80 | (point & 63))};
}

TEST_CASE("every code point but surrogates is one sequence, and nothing beyond is", "[utf8]")
{
    std::size_t wrong = 0;
    for (std::uint32_t point = 0; point < 0x140000; ++point) {
        const std::string text = encoded(point);
        const bool exists = point < 0xD800 || (point > 0xDFFF && point <= 0x10FFFF);
        wrong += utf8Length(text + "x") != (exists ? text.size() : 0) ? 1 : 0;
        wrong += isValidUtf8("12345678" + text) != exists ? 1 : 0;
        if (exists && text.size() > 1) // cut off
            wrong += utf8Length(text.substr(0, text.size() - 1)) != 0 ? 1 : 0;
    }
    CHECK(wrong == 0);
}

TEST_CASE("overlong forms, stray bytes and the empty text are not sequences", "[utf8]")
{
    for (const char* text : {"\xC0\xAF", "\xE0\x80\xAF", "\xF0\x80\x80\xAF", "\x80", "\xBF", "\xFE",
                             "\xFF", "\xE2\x28\xA1"})
        CHECK(utf8Length(text) == 0);
    CHECK(utf8Length("") == 0);
    CHECK(isValidUtf8(""));
}

} // namespace
TEST_CASE("a text is cut before a letter, not within it", "[utf8]")
{
    const std::string text = "a\u00e9\u4e2d"; // letters of one, two and three bytes
    CHECK(utf8Boundary(text, 0) == 0);
    CHECK(utf8Boundary(text, 1) == 1);
    CHECK(utf8Boundary(text, 2) == 1);
    CHECK(utf8Boundary(text, 4) == 3);
    CHECK(utf8Boundary(text, 5) == 3);
    CHECK(utf8Boundary(text, 6) == 6);
    CHECK(utf8Boundary(text, 9) == 9);
    CHECK(utf8Boundary("\x80\x80\x80", 2) == 0);
}

} // namespace lapidary
