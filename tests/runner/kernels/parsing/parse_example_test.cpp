// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

namespace lapidary {
namespace {

using Floats = std::vector<float>;
using Longs = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

// Repeated attributes are lists; their fields have the numbers of single values.
std::string shapesAttr(const std::vector<Shape>& shapes)
{
    std::string list;
    for (const Shape& shape : shapes)
        list += attr::fromShape(shape);
    return std::string("\x0a") + char(list.size()) + list;
}

Texts textsOf(const Value& value)
{
    return {value.strings().begin(), value.strings().end()};
}

Value texts(const Texts& all)
{
    return stringsOf({std::int64_t(all.size())}, all);
}

// Parses examples written as JSON with ParseExampleV2: a sparse feature "s", a dense one "d" of two
// values, and a ragged one "r".
struct Parsed {
    explicit Parsed(Dims batch)
        : dims(std::move(batch))
    {
        graph.input("json", DType::String)
            .input("none", DType::String)
            .input("sparse", DType::String)
            .input("dense", DType::String)
            .input("ragged", DType::String)
            .input("fallback", DType::Float)
            .node("e", "DecodeJSONExample", {"json"})
            .node("y", "ParseExampleV2", {"e", "none", "sparse", "dense", "ragged", "fallback"},
                  {{"Tdense", typesAttr({DType::Float})},
                   {"num_sparse", attr::fromInt(1)},
                   {"sparse_types", typesAttr({DType::String})},
                   {"ragged_value_types", typesAttr({DType::Int64})},
                   {"ragged_split_types", typesAttr({DType::Int32})},
                   {"dense_shapes", shapesAttr({{{2}, false}})}});
    }
    Result<std::vector<Value>> run(const Texts& json, const Texts& ragged = {"r"})
    {
        return graph.runAll({"y:0", "y:1", "y:2", "y:3", "y:4", "y:5"},
                            {{"json", stringsOf(dims, json)},
                             {"none", texts({})},
                             {"sparse", texts({"s"})},
                             {"dense", texts({"d"})},
                             {"ragged", texts(ragged)},
                             {"fallback", valueOf<float>({2}, {8, 9})}});
    }

    SmallGraph graph;
    Dims dims;
};

Texts decoded(const std::string& json)
{
    const auto made = runOne("DecodeJSONExample", {texts({json})});
    return made ? textsOf(*made) : Texts{made.error().message};
}

TEST_CASE("ParseExampleV2 gives sparse, dense and ragged features", "[parsing]")
{
    Parsed parsed({2});
    const auto out =
        parsed.run({R"({"features": {"feature": {"s": {"bytesList": {"value": ["YQ==", "Yg=="]}},
                                      "r": {"int64List": {"value": ["7", 8, 9]}}}}})",
                    R"({"features": {"feature": {"d": {"floatList": {"value": [1.5, "2.5"]}}}}})"});
    REQUIRE(out.ok());
    const auto& values = *out;
    CHECK(elementsOf<std::int64_t>(values[0]) == Longs{0, 0, 0, 1});
    CHECK(textsOf(values[1]) == Texts{"a", "b"});
    CHECK(elementsOf<std::int64_t>(values[2]) == Longs{2, 2});
    CHECK(values[3].dims() == Dims{2, 2});
    CHECK(elementsOf<float>(values[3]) == Floats{8, 9, 1.5F, 2.5F});
    CHECK(elementsOf<std::int64_t>(values[4]) == Longs{7, 8, 9});
    CHECK(elementsOf<std::int32_t>(values[5]) == std::vector<std::int32_t>{0, 3, 3});
}

TEST_CASE("keys, types and inputs of ParseExampleV2 must agree", "[parsing]")
{
    Parsed parsed({1});
    CHECK(parsed.run({"{}"}).ok());
    CHECK_FALSE(parsed.run({"{}"}, {"r", "too many"}).ok());
    const auto wrong =
        parsed.run({R"({"features": {"feature": {"r": {"floatList": {"value": [1]}}}}})"});
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().message.find("feature r of example 0 is float") != std::string::npos);
    Parsed one({});
    const auto alone = one.run({"{}"});
    REQUIRE_FALSE(alone.ok());
    CHECK(alone.error().message.find("ragged features need a batch") != std::string::npos);
}

TEST_CASE("an example as JSON is the same message", "[parsing]")
{
    CHECK(decoded("{}") == Texts{""});
    CHECK(decoded(R"({"features": null})") == Texts{""});
    // features { feature { key: "a" value { int64_list { value: 3 value: -1 } } } }
    const std::string integers("\x0a\x16\x0a\x14\x0a\x01"
                               "a\x12\x0f\x1a\x0d\x08\x03\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                               "\x01");
    CHECK(decoded(R"({"features": {"feature": {"a": {"int64_list": {"value": [3, "-1"]}}}}})") ==
          Texts{integers});
    for (const char* wrong :
         {"", "[]", "{", R"({"feature": {}})", R"({"features": {"feature": []}})",
          R"({"features": {"feature": {"a": {"int64List": {"value": [0.5]}}}}})",
          R"({"features": {"feature": {"a": {"bytesList": {"value": ["?"]}}}}})",
          R"({"features": {"feature": {"a": {"floatList": {"value": "1"}}}}})"}) {
        INFO(wrong);
        CHECK(decoded(wrong).front().find("example 0") != std::string::npos);
    }
}

} // namespace
} // namespace lapidary
