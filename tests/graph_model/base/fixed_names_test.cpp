// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/fixed_names.h"
#include "tests/catch.h"

#include <functional>
#include <string>
#include <vector>

namespace lapidary {

TEST_CASE("names of a table are found, the first of the same ones, and no others", "[fixed_names]")
{
    std::vector<std::string> table{"", "a", "ab", "12345678", "1234567812345678", "same", "same"};
    for (int i = 0; i < 500; ++i) // the same length, beginning and end
        table.push_back("ResourceA" + std::to_string(1000 + i) + "Momentum");
    const FixedNames names(table, std::identity());
    for (std::size_t i = 0; i < table.size(); ++i)
        CHECK(names.find(table[i]) == (i == 6 ? 5 : i));
    for (const char* other : {"b", "abc", "1234567", "123456781234567", "ResourceA1500Momentum"})
        CHECK(names.find(other) == table.size());
    const FixedNames none(std::vector<std::string>{}, std::identity{});
    CHECK(none.find("") == 0);
    CHECK(none.find("a") == 0);
}

} // namespace lapidary
