// SPDX-License-Identifier: Apache-2.0
#include "graph_model/onnx/check_onnx.h"
#include "graph_model/onnx/onnx_from_portable.h"
#include "graph_model/read/model_file.h"
#include "graph_model/tflite/check_tflite.h"
#include "graph_model/tflite/tflite_from_portable.h"
#include "tests/catch.h"
#include "tests/transforms/export/exported_file.h"
#include "tests/transforms/pass_testing.h"
#include "tests/transforms/passes/function_graphs.h"
#include "transforms/export/export_model.h"
#include "transforms/export/lower/lowering.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>

namespace lapidary {
namespace {

ExportedModel exported(const GraphBuilder& builder, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs,
                       ExportTarget target = ExportTarget::Tflite)
{
    const auto made = exportModel(builder.build(), {.inputs = inputs, .outputs = outputs},
                                  {.target = target, .description = "a test"}, Job());
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return *made;
}

std::string operatorsOf(const ExportedModel& made)
{
    std::string text;
    for (const auto& [name, count] : made.operators)
        text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
    return text;
}

TestAttrs window(const std::string& padding)
{
    return {{"strides", attr::fromInts({1, 1, 1, 1})}, {"padding", attr::fromString(padding)}};
}

GraphBuilder convWithNorm()
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 4, 4, 2})
        .floats("w", {1, 1, 2, 2}, {1, 2, 3, 4})
        .floats("scale", {2}, {2, 4})
        .floats("offset", {2}, {1, 0})
        .floats("mean", {2}, {3, 5})
        .floats("variance", {2}, {1, 4})
        .node("conv", "Conv2D", {"x", "w"}, window("SAME"))
        .node("norm", "FusedBatchNorm", {"conv", "scale", "offset", "mean", "variance"},
              {{"is_training", attr::fromBool(false)}, {"epsilon", attr::fromFloat(0)}})
        .node("relu", "Relu", {"norm"});
    return builder;
}

} // namespace

TEST_CASE("A value that is set for good fits into the type of its tensor", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .node("k", "Placeholder", {},
              {{"dtype", attr::fromType(DType::Int32)}, {"shape", attr::fromShape({{}, false})}})
        .node("f", "Cast", {"k"},
              {{"SrcT", attr::fromType(DType::Int32)}, {"DstT", attr::fromType(DType::Float)}})
        .node("y", "Add", {"x", "f"});
    const auto madeWith = [&](const std::string& value) {
        return exportModel(builder.build(),
                           {.inputs = {"x"}, .outputs = {"y"}, .fixed = {{"k", value}}},
                           {.target = ExportTarget::Tflite, .description = "a test"}, Job());
    };
    for (const char* value : {"0", "-2147483648", "2147483647"}) {
        INFO(value);
        CHECK(madeWith(value).ok());
    }
    for (const char* value : {"", "x", "2147483648", "1e38", "nan", "2.7"}) {
        INFO(value);
        const auto made = madeWith(value);
        REQUIRE_FALSE(made.ok());
        CHECK(made.error().message.find("is not a value for 'k") != std::string::npos);
    }
}

TEST_CASE("A batch normalization goes into the weights of its convolution", "[export]")
{
    const ExportedModel made = exported(convWithNorm(), {"x"}, {"relu"});
    CHECK(operatorsOf(made) == "CONV_2D 1");
    REQUIRE(made.model.operations.size() == 1);
    const PortableOperation& conv = made.model.operations[0];
    CHECK(conv.activation == PortableActivation::Relu);
    CHECK(floatsOf(made.model.at(conv.inputs[1])) == std::vector<float>{2, 4, 6, 8});
    CHECK(floatsOf(made.model.at(conv.inputs[2])) == std::vector<float>{-5, -10});
    CHECK(made.model.at(made.model.outputs[0]).name == "relu");
}

TEST_CASE("A constant output is computed in advance", "[export]")
{
    GraphBuilder builder;
    builder.floats("values", {3}, {1, 2, 4}).ints("rows", {3}, {0, 1, 0}).ints("count", {}, {2});
    builder.node("sum", "UnsortedSegmentSum", {"values", "rows", "count"},
                 {{"Tindices", attr::fromType(DType::Int32)}});
    builder.node("y", "Neg", {"sum"});
    const ExportedModel made = exported(builder, {}, {"y"});
    CHECK(operatorsOf(made).empty());
    REQUIRE(made.model.isConstant(made.model.outputs.at(0)));
    CHECK(floatsOf(made.model.at(made.model.outputs[0])) == std::vector<float>{-5, -2});
    CHECK(made.model.at(made.model.outputs[0]).name == "y");
}

TEST_CASE("An error names the size that was assumed", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {-1, 2})
        .ints("axis", {}, {0})
        .node("cut", "Split", {"axis", "x"}, {{"num_split", attr::fromInt(2)}})
        .node("y", "Sub", {"cut", "cut:1"});
    const auto made = exportModel(builder.build(), {.inputs = {"x"}, .outputs = {"y"}}, {}, Job());
    REQUIRE_FALSE(made);
    CHECK(made.error().message.find("cut: ") != std::string::npos);
    CHECK(made.error().message.find("the first size of x is unknown and was set to 1") !=
          std::string::npos);
}

TEST_CASE("Weights that several layers share are in a file once", "[export]")
{
    constexpr std::int64_t channels = 64;
    GraphBuilder builder;
    builder.placeholder("x", {1, 4, 4, channels})
        .floats("w", {3, 3, channels, channels}, {0.01F, -0.02F, 0.03F})
        .floats("half", {}, {0.5F});
    std::string from = "x";
    for (const std::string step : {"a", "b", "c"}) {
        builder.node(step, "Conv2D", {from, "w"}, window("SAME"))
            .node(step + "/scaled", "Mul", {step, "half"});
        from = step + "/scaled";
    }
    const std::size_t weights = 9 * channels * channels * sizeof(float);
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        const ExportedModel made = exported(builder, {"x"}, {from}, target);
        CHECK(made.file->size() < weights * 5 / 4);
        CHECK(computesOther(builder.build(), made, {from}) == "");
    }
}

TEST_CASE("Rounding to one range is one operator of TFLite", "[export]")
{
    const auto operators = [](float min, float max, bool isNarrow) {
        GraphBuilder builder;
        builder.placeholder("x", {2, 3})
            .floats("min", {}, {min})
            .floats("max", {}, {max})
            .node("y", "FakeQuantWithMinMaxVars", {"x", "min", "max"},
                  {{"num_bits", attr::fromInt(4)}, {"narrow_range", attr::fromBool(isNarrow)}});
        const ExportedModel made = exported(builder, {"x"}, {"y"});
        CHECK(computesOther(builder.build(), made, {"y"}) == "");
        return operatorsOf(made);
    };
    CHECK(operators(-0.7F, 0.9F, false) == "FAKE_QUANT 1");
    CHECK(operators(0, 0.9F, false) == "FAKE_QUANT 1");
    CHECK(operators(-0.71F, 0.93F, true).find("FLOOR 1") != std::string::npos);
    CHECK(operators(0.1F, 0.9F, false).find("FLOOR 1") != std::string::npos);
}

TEST_CASE("A convolution that is an output itself keeps its values", "[export]")
{
    const ExportedModel made = exported(convWithNorm(), {"x"}, {"conv", "relu"});
    CHECK(operatorsOf(made) == "ADD 1, CONV_2D 1, MUL 1");
}

TEST_CASE("A second reader keeps the batch normalization out of the weights", "[export]")
{
    GraphBuilder builder = convWithNorm();
    builder.node("sum", "Add", {"conv", "relu"});
    const ExportedModel made = exported(builder, {"x"}, {"sum"});
    CHECK(operatorsOf(made) == "ADD 2, CONV_2D 1, MUL 1");
}

TEST_CASE("An output that is an input is copied, one that is a constant only in ONNX", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2}).floats("c", {2}, {1, 2});
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        const ExportedModel made = exported(builder, {"x"}, {"x", "c"}, target);
        CHECK(made.model.operations.size() == (target == ExportTarget::Onnx ? 2 : 1));
        CHECK(made.model.outputs.size() == 2);
        const auto file = readModelBytes(*made.file->bytes(), "made", Job());
        REQUIRE(file);
        REQUIRE(file->graphs.size() == 1);
        CHECK(file->graphs[0].signatures.at(0).outputs.size() == 2);
    }
}

TEST_CASE("Strings are refused, not written as numbers", "[export]")
{
    GraphBuilder builder;
    builder
        .node("x", "Placeholder", {},
              {{"dtype", attr::fromType(DType::String)}, {"shape", attr::fromShape({{2}, false})}})
        .node("y", "Identity", {"x"});
    for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx}) {
        const auto made = exportModel(builder.build(), {.inputs = {"x"}, .outputs = {"y"}},
                                      {.target = target}, Job());
        CHECK((!made || !made->file));
    }
}

TEST_CASE("The graph is cut at any tensor", "[export]")
{
    const ExportedModel made = exported(convWithNorm(), {"conv"}, {"relu"});
    CHECK(operatorsOf(made) == "ADD 1, MUL 1");
    CHECK(made.model.at(made.model.inputs[0]).name == "conv");
}

TEST_CASE("All nodes without a counterpart are named with their reasons", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .node("v", "VariableV2", {},
              {{"shape", attr::fromShape({{2}, false})}, {"dtype", attr::fromType(DType::Float)}})
        .node("sum", "Add", {"x", "v"})
        .node("inverse", "Lgamma", {"sum"});
    const auto made =
        exportModel(builder.build(), {.inputs = {"x"}, .outputs = {"inverse"}}, {}, Job());
    REQUIRE(made);
    CHECK_FALSE(made->file);
    REQUIRE(made->refused.size() == 2);
    CHECK(made->refused[0].node == "v");
    CHECK(made->refused[0].reason.find("it is a variable") != std::string::npos);
    CHECK(made->refused[1].op == "Lgamma");
}

TEST_CASE("A running product along an axis that there is not is refused", "[export]")
{
    for (const std::int32_t axis : {-10, 1}) {
        GraphBuilder builder;
        builder.placeholder("x", {3}).ints("axis", {}, {axis}).node("y", "Cumprod", {"x", "axis"});
        const auto made =
            exportModel(builder.build(), {.inputs = {"x"}, .outputs = {"y"}}, {}, Job());
        REQUIRE(made);
        REQUIRE(made->refused.size() == 1);
        CHECK(made->refused[0].reason.find("axis is not one") != std::string::npos);
    }
}

TEST_CASE("A size that nothing says is asked for", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {-1, -1}).node("y", "Relu", {"x"});
    const auto made = exportModel(builder.build(), {.inputs = {"x"}, .outputs = {"y"}}, {}, Job());
    REQUIRE_FALSE(made);
    CHECK(made.error().reason == ErrorReason::MissingSize);
    CHECK(made.error().subject == "x");
}

TEST_CASE("An open first size is that of the inputs whose shape is given", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {-1, 3}).placeholder("k", {-1, 1}).node("y", "Mul", {"x", "k"});
    const auto made = exportModel(
        builder.build(),
        {.inputs = {"x", "k"}, .outputs = {"y"}, .shapes = {{"x:0", Shape{{2, 3}, false}}}}, {},
        Job());
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    CHECK(made->model.at(made->model.inputs[1]).dims == std::vector<std::int64_t>{2, 1});
}

TEST_CASE("A model of another format is neither exported nor transformed", "[export]")
{
    const ExportedModel made = exported(convWithNorm(), {"x"}, {"relu"});
    const auto file = readModelBytes(*made.file->bytes(), "made", Job());
    REQUIRE(file);
    REQUIRE(file->graphs.size() == 1);
    const GraphPtr graph = file->graphs[0].graph;
    const auto again = exportModel(graph, {.inputs = {"x"}, .outputs = {"relu"}}, {}, Job());
    REQUIRE_FALSE(again);
    CHECK(again.error().code == ErrorCode::Unsupported);
    const RecipeRun run = runRecipe(graph, {{"remove_identity", {}}}, {"x"}, {"relu"}, Job());
    CHECK_FALSE(run.ok());
    CHECK(run.fault.starts_with("a TFLite model is not transformed"));
}

TEST_CASE("A file that does not read back as it was meant is an error", "[export]")
{
    const ExportedModel made = exported(convWithNorm(), {"x"}, {"relu"});
    auto meant = tfliteFromPortable(made.model);
    REQUIRE(meant);
    CHECK(checkTflite(*meant, made.file.value()));
    meant->graphs[0].operators[0].options[1].number = 7;
    const Status other = checkTflite(*meant, made.file.value());
    REQUIRE_FALSE(other);
    CHECK(other.error().message.find("CONV_2D") != std::string::npos);
    const ExportedModel onnx = exported(convWithNorm(), {"x"}, {"relu"}, ExportTarget::Onnx);
    auto model = onnxFromPortable(onnx.model, 13);
    REQUIRE(model);
    CHECK(checkOnnx(*model, onnx.file.value()));
    model->nodes.back().inputs[0] = "nothing";
    CHECK_FALSE(checkOnnx(*model, onnx.file.value()));
}

TEST_CASE("A placeholder that is not an input has to get a value", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2}).placeholder("k", {}).node("y", "Mul", {"x", "k"});
    const auto without =
        exportModel(builder.build(), {.inputs = {"x"}, .outputs = {"y"}}, {}, Job());
    REQUIRE_FALSE(without);
    CHECK(without.error().message.find("set it to a constant") != std::string::npos);
    const auto with = exportModel(
        builder.build(), {.inputs = {"x"}, .outputs = {"y"}, .fixed = {{"k", "3"}}}, {}, Job());
    REQUIRE(with);
    CHECK(operatorsOf(*with) == "MUL 1");
}

TEST_CASE("A tensor of one number can be set in the place of what makes it", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2}).ints("axis", {1}, {0});
    builder.node("s", "Sum", {"x", "axis"}).node("y", "Mul", {"x", "s"});
    for (const std::vector<std::string>& inputs :
         {std::vector<std::string>{"x"}, std::vector<std::string>{"x", "s"}}) {
        const auto set =
            exportModel(builder.build(),
                        {.inputs = inputs, .outputs = {"y"}, .fixed = {{"s:0", "3"}}}, {}, Job());
        REQUIRE(set);
        CHECK(operatorsOf(*set) == "MUL 1");
    }
}

TEST_CASE("Every rule of the export is in the table once, with a text", "[export]")
{
    const auto rows = allLowerRows();
    CHECK(std::ranges::adjacent_find(rows, {}, &LowerRow::op) == rows.end());
    for (const LowerRow& row : rows) {
        INFO(row.op);
        CHECK_FALSE(row.becomes.empty());
    }
}

TEST_CASE("Calls are exported as what their functions compute", "[export]")
{
    const GraphPtr graph =
        graphWith({{"Twice", {"x"}, {"y = sum:z:0"}, {"sum = Add(x, x)" + floatT}, {}}},
                  {"x = Placeholder() dtype={type:DT_FLOAT} shape={shape{dim{size:2}}}",
                   "call = PartitionedCall(x)" + callOf("Twice", 1, 1), "y = Relu(call)" + floatT});
    const auto made =
        exportModel(graph, {.inputs = {"x"}, .outputs = {"y"}}, {.description = "a test"}, Job());
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    CHECK(made->refused.empty());
    CHECK(operatorsOf(*made) == "ADD 1");
}

TEST_CASE("numbers of a type that a runtime does not compute with are refused", "[export]")
{
    const auto refused = [](const char* op, DType dtype, ExportTarget target) {
        GraphBuilder builder;
        builder.placeholder("x", {2, 3});
        builder.node("n", "Cast", {"x"}, {{"DstT", attr::fromType(dtype)}});
        builder.node("y", op, {"n", "n"}, {{"T", attr::fromType(dtype)}});
        const auto made = exportModel(builder.build(), {.inputs = {"x"}, .outputs = {"y"}},
                                      {.target = target, .description = "a test"}, Job());
        INFO(op << ": " << (made ? "" : made.error().message));
        REQUIRE(made);
        return made->refused.size() == 1 ? made->refused[0].reason : "";
    };
    const auto isAdvised = [](const std::string& reason) {
        return reason.find("in front of it") != std::string::npos;
    };
    for (const char* op : {"Add", "Mul", "Sub"})
        for (const DType dtype : {DType::Int8, DType::UInt8})
            for (const ExportTarget target : {ExportTarget::Tflite, ExportTarget::Onnx})
                CHECK(isAdvised(refused(op, dtype, target)));
    CHECK(isAdvised(refused("FloorDiv", DType::Int64, ExportTarget::Tflite)));
    CHECK(isAdvised(refused("Less", DType::UInt8, ExportTarget::Tflite)));
    CHECK(isAdvised(refused("FloorMod", DType::Double, ExportTarget::Onnx)));
    CHECK(refused("Mul", DType::Int64, ExportTarget::Tflite).empty());
    CHECK(refused("Maximum", DType::Int64, ExportTarget::Tflite).empty());
}

TEST_CASE("a sum of very many tensors is written with a name for each part", "[export]")
{
    constexpr int count = 30'000;
    GraphBuilder builder;
    builder.placeholder("x", {1});
    builder.node("y", "AddN", std::vector<std::string>(count, "x"), {{"N", attr::fromInt(count)}});
    CHECK(operatorsOf(exported(builder, {"x"}, {"y"})) == "ADD 29999");
}

TEST_CASE("ones of doubles are 1", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2});
    builder.node("wide", "Cast", {"x"}, {{"DstT", attr::fromType(DType::Double)}});
    builder.node("ones", "OnesLike", {"wide"}, {{"T", attr::fromType(DType::Double)}});
    builder.node("y", "Add", {"wide", "ones"}, {{"T", attr::fromType(DType::Double)}});
    const ExportedModel made = exported(builder, {"x"}, {"y"}, ExportTarget::Onnx);
    const std::string bytes = *made.file->bytes();
    const double one = 1;
    CHECK(bytes.find(std::string(reinterpret_cast<const char*>(&one), sizeof(one))) !=
          std::string::npos);
}

TEST_CASE("The report of an 8-bit ONNX file says where sums saturate", "[export]")
{
    const auto isTold = [](ExportTarget target, bool reducesRange) {
        ModelExportOptions options{.target = target, .reducesRange = reducesRange};
        options.measure = [](const PortableModel& model) -> Result<TensorRanges> {
            return TensorRanges(model.tensors.size(), FrozenRange{-1, 3});
        };
        const auto made = exportModel(convWithNorm().build(),
                                      {.inputs = {"x"}, .outputs = {"relu"}}, options, Job());
        INFO((made ? "" : made.error().message));
        REQUIRE(made);
        REQUIRE(made->file);
        return std::ranges::any_of(made->notes, [](const std::string& note) {
            return note.find("reduce the range") != note.npos;
        });
    };
    CHECK(isTold(ExportTarget::Onnx, false));
    CHECK_FALSE(isTold(ExportTarget::Onnx, true));
    CHECK_FALSE(isTold(ExportTarget::Tflite, false));
}

} // namespace lapidary
