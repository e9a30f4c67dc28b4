// SPDX-License-Identifier: Apache-2.0
// The tokenizers of TensorFlow Text. The expected results are those of its release 2.18.
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

namespace lapidary {
namespace {

using Texts = std::vector<std::string>;
using Places = std::vector<std::int64_t>;

struct Tokens {
    Texts texts;
    Places begins, ends, rows;

    bool operator==(const Tokens&) const = default;
};

Texts textsOf(const Value& value)
{
    return {value.strings().begin(), value.strings().end()};
}

Tokens split(const Texts& rows, const std::string& delimiter, const std::string& kept)
{
    const auto made =
        runNode("RegexSplitWithOffsets", {stringsOf({std::int64_t(rows.size())}, rows),
                                          stringsOf({}, {delimiter}), stringsOf({}, {kept})});
    if (!made)
        return {{made.error().message}, {}, {}, {}};
    return {textsOf((*made)[0]), elementsOf<std::int64_t>((*made)[1]),
            elementsOf<std::int64_t>((*made)[2]), elementsOf<std::int64_t>((*made)[3])};
}

Tokens pieces(const Texts& words, const NodeAttrs& attrs)
{
    const Texts known{"un",   "##aff", "##able",   "##a",    "##ff",  "want",
                      "##ed", "b",     "##\u65E5", "\u65E5", "[UNK]", "##[UNK]"};
    SmallGraph g;
    g.input("keys", DType::String).input("values", DType::Int64).input("words", DType::String);
    g.node("t", "HashTableV2", {},
           {{"key_dtype", attr::fromType(DType::String)},
            {"value_dtype", attr::fromType(DType::Int64)}});
    g.node("init", "InitializeTableV2", {"t", "keys", "values"},
           {{"Tkey", attr::fromType(DType::String)}, {"Tval", attr::fromType(DType::Int64)}});
    NodeAttrs all = attrs;
    const auto usual = [&](const char* name, std::string value) {
        if (std::ranges::find(all, name, &NodeAttrs::value_type::first) == all.end())
            all.emplace_back(name, std::move(value));
    };
    usual("suffix_indicator", attr::fromString("##"));
    usual("max_bytes_per_word", attr::fromInt(100));
    usual("use_unknown_token", attr::fromBool(true));
    usual("unknown_token", attr::fromString("[UNK]"));
    g.node("w", "WordpieceTokenizeWithOffsets", {"words", "t"}, all);
    REQUIRE(g.fault("w:0", {{"words", stringsOf({1}, {"b"})}}).find("not filled") !=
            std::string::npos);
    REQUIRE(
        g.fault("init", {{"keys", stringsOf({12}, known)}, {"values", rampOf<std::int64_t>({12})}})
            .empty());
    const auto made = g.runAll({"w:0", "w:1", "w:2", "w:3"},
                               {{"words", stringsOf({std::int64_t(words.size())}, words)}});
    if (!made)
        return {{made.error().message}, {}, {}, {}};
    return {textsOf((*made)[0]), elementsOf<std::int64_t>((*made)[2]),
            elementsOf<std::int64_t>((*made)[3]), elementsOf<std::int64_t>((*made)[1])};
}

const auto yes = attr::fromBool(true);
const auto no = attr::fromBool(false);

} // namespace

TEST_CASE("texts are split where a pattern matches", "[kernels][strings]")
{
    CHECK(split({"hello there", " a  b ", ""}, "(\\s)", "()") ==
          Tokens{{"hello", "there", "a", "b"}, {0, 6, 1, 4}, {5, 11, 2, 5}, {0, 2, 4, 4}});
    CHECK(split({"hi there, you."}, "(\\s|[,.])", "([,.])") ==
          Tokens{{"hi", "there", ",", "you", "."}, {0, 3, 8, 10, 13}, {2, 8, 9, 13, 14}, {0, 5}});
    CHECK(split({"foobar"}, "(o)(b)", "(o)") ==
          Tokens{{"fo", "o", "ar"}, {0, 2, 4}, {2, 3, 6}, {0, 3}});
    CHECK(split({"--a"}, "(-+)", "(-)") == Tokens{{"a"}, {2}, {3}, {0, 1}}); // the whole word
    CHECK(split({}, "( )", "()") == Tokens{{}, {}, {}, {0}});
}

TEST_CASE("patterns that split nothing, or without end, are refused", "[kernels][strings]")
{
    CHECK(split({"a"}, "(", "()").texts[0].find("not valid") != std::string::npos);
    CHECK(split({"a"}, "( )", "[").texts[0].find("not valid") != std::string::npos);
    CHECK(split({"a"}, " ", "()").texts[0].find("group") != std::string::npos);
    CHECK(split({"a b"}, "( *)", "()").texts[0].find("empty text") != std::string::npos);
}

TEST_CASE("words are cut into the longest pieces that are known", "[kernels][strings]")
{
    CHECK(pieces({"unaffable", "wanted", "unwanted", "", "b\u65E5", "xb"}, {}) ==
          Tokens{{"un", "##aff", "##able", "want", "##ed", "[UNK]", "b", "##\u65E5", "[UNK]"},
                 {0, 2, 5, 0, 4, 0, 0, 1, 0},
                 {2, 5, 9, 4, 6, 8, 1, 4, 2},
                 {3, 2, 1, 0, 2, 1}});
    CHECK(pieces({"unwanted", "bx"}, {{"use_unknown_token", no}}) ==
          Tokens{{"unwanted", "bx"}, {0, 0}, {8, 2}, {1, 1}});
    CHECK(pieces({"unb"}, {{"output_row_partition_type", attr::fromString("row_splits")}}).rows ==
          Places{0, 1});
    CHECK(pieces({"b\xFF"}, {}) == Tokens{{"[UNK]"}, {0}, {2}, {1}});
}

TEST_CASE("characters that no piece has are unknown alone, if wanted", "[kernels][strings]")
{
    CHECK(pieces({"unxaff", "xb"}, {{"split_unknown_characters", yes}}) ==
          Tokens{{"un", "##[UNK]", "##aff", "[UNK]", "##[UNK]"},
                 {0, 2, 3, 0, 1},
                 {2, 3, 6, 1, 2},
                 {3, 2}});
    CHECK(pieces({"unxaff"}, {{"split_unknown_characters", yes}, {"use_unknown_token", no}}) ==
          Tokens{{"un", "##x", "##aff"}, {0, 2, 3}, {2, 3, 6}, {3}});
}

TEST_CASE("long words and long pieces are not looked up", "[kernels][strings]")
{
    CHECK(pieces({"unaffable", "want"}, {{"max_bytes_per_word", attr::fromInt(7)}}) ==
          Tokens{{"[UNK]", "want"}, {0, 0}, {5, 4}, {1, 1}});
    CHECK(pieces({"unaffable"},
                 {{"max_chars_per_token", attr::fromInt(3)}, {"split_unknown_characters", yes}}) ==
          Tokens{{"un", "##aff", "##a", "##[UNK]", "##[UNK]", "##[UNK]"},
                 {0, 2, 5, 6, 7, 8},
                 {2, 5, 6, 7, 8, 9},
                 {6}});
}

} // namespace lapidary
