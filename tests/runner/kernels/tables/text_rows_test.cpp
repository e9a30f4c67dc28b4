// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/tables/text_rows.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string int64Bytes(std::int64_t number)
{
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

TextColumns wordsToNumbers()
{
    TextColumns columns;
    columns.key = TextColumns::wholeLine;
    columns.value = TextColumns::lineNumber;
    columns.keyType = DType::String;
    columns.valueType = DType::Int64;
    return columns;
}

std::string faultOf(std::string_view content, const TextColumns& columns)
{
    const auto rows = textRows(content, columns);
    return rows ? "" : rows.error().message;
}

} // namespace

TEST_CASE("lines of a file are the rows of a table", "[tables]")
{
    const auto words = textRows("cat\r\ndog\n\nfox", wordsToNumbers());
    REQUIRE(words.ok());
    CHECK(*words == Rows{{"cat", int64Bytes(0)},
                         {"dog", int64Bytes(1)},
                         {"", int64Bytes(2)},
                         {"fox", int64Bytes(3)}});
    TextColumns columns = wordsToNumbers();
    columns.key = 1;
    columns.value = 0;
    columns.delimiter = ", ";
    columns.most = 1;
    const auto pairs = textRows("7, seven\nnot read", columns);
    REQUIRE(pairs.ok());
    CHECK(*pairs == Rows{{"seven", int64Bytes(7)}});
    CHECK(textRows("", wordsToNumbers())->empty());
}

TEST_CASE("lines that do not suit a table are told", "[tables]")
{
    TextColumns columns = wordsToNumbers();
    columns.most = 3;
    CHECK(faultOf("a\nb", columns) == "vocab_size is 3 but the file has 2 lines");
    columns = wordsToNumbers();
    columns.value = 1;
    CHECK(faultOf("a\t1\nb", columns) == "line 1 has no column 1");
    CHECK(faultOf("a\t1\nb\tx", columns) == "'x' in line 1 is not a valid int64");
    columns.value = TextColumns::wholeLine;
    CHECK(faultOf("a", columns) == "column -2 of a file cannot be int64");
    columns.value = -7;
    CHECK(faultOf("a", columns) == "column -7 of a file cannot be int64");
    columns = wordsToNumbers();
    columns.valueType = DType::Half;
    columns.value = 0;
    CHECK(faultOf("1", columns) == "column 0 of a file cannot be half");
}

} // namespace lapidary
