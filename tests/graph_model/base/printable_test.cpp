// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/printable.h"
#include "tests/catch.h"

using lapidary::printable;

TEST_CASE("printable: what can be read stays", "[base]")
{
    CHECK(printable("conv1/weights") == "conv1/weights");
    CHECK(printable("über/层 😀 '\"<b>") == "über/层 😀 '\"<b>");
    CHECK(printable("").empty());
}

TEST_CASE("printable: controls and broken UTF-8 are escaped", "[base]")
{
    CHECK(printable("a\nb\x1b[31m\x7f") == "a\\x0ab\\x1b[31m\\x7f");
    CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
    CHECK(printable("\xff\xc3") == "\\xff\\xc3");
    CHECK(printable("\xc0\x80") == "\\xc0\\x80");                   // overlong
    CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");          // a surrogate
    CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80"); // beyond Unicode
    CHECK(printable("abc\u202egpj") == "abc\\xe2\\x80\\xaegpj");    // right to left
    CHECK(printable("a\u2066b\u2028") == "a\\xe2\\x81\\xa6b\\xe2\\x80\\xa8");
    CHECK(printable("\u0085") == "\\xc2\\x85");
}
