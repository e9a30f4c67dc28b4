// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/node_maker.h"
#include "tests/catch.h"

using namespace lapidary;

namespace {

using Attrs = std::vector<std::pair<std::string, std::string>>;

NodePtr nodeOf(std::string op, Attrs attrs, std::size_t inputs = 0)
{
    NodeDraft draft;
    draft.name = "n";
    draft.op = std::move(op);
    draft.attrs.assign(attrs.begin(), attrs.end());
    draft.inputs.resize(inputs, "x");
    return draft.finish();
}

const OpSpec& spec(const NodePtr& of)
{
    const OpSpec* found = findOp(of->op());
    REQUIRE(found != nullptr);
    return *found;
}

std::string typeList(const std::vector<DType>& types)
{
    std::string list;
    for (const DType type : types)
        WireWriter(list).varint(6, std::uint64_t(type));
    std::string value;
    WireWriter(value).bytes(1, list);
    return value;
}

const std::string floatType = attr::fromType(DType::Float);

} // namespace

TEST_CASE("signatures: plain arguments", "[ops]")
{
    const NodePtr relu = nodeOf("Relu", {{"T", floatType}});
    CHECK(inputLength(*relu, spec(relu)) == 1);
    CHECK(outputLength(*relu, spec(relu)) == 1);
    CHECK(inputDtype(*relu, spec(relu), 0) == DType::Float);
    CHECK(outputDtype(*relu, spec(relu), 0) == DType::Float);
    CHECK(outputDtype(*relu, spec(relu), 1) == DType::Invalid);
    CHECK(outputDtype(*relu, spec(relu), -1) == DType::Invalid);
    const NodePtr bare = nodeOf("Relu", {});
    CHECK(outputDtype(*bare, spec(bare), 0) == DType::Invalid);
    const NodePtr noOp = nodeOf("NoOp", {});
    CHECK(outputLength(*noOp, spec(noOp)) == 0);
}

TEST_CASE("signatures: counts and defaults", "[ops]")
{
    const NodePtr split = nodeOf("Split", {{"T", floatType}, {"num_split", attr::fromInt(3)}});
    CHECK(outputLength(*split, spec(split)) == 3);
    CHECK(inputDtype(*split, spec(split), 0) == DType::Int32);
    CHECK(outputPort(*split, spec(split), "output", 2) == 2);
    CHECK_FALSE(outputPort(*split, spec(split), "output", 3).has_value());
    CHECK_FALSE(outputPort(*split, spec(split), "other", 0).has_value());
    const NodePtr huge =
        nodeOf("Split", {{"T", floatType}, {"num_split", attr::fromInt(std::int64_t(1) << 40)}});
    CHECK_FALSE(outputLength(*huge, spec(huge)).has_value());
    const NodePtr many =
        nodeOf("Split", {{"T", floatType}, {"num_split", attr::fromInt(2000000000)}});
    CHECK(outputLength(*many, spec(many)) == 2000000000);
    CHECK(outputDtypes(*many, spec(many)).empty()); // memory for this is never reserved
    const NodePtr wide = nodeOf("Split", {{"T", floatType}, {"num_split", attr::fromInt(512)}});
    CHECK(outputDtypes(*wide, spec(wide)) == std::vector<DType>(512, DType::Float));
    const NodePtr concat =
        nodeOf("ConcatV2", {{"T", floatType}, {"N", attr::fromInt(2)}}, 3); // Tidx has a default
    CHECK(inputDtypes(*concat, spec(concat)) ==
          std::vector<DType>{DType::Float, DType::Float, DType::Int32});
}

TEST_CASE("signatures: lists of types and references", "[ops]")
{
    const NodePtr identity =
        nodeOf("IdentityN", {{"T", typeList({DType::Float, DType::Int64})}}, 2);
    CHECK(inputLength(*identity, spec(identity)) == 2);
    CHECK(outputDtype(*identity, spec(identity), 1) == DType::Int64);
    CHECK(outputDtypes(*identity, spec(identity)) ==
          std::vector<DType>{DType::Float, DType::Int64});
    const NodePtr other = nodeOf("IdentityN", {{"T", attr::fromInts({1, 9})}});
    CHECK_FALSE(inputLength(*other, spec(other)).has_value());
    const NodePtr assign = nodeOf("Assign", {{"T", floatType}});
    CHECK(inputDtype(*assign, spec(assign), 0) == DType(101));
    CHECK(inputDtype(*assign, spec(assign), 1) == DType::Float);
    CHECK(outputDtype(*assign, spec(assign), 0) == DType(101));
    CHECK(givesReference(*assign, spec(assign), 0));
    CHECK_FALSE(givesReference(*identity, spec(identity), 1));
    const NodePtr relu = nodeOf("Relu", {{"T", floatType}});
    CHECK_FALSE(givesReference(*relu, spec(relu), 0));
}

TEST_CASE("later types of spectra follow their attributes", "[binding]")
{
    const Attrs doubles{{"Treal", attr::fromType(DType::Double)},
                        {"Tcomplex", attr::fromType(DType::Complex128)}};
    const NodePtr later = nodeOf("RFFT", doubles, 2);
    CHECK(inputDtype(*later, spec(later), 0) == DType::Double);
    CHECK(inputDtype(*later, spec(later), 1) == DType::Int32);
    CHECK(outputDtype(*later, spec(later), 0) == DType::Complex128);
    const NodePtr back = nodeOf("IRFFT2D", doubles, 2);
    CHECK(inputDtype(*back, spec(back), 0) == DType::Complex128);
    CHECK(outputDtype(*back, spec(back), 0) == DType::Double);
    const NodePtr usual = nodeOf("RFFT", {}, 2);
    CHECK(outputDtype(*usual, spec(usual), 0) == DType::Complex64);
    const NodePtr wrong = nodeOf("RFFT", {{"Treal", attr::fromType(DType::String)}}, 2);
    CHECK(inputDtype(*wrong, spec(wrong), 0) == DType::Float);
}

TEST_CASE("types of inputs and outputs follow the attributes", "[signature]")
{
    const auto types = [](const char* op, DType type, bool ofInputs) {
        NodeDraft draft;
        draft.name = "n";
        draft.op = op;
        if (draft.op == "Relu")
            draft.inputs = {"x"};
        draft.setAttr(std::string_view(op) == "Const" ? "dtype" : "T", attr::fromType(type));
        const NodePtr nodeOf = draft.finish();
        return ofInputs ? inputDtypes(*nodeOf, *findOp(op)) : outputDtypes(*nodeOf, *findOp(op));
    };
    using Types = std::vector<DType>;
    CHECK(types("Const", DType::Float, true).empty());
    for (const DType type : {DType::Float, DType::Int32}) {
        CHECK(types("Const", type, false) == Types{type});
        CHECK(types("Relu", type, true) == Types{type});
        CHECK(types("Relu", type, false) == Types{type});
    }
}
