// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

namespace lapidary {
namespace {

std::string types(const std::vector<DType>& dtypes)
{
    std::string list;
    for (const DType dtype : dtypes) {
        list += char(0x30); // AttrValue.ListValue.type, one byte each
        list += char(int(dtype));
    }
    return std::string("\x0A") + char(list.size()) + list;
}

Result<std::vector<Value>> decode(std::vector<std::string> records)
{
    const auto count = std::int64_t(records.size());
    return runNode("DecodeCSV",
                   {stringsOf({count}, std::move(records)), valueOf<std::int32_t>({1}, {7}),
                    stringsOf({1}, {"none"})},
                   {{"OUT_TYPE", types({DType::Int32, DType::String})}});
}

TEST_CASE("DecodeCSV", "[kernels][parsing]")
{
    struct Row {
        std::string record;
        std::int32_t number;
        std::string text;
    };
    const std::vector<Row> rows{{"1,a", 1, "a"},
                                {" 2 ,", 2, "none"},
                                {",\"b,c\"", 7, "b,c"},
                                {"3,\"say \"\"x\"\"\"", 3, "say \"x\""},
                                {"-4,\"\"", -4, "none"}};
    for (const Row& row : rows) {
        const auto y = decode({row.record});
        INFO(row.record << " " << (y.ok() ? "" : y.error().message));
        REQUIRE(y.ok());
        CHECK(elementsOf<std::int32_t>((*y)[0])[0] == row.number);
        CHECK((*y)[1].strings()[0] == row.text);
    }
    for (const char* bad : {"", "1", "1,a,b", "x,a", "99999999999,a", "1,\"open", "1,\"a\"b",
                            "1,a\"b", "1,a\n", "\"", "1,\""})
        CHECK_FALSE(decode({bad}).ok());
    CHECK(decode({}).ok());
}

} // namespace
} // namespace lapidary
