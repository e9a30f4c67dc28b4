// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_lists.h"
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <vector>

namespace lapidary {
namespace {

std::vector<std::string> textsOf(const Result<Value>& value)
{
    if (!value)
        return {"error: " + value.error().message};
    return {value->strings().begin(), value->strings().end()};
}

using Texts = std::vector<std::string>;

TEST_CASE("StringToNumber and AsString undo each other", "[kernels][strings]")
{
    for (const float x : {0.0F, -0.0F, 1.5F, 1e30F, -1e-30F, INFINITY, 3.4028235e38F}) {
        const auto text =
            runOne("AsString", {scalarOf(x)},
                   {{"precision", attr::fromInt(9)}, {"scientific", attr::fromBool(true)}});
        REQUIRE(text.ok());
        const auto back =
            runOne("StringToNumber", {*text}, {{"out_type", attr::fromType(DType::Float)}});
        INFO(textsOf(text)[0] << (back.ok() ? "" : back.error().message));
        REQUIRE(back.ok());
        CHECK(elementsOf<float>(*back)[0] == x);
    }
    for (const char* bad : {"", " ", "1x", "0x", "--1", "1 2", "infinit", "+-1"})
        CHECK_FALSE(runOne("StringToNumber", {stringsOf({}, {bad})},
                           {{"out_type", attr::fromType(DType::Float)}})
                        .ok());
}

TEST_CASE("AsString refuses formats of any size", "[kernels][strings]")
{
    CHECK_FALSE(runOne("AsString", {scalarOf(1.0F)}, {{"width", attr::fromInt(1 << 30)}}).ok());
    CHECK_FALSE(runOne("AsString", {scalarOf(1.0F)}, {{"fill", attr::fromString("n")}}).ok());
}

TEST_CASE("Substr counts bytes or characters, from either end", "[kernels][strings]")
{
    const auto substr = [](const char* text, std::int32_t from, std::int32_t length, bool utf8) {
        return textsOf(runOne("Substr", {stringsOf({}, {text}), scalarOf(from), scalarOf(length)},
                              {{"unit", attr::fromString(utf8 ? "UTF8_CHAR" : "BYTE")}}))[0];
    };
    CHECK(substr("hello", 1, 3, false) == "ell");
    CHECK(substr("hello", -2, 9, false) == "lo");
    CHECK(substr("hello", 5, 1, false).empty());
    CHECK(substr("h\xC3\xA9llo", 1, 1, true) == "\xC3\xA9");
    CHECK(substr("h\xC3\xA9", -1, INT32_MAX, true) == "\xC3\xA9");
    CHECK(substr("\xFF\xC3", 1, 1, true) == "\xC3"); // truncated
    CHECK(substr("hi", 3, 1, false).starts_with("error: y: "));
    CHECK(substr("hi", INT32_MIN, 1, false).starts_with("error: y: "));
}

TEST_CASE("UnicodeScript gives ICU's number of a script", "[kernels][strings]")
{
    const std::vector<std::int32_t> points{'A', ' ', 0x3B1, 0x410, 0x10FFFF, 0x110000, -1};
    const auto scripts = runOne("UnicodeScript", {valueOf<std::int32_t>({7}, points)});
    REQUIRE(scripts.ok());
    CHECK(elementsOf<std::int32_t>(*scripts) ==
          std::vector<std::int32_t>{25, 0, 14, 8, 103, -1, -1});
}

TEST_CASE("StringJoin", "[kernels][strings]")
{
    CHECK(textsOf(runOne("StringJoin", {stringsOf({2}, {"a", "b"}), stringsOf({}, {"!"})},
                         {{"separator", attr::fromString("-")}})) == Texts{"a-!", "b-!"});
    CHECK(textsOf(runOne("StringJoin", {stringsOf({0}, {}), stringsOf({}, {"!"})})).empty());
    CHECK_FALSE(runOne("StringJoin", {stringsOf({2}, {"a", "b"}), stringsOf({1}, {"c"})}).ok());
}

TEST_CASE("regular expressions are RE2's", "[kernels][strings]")
{
    const auto replace = [](const char* text, const char* pattern, const char* rewrite) {
        return textsOf(runOne("RegexReplace", {stringsOf({}, {text}), stringsOf({}, {pattern}),
                                               stringsOf({}, {rewrite})}))[0];
    };
    CHECK(replace("aXbX", "X", "-") == "a-b-");
    CHECK(replace("ab", "(a)(b)", "\\2\\1") == "ba");
    CHECK(replace("ab", "(", "x").starts_with("error: y: "));
    const std::string nested(100000, '(');
    CHECK(replace("ab", nested.c_str(), "x").starts_with("error: y: "));
}

TEST_CASE("base64", "[kernels][strings]")
{
    for (const char* text : {"", "a", "ab", "abc", "\xFF\xFE\xFD\xFC"}) {
        for (const bool pads : {false, true}) {
            const auto coded =
                runOne("EncodeBase64", {stringsOf({}, {text})}, {{"pad", attr::fromBool(pads)}});
            REQUIRE(coded.ok());
            CHECK(textsOf(runOne("DecodeBase64", {*coded})) == Texts{text});
        }
    }
    for (const char* bad : {"a", "a=", "====", "!!!!", "ab+/"})
        CHECK_FALSE(runOne("DecodeBase64", {stringsOf({}, {bad})}).ok());
}

TEST_CASE("SparseCross refuses types that say another count of columns", "[kernels][strings]")
{
    // N is 1, but sparse_types is empty: a dense text takes the position of the shapes.
    const auto crossed = runNode("SparseCross",
                                 {valueOf<std::int64_t>({1, 2}, {0, 0}),
                                  valueOf<std::int64_t>({2}, {1, 1}), stringsOf({2}, {"a", "b"})},
                                 {{"N", attr::fromInt(1)},
                                  {"hashed_output", attr::fromBool(false)},
                                  {"num_buckets", attr::fromInt(0)},
                                  {"hash_key", attr::fromInt(1)},
                                  {"sparse_types", attr::fromTypes({})},
                                  {"dense_types", attr::fromTypes(std::vector{DType::String})},
                                  {"out_type", attr::fromType(DType::String)},
                                  {"internal_type", attr::fromType(DType::String)}});
    REQUIRE_FALSE(crossed);
    CHECK(crossed.error().message.find("N does not fit") != std::string::npos);
}

} // namespace
} // namespace lapidary
