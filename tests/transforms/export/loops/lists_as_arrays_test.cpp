// SPDX-License-Identifier: Apache-2.0
// Loops over tensor lists, as TensorFlow 2 writes them.
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/export_plan.h"
#include "transforms/export/loops/lists_as_arrays.h"

#include <algorithm>

namespace lapidary {
namespace {

TestAttrs holding(DType dtype)
{
    return {{"T", attr::fromType(dtype)}};
}

TestAttrs listOfFloats()
{
    return {{"element_dtype", attr::fromType(DType::Float)},
            {"shape_type", attr::fromType(DType::Int32)}};
}

TestAttrs entering(DType dtype, bool isConstant)
{
    return {{"frame_name", attr::fromString("loop")},
            {"is_constant", attr::fromBool(isConstant)},
            {"T", attr::fromType(dtype)}};
}

// y[i] = x[i] * x[i], row by row. The list has its length from the start, or grows.
GraphBuilder squares(bool grows)
{
    const DType whole = DType::Int32;
    const DType list = DType::Variant;
    GraphBuilder b;
    b.placeholder("x", {4, 3});
    b.ints("zero", {}, {0}).ints("one", {}, {1}).ints("count", {}, {4}).ints("row", {1}, {3});
    b.node("in", "TensorListFromTensor", {"x", "row"}, listOfFloats());
    b.node("out", grows ? "EmptyTensorList" : "TensorListReserve", {"row", "count"},
           listOfFloats());
    b.node("enter_i", "Enter", {"zero"}, entering(whole, false))
        .node("enter_n", "Enter", {"count"}, entering(whole, true))
        .node("enter_in", "Enter", {"in"}, entering(list, true))
        .node("enter_out", "Enter", {"out"}, entering(list, false));
    for (const auto& [name, dtype] : {std::pair{"i", whole}, std::pair{"out", list}}) {
        const std::string v = name;
        b.node("merge_" + v, "Merge", {"enter_" + v, "next_" + v},
               {{"T", attr::fromType(dtype)}, {"N", attr::fromInt(2)}});
        b.node("switch_" + v, "Switch", {"merge_" + v, "cond"}, holding(dtype));
    }
    b.node("less", "Less", {"merge_i", "enter_n"}, holding(whole))
        .node("cond", "LoopCond", {"less"});
    b.node("item", "TensorListGetItem", {"enter_in", "switch_i:1", "row"}, listOfFloats())
        .node("square", "Mul", {"item", "item"});
    if (grows)
        b.node("set", "TensorListPushBack", {"switch_out:1", "square"}, listOfFloats());
    else
        b.node("set", "TensorListSetItem", {"switch_out:1", "switch_i:1", "square"},
               listOfFloats());
    b.node("more", "Add", {"switch_i:1", "one"}, holding(whole))
        .node("next_i", "NextIteration", {"more"}, holding(whole))
        .node("next_out", "NextIteration", {"set"}, holding(list))
        .node("exit_out", "Exit", {"switch_out"}, holding(list))
        .node("y", "TensorListStack", {"exit_out", "row"},
              {{"element_dtype", attr::fromType(DType::Float)}, {"num_elements", attr::fromInt(4)}})
        .node("size", "TensorListLength", {"exit_out"});
    return b;
}

std::size_t listsIn(const Graph& graph)
{
    return std::size_t(std::ranges::count_if(graph.nodes(), [](const NodePtr& node) {
        return node->op().find("TensorList") != std::string_view::npos;
    }));
}

} // namespace

TEST_CASE("lists of a loop become arrays", "[export][lists]")
{
    for (const bool grows : {false, true}) {
        const auto arrays = listsAsArrays(squares(grows).build());
        REQUIRE(arrays);
        CHECK(listsIn(**arrays) == 0);
        CHECK((*arrays)->find("out/array").isValid());
    }
    GraphBuilder plain;
    plain.placeholder("x", {2}).node("y", "Relu", {"x"});
    const GraphPtr graph = plain.build();
    CHECK(*listsAsArrays(graph) == graph);
}

TEST_CASE("a list that is used in another way stays one", "[export][lists]")
{
    GraphBuilder b = squares(false);
    b.node("last", "TensorListPopBack", {"exit_out", "row"}, listOfFloats());
    const auto kept = listsAsArrays(b.build());
    REQUIRE(kept);
    // The list that is made, changed, stacked, counted and popped; one that is only read is an
    // array.
    CHECK(listsIn(**kept) == 5);
    CHECK((*kept)->find("in/array").isValid());
}

TEST_CASE("loops over lists are exported", "[export][lists]")
{
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx})
        for (const LoopForm form : {LoopForm::Auto, LoopForm::Unrolled, LoopForm::Operators})
            for (const bool grows : {false, true}) {
                if (grows && form == LoopForm::Operators)
                    continue; // the file would have to state its size in advance
                INFO(exportTargetName(target) << ", form " << int(form) << ", grows " << grows);
                GraphEntry entry;
                entry.graph = squares(grows).build();
                ExportPlan plan;
                plan.target = target;
                plan.interface.inputs = {"x"};
                plan.interface.outputs = {"y"};
                plan.interface.loops = form;
                const auto report = runCheckedExport(entry, {}, plan, Job());
                INFO((report ? "" : report.error().message));
                REQUIRE(report);
                INFO((report->refused.empty() ? "" : report->refused[0].reason));
                REQUIRE(report->check);
                CHECK(report->check->missing.empty());
                CHECK(report->check->isSame());
            }
}

} // namespace lapidary
