// SPDX-License-Identifier: Apache-2.0
#include "runner/checkpoint/fill_tables.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <algorithm>

namespace lapidary {
namespace {

using Names = std::vector<std::string>;

// Two tables of an op; the second has two fillers and a copy of its handle.
GraphPtr tables(const std::string& op)
{
    return graph("keys = Const()\n"
                 "values = Const()\n"
                 "one = " +
                 op +
                 "()\n"
                 "two = " +
                 op +
                 "()\n"
                 "handle = Identity(two)\n"
                 "a = LookupTableImportV2(one, keys, values)\n"
                 "b = LookupTableImportV2(two, keys, values)\n"
                 "c = LookupTableImportV2(handle, keys, values)\n");
}

Names sorted(Names names)
{
    std::ranges::sort(names);
    return names;
}

} // namespace

TEST_CASE("all nodes that fill tables from constants are found", "[tables]")
{
    CHECK(sorted(tableFillers(*tables("HashTableV2"))) == Names{"a", "b", "c"});
    CHECK(tableFillers(*graph("table = HashTableV2()\nkeys = Placeholder()\n"
                              "fill = LookupTableImportV2(table, keys, keys)\n"))
              .empty());
}

TEST_CASE("a table that several nodes change has no certain content", "[tables]")
{
    CHECK(sorted(certainFillers(*tables("HashTableV2"))) == Names{"a", "b", "c"});
    CHECK(sorted(certainFillers(*tables("MutableHashTableV2"))) == Names{"a"});
    CHECK(certainFillers(*graph("table = MutableHashTableV2()\nkeys = Const()\n"
                                "new = Placeholder()\n"
                                "fill = LookupTableImportV2(table, keys, keys)\n"
                                "learn = LookupTableInsertV2(table, new, new)\n"))
              .empty());
}

TEST_CASE("a node that fills something else than a table is not run", "[tables]")
{
    CHECK(certainFillers(*graph("keys = Const()\n"
                                "fill = LookupTableImportV2(keys, keys, keys)\n"))
              .empty());
}

} // namespace lapidary
