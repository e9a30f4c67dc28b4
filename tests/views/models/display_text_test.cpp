// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/models/display_text.h"

#include <limits>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

TEST_CASE("names of any bytes become one line of plain text", "[display_text]")
{
    CHECK(plainText("a/b") == u"a/b"_s);
    CHECK(plainText("two\nlines\t") == u"two\\nlines\\t"_s);
    CHECK(plainText("bad\xFFone") == u"bad\\xffone"_s);
    CHECK(plainText("\xC3") == u"\\xc3"_s);
    CHECK(plainText("\xC3\xA9\xFF") == u"\u00E9\\xff"_s);
    CHECK(plainText("\xED\xA0\x80") == u"\\xed\\xa0\\x80"_s); // a lone surrogate
    CHECK(plainText(std::string_view("\0", 1)) == u"\\x00"_s);
    CHECK(plainText("\xE2\x80\xAE") == u"\\u202e"_s); // turns text around
    CHECK(plainText("<b>") == u"<b>"_s);
    CHECK(lastPathPart("a/b/c") == u"c"_s);
    CHECK(lastPathPart("a/") == u"a/"_s);
}

TEST_CASE("numbers are formatted for people", "[display_text]")
{
    CHECK(countText(999) == u"999"_s);
    CHECK(countText(25'610'152) == u"25.6 M"_s);
    CHECK(countText(999'999) == u"1.00 M"_s);
    CHECK(bytesText(812) == u"812 B"_s);
    CHECK(bytesText(97'500'000) == u"97.5 MB"_s);
    CHECK(durationText(12.34) == u"12.3 ms"_s);
    CHECK(durationText(1200) == u"1.20 s"_s);
    CHECK(exactText(1234567) == u"1\u202F234\u202F567"_s);
    CHECK(exactText(-1234) == u"-1\u202F234"_s);
    CHECK(exactText(-123) == u"-123"_s);
    CHECK(valueText(-0.412) == u"\u22120.412"_s);
    CHECK(valueText(std::numeric_limits<double>::quiet_NaN()) == u"nan"_s);
    CHECK(counted(1, u"node"_s) == u"1 node"_s);
    CHECK(counted(3, u"node"_s) == u"3 nodes"_s);
}
