// SPDX-License-Identifier: Apache-2.0
// The table of op traits against the signatures of TensorFlow's registry.
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "tests/catch.h"

#include <algorithm>
#include <string>

using namespace lapidary;

TEST_CASE("an op that passes its input on gives the type of its first input", "[op_traits]")
{
    int count = 0;
    for (const OpSpec& op : allOps()) {
        if (!passesInputOn(op.name) && !copiesInput(op.name) && !keepsElements(op.name))
            continue;
        INFO(op.name);
        REQUIRE_FALSE(op.inputs.empty());
        REQUIRE(op.outputs.size() == 1);
        CHECK(op.outputs[0].typeAttr == op.inputs[0].typeAttr);
        CHECK_FALSE(op.outputs[0].typeAttr.empty());
        ++count;
    }
    CHECK(count >= 13);
}

TEST_CASE("a copy passes its input on and is not control flow", "[op_traits]")
{
    for (const OpSpec& op : allOps()) {
        INFO(op.name);
        CHECK((!copiesInput(op.name) || passesInputOn(op.name)));
        CHECK((!passesInputOn(op.name) || controlFlow(op.name) == ControlFlow::None));
        CHECK((!passesEachInputOn(op.name) || !op.outputs[0].typeListAttr.empty()));
    }
}

TEST_CASE("ops that make variables are stateful and read nothing", "[op_traits]")
{
    for (const OpSpec& op : allOps()) {
        if (!isVariable(op.name))
            continue;
        INFO(op.name);
        CHECK(op.isStateful);
        CHECK(op.inputs.empty());
        REQUIRE(op.outputs.size() == 1);
        CHECK(isVariableHandle(op.name) == (op.outputs[0].dtype == DType::Resource));
        CHECK(op.outputs[0].isReference != isVariableHandle(op.name));
    }
    CHECK(isReferenceVariable("VariableV2"));
    CHECK_FALSE(isReferenceVariable("VarHandleOp"));
    CHECK_FALSE(isReferenceVariable("TemporaryVariable"));
}

TEST_CASE("an op that writes into a reference variable is known to change it", "[op_traits]")
{
    int count = 0;
    for (const OpSpec& op : allOps()) {
        if (op.inputs.empty() || !op.inputs[0].isReference || op.inputs[0].typeAttr.empty())
            continue; // references to strings are handles of queues and readers
        INFO(op.name);
        const bool passesOn = controlFlow(op.name) != ControlFlow::None || passesInputOn(op.name) ||
                              op.name == "DebugGradientRefIdentity";
        CHECK(changesVariable(op.name) == (!passesOn && op.name != "DestroyTemporaryVariable"));
        CHECK((!assignsVariable(op.name) || changesVariable(op.name)));
        ++count;
    }
    CHECK(count >= 40);
    CHECK(changesVariable("ResourceApplyAdam"));
    CHECK_FALSE(changesVariable("ResourceGather"));
    // By names alone these would be taken for others.
    for (const OpSpec& op : allOps()) {
        INFO(op.name);
        const bool takesState = !op.inputs.empty() &&
                                (op.inputs[0].isReference || op.inputs[0].dtype == DType::Resource);
        CHECK((takesState || !changesVariable(op.name)));
    }
    CHECK_FALSE(changesVariable("ReadVariableOp"));
}

TEST_CASE("an op that passes a handle on has it as its output", "[op_traits]")
{
    for (const char* op : {"Identity", "Enter", "Exit", "Merge", "NextIteration", "Switch"})
        CHECK(passesResourceOn(op));
    for (const char* op : {"LoopCond", "ReadVariableOp", "CheckNumerics", "While", "Add"})
        CHECK_FALSE(passesResourceOn(op));
}

TEST_CASE("control flow of references is of the same kind", "[op_traits]")
{
    for (const OpSpec& op : allOps()) {
        const std::string reference = "Ref" + std::string(op.name);
        if (controlFlow(op.name) == ControlFlow::None || findOp(reference) == nullptr)
            continue;
        INFO(op.name);
        CHECK(controlFlow(reference) == controlFlow(op.name));
        CHECK(findOp(reference)->outputs[0].isReference);
    }
    CHECK(isMerge("RefMerge"));
    CHECK(isSwitch("_SwitchN"));
    CHECK_FALSE(isMerge("MergeSummary"));
}

TEST_CASE("an op that calls functions has an attribute that names one", "[op_traits]")
{
    for (const OpSpec& op : allOps()) {
        if (callKind(op.name) == CallKind::None)
            continue;
        INFO(op.name);
        CHECK(std::ranges::any_of(op.attrs, [](const AttrSpec& attr) {
            return attr.kind == "func" || attr.kind == "list(func)";
        }));
    }
}

TEST_CASE("an op that asks for sizes gives integers of a chosen width", "[op_traits]")
{
    for (const OpSpec& op : allOps()) {
        INFO(op.name);
        if (asksForSize(op.name)) {
            CHECK((op.outputs[0].dtype == DType::Int32 || op.outputs[0].typeAttr == "out_type"));
        }
    }
    CHECK_FALSE(asksForSize("ShapeMine"));
    CHECK_FALSE(asksForSize(""));
}

TEST_CASE("an op that rounds within a range is given two floats", "[op_traits]")
{
    int count = 0;
    for (const OpSpec& op : allOps()) {
        const auto at = rangeInput(op.name);
        if (!at)
            continue;
        INFO(op.name);
        REQUIRE(op.inputs.size() > *at + 1);
        CHECK(op.inputs[*at].name.find("min") != std::string_view::npos);
        CHECK(op.inputs[*at + 1].name.find("max") != std::string_view::npos);
        CHECK(op.inputs[*at].dtype == DType::Float);
        ++count;
    }
    CHECK(count == 3);
}

TEST_CASE("a table has keys of a type, and a run can change the mutable ones", "[op_traits]")
{
    int count = 0;
    int mutableOnes = 0;
    for (const OpSpec& op : allOps()) {
        const bool hasKeys = std::ranges::any_of(
            op.attrs, [](const auto& attribute) { return attribute.name == "key_dtype"; });
        INFO(op.name);
        CHECK(isTable(op.name) == hasKeys);
        CHECK((!isMutableTable(op.name) || isTable(op.name)));
        count += isTable(op.name);
        mutableOnes += isMutableTable(op.name);
    }
    CHECK(count == 8);
    CHECK(mutableOnes == 6);
    CHECK_FALSE(isMutableTable("MutableProtoDataset"));
}

TEST_CASE("an op that takes a part of its first input keeps the type of its elements",
          "[op_traits]")
{
    int count = 0;
    for (const OpSpec& op : allOps()) {
        if (!takesPart(op.name))
            continue;
        INFO(op.name);
        REQUIRE(op.inputs.size() > 1);
        CHECK_FALSE(op.inputs[0].typeAttr.empty());
        CHECK(op.outputs[0].typeAttr == op.inputs[0].typeAttr);
        ++count;
    }
    CHECK(count == 5);
}

TEST_CASE("additions are pairwise, and a Select takes a condition and two values", "[op_traits]")
{
    int count = 0;
    for (const OpSpec& op : allOps()) {
        INFO(op.name);
        CHECK((!isAddition(op.name) || isPairwise(op.name)));
        if (!isSelect(op.name))
            continue;
        REQUIRE(op.inputs.size() == 3);
        CHECK(op.inputs[0].dtype == DType::Bool);
        CHECK(op.inputs[1].typeAttr == op.outputs[0].typeAttr);
        CHECK(op.inputs[2].typeAttr == op.outputs[0].typeAttr);
        ++count;
    }
    CHECK(count == 2);
    CHECK(isAddition("AddV2"));
    CHECK_FALSE(isAddition("AddN"));
}

TEST_CASE("ops that write or gather elements of an array take its flow last", "[op_traits]")
{
    int count = 0;
    for (const OpSpec& op : allOps()) {
        if (!writesArray(op.name) && !gathersArray(op.name))
            continue;
        INFO(op.name);
        CHECK(op.inputs.back().dtype == DType::Float);
        CHECK(writesArray(op.name) == (op.outputs[0].dtype == DType::Float));
        ++count;
    }
    CHECK(count == 9);
}

TEST_CASE("only constants hold their value as an attribute", "[op_traits]")
{
    for (const OpSpec& op : allOps())
        CHECK(holdsValue(op.name) == (isConstant(op.name) && op.name != "ImmutableConst"));
}
