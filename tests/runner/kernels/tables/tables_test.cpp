// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

namespace lapidary {
namespace {

using Ids = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

SmallGraph::Feeds rows(const Texts& keys, const Ids& values)
{
    return {{"keys", stringsOf({std::int64_t(keys.size())}, keys)},
            {"values", valueOf<std::int64_t>({std::int64_t(values.size())}, values)},
            {"other", scalarOf<std::int64_t>(-1)}};
}

// `op` makes the table, from string to int64; the graph has every op on tables.
SmallGraph table(const std::string& op)
{
    const auto type = [](const char* name, DType dtype) {
        return std::pair<std::string, std::string>(name, attr::fromType(dtype));
    };
    SmallGraph g;
    g.input("keys", DType::String).input("values", DType::Int64).input("other", DType::Int64);
    g.node("t", op, {}, {type("key_dtype", DType::String), type("value_dtype", DType::Int64)});
    g.node("init", "InitializeTableV2", {"t", "keys", "values"},
           {type("Tkey", DType::String), type("Tval", DType::Int64)});
    const NodeAttrs inOut{type("Tin", DType::String), type("Tout", DType::Int64)};
    g.node("insert", "LookupTableInsertV2", {"t", "keys", "values"}, inOut);
    g.node("import", "LookupTableImportV2", {"t", "keys", "values"}, inOut);
    g.node("remove", "LookupTableRemoveV2", {"t", "keys"}, {type("Tin", DType::String)});
    g.node("find", "LookupTableFindV2", {"t", "keys", "other"}, inOut);
    g.node("size", "LookupTableSizeV2", {"t"});
    g.node("export", "LookupTableExportV2", {"t"},
           {type("Tkeys", DType::String), type("Tvalues", DType::Int64)});
    g.node("wrong", "LookupTableFindV2", {"t", "values", "other"},
           {type("Tin", DType::Int64), type("Tout", DType::Int64)});
    return g;
}

} // namespace

TEST_CASE("a hash table is filled once", "[kernels][tables]")
{
    SmallGraph g = table("HashTableV2");
    CHECK(g.fault("find", rows({"a"}, {})).starts_with("find: "));
    REQUIRE(g.fault("init", rows({"a", "", "b"}, {1, 2, 3})).empty());
    CHECK(g.fault("init", rows({"a", "", "b"}, {1, 2, 3})).empty()); // the same content again
    CHECK(heldBy<std::int64_t>(g.run("find", rows({"b", "x", "", "b"}, {}))) ==
          holds<std::int64_t>({3, -1, 2, 3}));
    CHECK(heldBy<std::int64_t>(g.run("find", rows({}, {}))) == holds<std::int64_t>({}));
    CHECK(heldBy<std::int64_t>(g.run("size")) == holds<std::int64_t>({3}));
    CHECK(g.fault("insert", rows({"c"}, {4})).starts_with("insert: "));
    CHECK(g.fault("wrong", rows({}, {1})).starts_with("wrong: "));
}

TEST_CASE("keys and values must go together", "[kernels][tables]")
{
    for (const char* op : {"HashTableV2", "MutableHashTableV2"}) {
        SmallGraph g = table(op);
        const std::string fill = op == std::string("HashTableV2") ? "init" : "insert";
        INFO(op);
        CHECK(g.fault(fill, rows({"a", "b"}, {1})).starts_with(fill + ": "));
        CHECK(g.fault(fill, rows({"a"}, {1, 2})).starts_with(fill + ": "));
    }
    SmallGraph twice = table("HashTableV2");
    CHECK(twice.fault("init", rows({"a", "a"}, {1, 2})).starts_with("init: "));
}

TEST_CASE("a mutable table is changed, imported and emptied", "[kernels][tables]")
{
    SmallGraph g = table("MutableHashTableV2");
    CHECK(heldBy<std::int64_t>(g.run("size")) == holds<std::int64_t>({0}));
    REQUIRE(g.fault("insert", rows({"a", "b"}, {1, 2})).empty());
    REQUIRE(g.fault("insert", rows({"b", "c"}, {20, 30})).empty());
    CHECK(heldBy<std::int64_t>(g.run("find", rows({"a", "b", "c", "d"}, {}))) ==
          holds<std::int64_t>({1, 20, 30, -1}));
    REQUIRE(g.fault("remove", rows({"a", "never there"}, {})).empty());
    CHECK(heldBy<std::int64_t>(g.run("size")) == holds<std::int64_t>({2}));
    REQUIRE(g.fault("import", rows({"z"}, {9})).empty());
    const auto all = g.runAll({"export:0", "export:1"});
    REQUIRE(all.ok());
    REQUIRE((*all)[0].dims() == Dims{1});
    CHECK((*all)[0].strings()[0] == "z");
    CHECK(elementsOf<std::int64_t>((*all)[1]) == Ids{9});
}

TEST_CASE("a dense table refuses its empty and deleted keys", "[kernels][tables]")
{
    const auto type = [](const char* name, DType dtype) {
        return std::pair<std::string, std::string>(name, attr::fromType(dtype));
    };
    SmallGraph g;
    g.input("empty", DType::Int64).input("deleted", DType::Int64);
    g.input("keys", DType::Int64).input("values", DType::Float);
    g.node("t", "MutableDenseHashTableV2", {"empty", "deleted"},
           {type("key_dtype", DType::Int64), type("value_dtype", DType::Float)});
    const NodeAttrs inOut{type("Tin", DType::Int64), type("Tout", DType::Float)};
    g.node("insert", "LookupTableInsertV2", {"t", "keys", "values"}, inOut);
    const auto insert = [&](std::int64_t key) {
        return g.fault("insert", {{"empty", scalarOf<std::int64_t>(0)},
                                  {"deleted", scalarOf<std::int64_t>(-1)},
                                  {"keys", valueOf<std::int64_t>({1}, {key})},
                                  {"values", valueOf<float>({1}, {1})}});
    };
    CHECK(insert(5).empty());
    CHECK(insert(0).starts_with("insert: "));
    CHECK(insert(-1).starts_with("insert: "));
}

} // namespace lapidary
