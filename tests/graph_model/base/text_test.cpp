// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/hash.h"
#include "graph_model/base/text.h"
#include "graph_model/base/text_cursor.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

TEST_CASE("blanks go at both ends, not inside", "[text]")
{
    CHECK(trimmed(" \t a b\n\r\v\f") == "a b");
    CHECK(trimmed(" \n ").empty());
    CHECK(trimmed("").empty());
    CHECK(trimmed("xaxbx", "x") == "axb");
    for (int c = 0; c < 256; ++c)
        CHECK(isSpace(char(c)) == (c == ' ' || (c >= 9 && c <= 13)));
}

TEST_CASE("capital letters of ASCII become small ones, and no other bytes change", "[text]")
{
    CHECK(lowerCase("@AZ[`az{ \xC3\x84") == "@az[`az{ \xC3\x84");
    CHECK(lowerCase("").empty());
}

TEST_CASE("bytes are escaped as C has them", "[text]")
{
    CHECK(escapedBytes("a\n\r\t\"'\\\x01\x7F\xC3") == "a\\n\\r\\t\\\"\\'\\\\\\001\\177\\303");
    CHECK(inQuotes("a \"b\"") == "\"a \"b\"\"");
}

TEST_CASE("errors of a text tell line and column", "[text]")
{
    TextCursor cursor("motif", "ab\n  cd e");
    CHECK(cursor.takeWhile([](char c) { return c != '\n'; }) == "ab");
    CHECK(cursor.takeAfterSpace('c'));
    CHECK_FALSE(cursor.take('c'));
    CHECK(cursor.expected("x").message == "motif, line 2, column 4: expected x at \"d e\"");
    cursor.skip(100);
    CHECK(cursor.atEnd());
    CHECK(cursor.rest().empty());
    CHECK(cursor.expected("x").message == "motif, line 2, column 7: expected x");
}

// The first numbers for seed 1234567 that the authors' program prints.
TEST_CASE("SplitMix64 gives the published numbers", "[text]")
{
    SplitMix64 random(1234567);
    for (const std::uint64_t expected :
         {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U})
        CHECK(random.next() == expected);
}

} // namespace
} // namespace lapidary
