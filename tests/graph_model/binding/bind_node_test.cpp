// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/binding/bind_node.h"
#include "tests/catch.h"

using namespace lapidary;

namespace {

NodePtr node(std::string op, const std::vector<std::pair<std::string, std::string>>& attrs)
{
    NodeDraft draft;
    draft.name = "n";
    draft.op = std::move(op);
    draft.attrs.assign(attrs.begin(), attrs.end());
    return draft.finish();
}

std::vector<BindFault> faultsOf(const NodePtr& node, bool unbound = false)
{
    const OpSpec* op = findOp(node->op());
    REQUIRE(op != nullptr);
    std::vector<BindFault> faults;
    bindAttrs(*node, *op, unbound, faults);
    return faults;
}

// Returns the kind of the only fault, and its attribute.
std::pair<BindFaultKind, std::string> onlyFault(const NodePtr& node)
{
    const auto faults = faultsOf(node);
    REQUIRE(faults.size() == 1);
    return {faults[0].kind, std::string(faults[0].attr->name)};
}

std::string types(const std::vector<DType>& all)
{
    std::string list;
    for (const DType type : all)
        WireWriter(list).varint(6, std::uint64_t(std::int64_t(type)));
    std::string value;
    WireWriter(value).bytes(1, list);
    return value;
}

std::string placeholderOf(std::string_view name)
{
    std::string value;
    WireWriter(value).bytes(9, name);
    return value;
}

const std::string isFloat = attr::fromType(DType::Float);
const std::string isString = attr::fromType(DType::String);

} // namespace

TEST_CASE("an attribute must be there or have a default", "[bind]")
{
    using enum BindFaultKind;
    CHECK(onlyFault(node("Add", {})) == std::pair(MissingAttr, std::string("T")));
    CHECK(faultsOf(node("Add", {{"T", isFloat}})).empty());
    CHECK(faultsOf(node("ExpandDims", {{"T", isFloat}})).empty()); // Tdim has a default
    CHECK(faultsOf(node("Add", {{"T", isFloat}, {"_mine", "?"}, {"newer", isFloat}})).empty());
    CHECK(bindAttrs(*node("Add", {})).error().message ==
          "n: Add needs the attribute T (type), which is missing");
}

TEST_CASE("an attribute must be of its kind", "[bind]")
{
    using enum BindFaultKind;
    const std::pair wrong(WrongAttrKind, std::string("T"));
    CHECK(onlyFault(node("Add", {{"T", attr::fromInt(1)}})) == wrong);
    CHECK(onlyFault(node("Add", {{"T", ""}})) == wrong);
    CHECK(onlyFault(node("Add", {{"T", types({DType::Float})}})) == wrong);
    CHECK(onlyFault(node("Add", {{"T", placeholderOf("T")}})) == wrong);
    CHECK(faultsOf(node("Add", {{"T", placeholderOf("T")}}), true).empty());
    CHECK(faultsOf(node("IdentityN", {{"T", types({DType::Float, DType::Int32})}})).empty());
    CHECK(onlyFault(node("IdentityN", {{"T", attr::fromInts({1})}})) == wrong);
    CHECK(onlyFault(node("IdentityN", {{"T", isFloat}})) == wrong);
    CHECK(faultsOf(node("ParseSingleExample",
                        {{"num_sparse", attr::fromInt(0)}, // an empty list of old files
                         {"sparse_keys", ""},
                         {"dense_keys", ""},
                         {"sparse_types", ""},
                         {"Tdense", ""},
                         {"dense_shapes", ""}}))
              .empty());
}

TEST_CASE("an attribute must have an allowed value", "[bind]")
{
    using enum BindFaultKind;
    CHECK(onlyFault(node("GatherV2", {{"Tparams", isString},
                                      {"Tindices", attr::fromType(DType::Int32)},
                                      {"Taxis", isFloat}})) ==
          std::pair(AttrNotAllowed, std::string("Taxis")));
    CHECK(onlyFault(node("DecodeCSV", {{"OUT_TYPE", types({DType::UInt8})}})).first ==
          AttrNotAllowed);
    CHECK(onlyFault(node("DecodeCSV", {{"OUT_TYPE", types({DType::Invalid})}})).first == BadDtype);
    CHECK(onlyFault(node("ConcatV2", {{"T", isFloat}, {"N", attr::fromInt(1)}})) ==
          std::pair(AttrTooSmall, std::string("N")));
    CHECK(onlyFault(node("ConcatV2", {{"T", isFloat}, {"N", attr::fromInt(1LL << 40)}})) ==
          std::pair(AttrTooLarge, std::string("N")));
    CHECK(onlyFault(node("Identity", {{"T", attr::fromType(DType(101))}})).first == BadDtype);
    CHECK(onlyFault(node("Identity", {{"T", attr::fromType(DType(77))}})).first == BadDtype);
    CHECK(onlyFault(node("VarHandleOp", {{"dtype", isFloat}, {"shape", attr::fromShape({{-2}})}}))
              .first == BadShape);
    const auto conv = [](const char* padding) {
        return node("Conv2D", {{"T", isFloat},
                               {"strides", attr::fromInts({1, 1, 1, 1})},
                               {"padding", attr::fromString(padding)}});
    };
    CHECK(faultsOf(conv("SAME")).empty());
    CHECK(onlyFault(conv("same")).first == AttrNotAllowed);
    CHECK(onlyFault(conv("SAME\"|\"VALID")).first == AttrNotAllowed);
}

TEST_CASE("inputs must be as many and of the types that the attributes say", "[bind]")
{
    const NodePtr gather = node("GatherV2", {{"Tparams", isString},
                                             {"Tindices", attr::fromType(DType::Int32)},
                                             {"Taxis", attr::fromType(DType::Int32)}});
    using enum DType;
    NodeDraft three = NodeDraft::of(*gather);
    three.inputs = {"a", "b", "c"};
    const NodePtr whole = three.finish();
    CHECK(bindNode(*whole, std::vector{String, Int32, Int32}).ok());
    CHECK(bindNode(*whole, std::vector{String, Invalid, Int32})
              .ok()); // not known before the session runs
    CHECK(bindNode(*whole, std::vector{DType(107), Int32, Int32}).ok()); // a reference to strings
    CHECK(bindNode(*whole, std::vector{String, Int32, Float}).error().message ==
          "n: its input 2 is float, not int32");
    CHECK_FALSE(bindNode(*whole, std::vector{String, Int32}).ok());
    CHECK_FALSE(bindNode(*whole, std::vector{String, Int32, Int32, Int32}).ok());
}

TEST_CASE("ops of the program itself are refused, unknown ones are not judged", "[bind]")
{
    CHECK_FALSE(bindAttrs(*node("_LapidaryQuantize", {{"T", isFloat}})).ok());
    CHECK(bindAttrs(*node("SomebodysOp", {{"T", ""}})).ok());
    CHECK(isInternalOp("_LapidaryAnythingElse"));
    CHECK_FALSE(isInternalOp("_Retval"));
}
