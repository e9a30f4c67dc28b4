// SPDX-License-Identifier: Apache-2.0
#include "app/script/script.h"
#include "tests/catch.h"

using namespace lapidary;

namespace {

std::vector<std::string> words(std::string_view text)
{
    const auto line = parseScriptLine(text, 1);
    REQUIRE(line.ok());
    if (!*line)
        return {};
    std::vector<std::string> all{(*line)->command};
    all.insert(all.end(), (*line)->arguments.begin(), (*line)->arguments.end());
    return all;
}

using Words = std::vector<std::string>;

} // namespace

TEST_CASE("script lines are words, JSON strings and comments", "[script]")
{
    CHECK(words("open a.pb") == Words{"open", "a.pb"});
    CHECK(words("  say   \"two words\"  # not this") == Words{"say", "two words"});
    CHECK(words("type \"a\\\"b\\u00e9\"") == Words{"type", "a\"b\xC3\xA9"});
    CHECK(words("select a#b") == Words{"select", "a#b"});
    CHECK(words("type \"\"") == Words{"type", ""});
    CHECK(words("# only a comment").empty());
    CHECK(words(" \t\r").empty());
}

TEST_CASE("broken script lines are refused with their number", "[script]")
{
    for (const char* text : {"say \"open", "say \"\\q\""}) {
        const auto line = parseScriptLine(text, 7);
        REQUIRE(!line.ok());
        CHECK(line.error().message.find("line 7") == 0);
    }
}
