// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/passes/pattern_cases.h"

#include "tests/transforms/pass_testing.h"
#include "tests/transforms/passes/function_graphs.h"
#include "tests/transforms/passes/layered_graphs.h"
#include "transforms/constants/const_node.h"

#include <fstream>

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;
using Cases = std::vector<PatternCase>;

TestAttrs convolution(const char* padding, const char* format = "NHWC", std::int64_t dilation = 1)
{
    return {{"strides", attr::fromInts({1, 1, 1, 1})},
            {"padding", attr::fromString(padding)},
            {"data_format", attr::fromString(format)},
            {"dilations", attr::fromInts({1, dilation, dilation, 1})}};
}

std::vector<float> numbers(std::size_t count)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = float(i * 7 % 17) / 17 - 0.4F;
    return values;
}

GraphBuilder image(std::vector<std::int64_t> dims = {1, 6, 6, 2})
{
    GraphBuilder builder;
    builder.placeholder("x", std::move(dims));
    return builder;
}

GraphPtr relu()
{
    return image().node("y", "Relu", {"x"}).build();
}

void addCopies(Cases& cases)
{
    const GraphPtr copied =
        image().node("copy", "Identity", {"x"}).node("y", "Relu", {"copy"}).build();
    const GraphPtr output = image().node("y", "Identity", {"x"}).build();
    for (const char* step : {"remove_identity", "remove_nodes(op=Identity)"})
        cases.push_back({step, copied, {"copy"}, {{"no copy", relu()}, {"an output", output}}});
    const GraphPtr twins = image()
                               .node("copy", "Identity", {"x"})
                               .node("a", "Neg", {"copy"})
                               .node("b", "Neg", {"x"})
                               .node("sum", "Add", {"a", "b"})
                               .node("dead", "Neg", {"sum"})
                               .node("y", "Relu", {"sum"})
                               .build();
    cases.push_back({"clean", twins, {"copy", "a", "b", "sum", "dead"}, {{"nothing", relu()}}});
    cases.push_back({"remove_dead_nodes", twins, {"dead"}, {{"nothing", relu()}}});
    cases.push_back({"strip_unused_nodes", twins, {"dead"}, {{"nothing", relu()}}});
    cases.push_back({"merge_duplicate_nodes",
                     image()
                         .floats("one", {2}, {1})
                         .floats("two", {2}, {1})
                         .node("a", "Add", {"x", "one"})
                         .node("b", "Add", {"x", "two"})
                         .node("y", "Mul", {"a", "b"})
                         .build(),
                     {"one", "two", "a", "b"},
                     {{"another value", image()
                                            .floats("one", {2}, {1})
                                            .floats("two", {2}, {2})
                                            .node("a", "Add", {"x", "one"})
                                            .node("y", "Add", {"a", "two"})
                                            .build()}}});
}

GraphBuilder turned(const std::vector<std::int32_t>& back)
{
    return image()
        .ints("front", {4}, {0, 3, 1, 2})
        .ints("back", {std::int64_t(back.size())}, back)
        .node("turn", "Transpose", {"x", "front"})
        .node("y", "Transpose", {"turn", "back"});
}

void addTranspositions(Cases& cases)
{
    const std::vector<PatternCase::NearMiss> misses{{"another rank", turned({1, 0}).build()}};
    const Strings nodes{"turn", "y", "front", "back"};
    cases.push_back({"merge_transposes", turned({0, 2, 3, 1}).build(), nodes, misses});
}

void addNames(Cases& cases)
{
    const GraphPtr plain = image().node("neg", "Neg", {"x"}).node("y", "Relu", {"neg"}).build();
    const GraphPtr placed = passed("set_device(device=\"/cpu:0\")", plain, {"x"}, {"y"});
    const GraphPtr noted = image()
                               .node("neg", "Neg", {"x"}, {{"_note", attr::fromInt(1)}})
                               .node("y", "Relu", {"neg"})
                               .build();
    const GraphPtr waiting = image()
                                 .node("first", "NoOp")
                                 .node("neg", "Neg", {"x", "^first"})
                                 .node("y", "Relu", {"neg"})
                                 .build();
    cases.push_back({"set_device(device=\"/cpu:0\")", plain, {"neg"}, {{"there", placed}}});
    cases.push_back({"remove_device", placed, {"neg"}, {{"on none", plain}}});
    cases.push_back({"remove_attribute(attribute_name=_note)", noted, {"neg"}, {{"none", plain}}});
    cases.push_back({"rename_attribute(old_attribute_name=_note, new_attribute_name=_remark)",
                     noted,
                     {"neg"},
                     {{"none", plain}}});
    cases.push_back({"rename_op(old_op_name=AddV2, new_op_name=Add)",
                     image().node("sum", "AddV2", {"x", "x"}).node("y", "Relu", {"sum"}).build(),
                     {"sum"},
                     {{"another op", plain}}});
    cases.push_back({"obfuscate_names", plain, {"neg"}, {{"all names are kept", relu()}}});
    cases.push_back({"remove_control_dependencies", waiting, {"neg"}, {{"none", plain}}});
    cases.back().keepsControls = false;
    cases.push_back({"sort_by_execution_order",
                     GraphBuilder()
                         .node("y", "Relu", {"neg"})
                         .node("neg", "Neg", {"x"})
                         .placeholder("x", {2})
                         .build(),
                     {"neg"},
                     {}});
    cases.push_back({"insert_logging(op=Neg)", plain, {"neg"}, {{"another op", relu()}}});
}

void addAttributes(Cases& cases)
{
    cases.push_back({"add_default_attributes",
                     image().node("lrn", "LRN", {"x"}).node("y", "Relu", {"lrn"}).build(),
                     {"lrn"},
                     {}});
    cases.back().nearMisses.push_back(
        {"all are there", passed("add_default_attributes", cases.back().graph, {"x"}, {"y"})});
    const auto joined = [](const char* type) {
        GraphBuilder builder = image();
        builder.node("a", "Neg", {"x"});
        if (std::string_view(type) == "int32")
            builder.ints("axis", {}, {1});
        else
            builder.node("axis", "Const", {},
                         constNode("", DType::Int64, {}, std::string("\1\0\0\0\0\0\0\0", 8)).attrs);
        return builder
            .node("joined", "ConcatV2", {"a", "x", "axis"},
                  {{"N", attr::fromInt(2)},
                   {"Tidx", attr::fromType(type[3] == '3' ? DType::Int32 : DType::Int64)}})
            .node("y", "Relu", {"joined"})
            .build();
    };
    cases.push_back({"backport_concatv2",
                     joined("int32"),
                     {"a", "axis", "joined"},
                     {{"an axis of type int64", joined("int64")}}});
    const TestAttrs floats{{"dtype", attr::fromType(DType::Float)}};
    cases.push_back({"backport_tensor_array_v3",
                     image()
                         .ints("size", {}, {1})
                         .ints("index", {}, {0})
                         .node("array", "TensorArrayV3", {"size"}, floats)
                         .node("put", "TensorArrayWriteV3", {"array", "index", "x", "array:1"})
                         .node("got", "TensorArrayReadV3", {"array", "index", "put"}, floats)
                         .node("y", "Relu", {"got"})
                         .build(),
                     {"size", "index", "array", "put", "got"},
                     {{"no array", relu()}}});
}

void addConstants(Cases& cases)
{
    const GraphPtr sum = image()
                             .floats("a", {2}, {1, 2})
                             .floats("b", {2}, {3})
                             .node("copy", "Identity", {"b"})
                             .node("sum", "Add", {"a", "copy"})
                             .node("product", "Mul", {"x", "sum"})
                             .node("y", "Mul", {"product", "copy"})
                             .build();
    cases.push_back({"fold_constants", sum, {"a", "b", "copy", "sum"}, {{"none", relu()}}});
    const auto weights = [](std::vector<float> values) {
        return image()
            .floats("w", {3, 3, 2, 2}, std::move(values))
            .node("conv", "Conv2D", {"x", "w"}, convolution("SAME"))
            .node("y", "Relu", {"conv"})
            .build();
    };
    std::vector<float> infinite = numbers(36);
    infinite[7] = std::numeric_limits<float>::infinity();
    for (const char* step : {"quantize_weights(minimum_size=36)", "round_weights(num_steps=64)"}) {
        cases.push_back({step, weights(numbers(36)), {"w"}, {{"infinity", weights(infinite)}}});
        cases.back().tolerance = 0.05;
    }
    cases.push_back({"quantize_weights(minimum_size=36)", weights({0.25F}), {"w"}, {}});
    const auto table = [](std::vector<std::int64_t> dims) {
        return GraphBuilder()
            .node(
                "x", "Placeholder", {},
                {{"dtype", attr::fromType(DType::Int64)}, {"shape", attr::fromShape({{2}, false})}})
            .floats("w", std::move(dims), {0.5F, 0, 1, 2})
            .node("read", "Identity", {"w"})
            .node("gather", "Gather", {"read", "x"}, {{"Tindices", attr::fromType(DType::Int64)}})
            .node("y", "Relu", {"gather"})
            .build();
    };
    cases.push_back({"sparsify_gather",
                     table({4, 1}),
                     {"w", "read", "gather"},
                     {{"two columns", table({2, 2})}}});
}

GraphPtr scaled(const char* op, const char* format, std::vector<std::int64_t> factors)
{
    const bool isProduct = std::string_view(op) == "MatMul";
    GraphBuilder builder = isProduct ? image({3, 4}) : image();
    const std::vector<std::int64_t> dims =
        isProduct ? std::vector<std::int64_t>{4, 2}
                  : std::vector<std::int64_t>{3, 3, 2, std::string_view(op) == "Conv2D" ? 2 : 1};
    return builder.floats("w", dims, numbers(36))
        .node("product", op, {"x", "w"}, isProduct ? TestAttrs() : convolution("SAME", format))
        .floats("m", std::move(factors), {2, 0.5F})
        .node("scaled", "Mul", {"product", "m"})
        .node("y", "Relu", {"scaled"})
        .build();
}

GraphPtr normalized(const char* version, const char* format, bool isTraining = false)
{
    return image()
        .floats("w", {3, 3, 2, 2}, numbers(36))
        .node("conv", "Conv2D", {"x", "w"}, convolution("SAME", format))
        .floats("gamma", {2}, {1, 2})
        .floats("beta", {2}, {0.5F, -1})
        .floats("mean", {isTraining ? 0 : 2}, {0.1F, 0.2F})
        .floats("variance", {isTraining ? 0 : 2}, {1, 0.5F})
        .node("norm", version, {"conv", "gamma", "beta", "mean", "variance"},
              {{"is_training", attr::fromBool(isTraining)},
               {"data_format", attr::fromString(format)},
               {"U", attr::fromType(DType::Float)}})
        .node("y", "Relu", {"norm"})
        .build();
}

GraphPtr globallyNormalized()
{
    return image()
        .floats("w", {3, 3, 2, 2}, numbers(36))
        .node("conv", "Conv2D", {"x", "w"}, convolution("SAME"))
        .floats("mean", {2}, {0.1F, 0.2F})
        .floats("variance", {2}, {1, 0.5F})
        .floats("beta", {2}, {0.5F, -1})
        .floats("gamma", {2}, {1, 2})
        .node("norm", "BatchNormWithGlobalNormalization",
              {"conv", "mean", "variance", "beta", "gamma"},
              {{"variance_epsilon", attr::fromFloat(1e-5F)},
               {"scale_after_normalization", attr::fromBool(true)}})
        .node("y", "Relu", {"norm"})
        .build();
}

void addNorms(Cases& cases)
{
    for (const char* op : {"Conv2D", "DepthwiseConv2dNative", "MatMul"}) {
        cases.push_back({"fold_batch_norms",
                         scaled(op, "NHWC", {2}),
                         {"w", "product", "m", "scaled"},
                         {{"one factor for all", scaled(op, "NHWC", {1})}}});
        if (std::string_view(op) != "MatMul")
            cases.back().nearMisses.push_back({"channels in front", scaled(op, "NCHW", {2})});
    }
    const Strings pattern{"w", "conv", "gamma", "beta", "mean", "variance", "norm"};
    for (const char* version : {"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"})
        cases.push_back({"fold_old_batch_norms",
                         normalized(version, "NHWC"),
                         pattern,
                         {{"in training", normalized(version, "NHWC", true)}}});
    cases.push_back({"fold_old_batch_norms", normalized("FusedBatchNorm", "NCHW"), pattern, {}});
    cases.back().runs = false;
    cases.push_back({"fold_old_batch_norms", globallyNormalized(), pattern, {}});
}

GraphPtr atrous(const char* op, const std::vector<std::int32_t>& crops)
{
    return image({1, 4, 4, 2})
        .ints("block", {2}, {2, 2})
        .ints("paddings", {2, 2}, {2, 2, 2, 2})
        .node("split", "SpaceToBatchND", {"x", "block", "paddings"})
        .floats("w", {3, 3, 2, 1}, numbers(18))
        .node("conv", op, {"split", "w"}, convolution("VALID"))
        .ints("block_again", {2}, {2, 2})
        .ints("crops", {2, 2}, crops)
        .node("joined", "BatchToSpaceND", {"conv", "block_again", "crops"})
        .node("y", "Relu", {"joined"})
        .build();
}

GraphPtr fused(bool resizes, bool pads, const char* format = "NHWC", std::int64_t dilation = 1)
{
    GraphBuilder builder = image({1, 4, 4, 2});
    std::string last = "x";
    if (resizes)
        builder.ints("size", {2}, {8, 6}).node("resized", "ResizeBilinear", {"x", "size"});
    last = resizes ? "resized" : last;
    if (pads)
        builder.ints("paddings", {4, 2}, {0, 0, 1, 1, 2, 2, 0, 0})
            .node("padded", "MirrorPad", {last, "paddings"},
                  {{"mode", attr::fromString("REFLECT")}});
    return builder.floats("w", {2, 2, 2, 3}, numbers(24))
        .node("conv", "Conv2D", {pads ? "padded" : last, "w"},
              convolution("VALID", format, dilation))
        .node("y", "Relu", {"conv"})
        .build();
}

void addConvolutions(Cases& cases)
{
    for (const char* op : {"Conv2D", "DepthwiseConv2dNative"})
        cases.push_back(
            {"flatten_atrous_conv",
             atrous(op, {0, 0, 0, 0}),
             {"block", "paddings", "split", "w", "conv", "block_again", "crops", "joined"},
             {{"crops that make it no SAME", atrous(op, {0, 1, 0, 1})}}});
    const auto fusing = [&](const char* step, bool resizes, bool pads, Strings pattern) {
        cases.push_back({step,
                         fused(resizes, pads),
                         std::move(pattern),
                         {{"channels in front", fused(resizes, pads, "NCHW")},
                          {"dilated", fused(resizes, pads, "NHWC", 2)}}});
    };
    fusing("fuse_pad_and_conv", false, true, {"paddings", "padded", "w", "conv"});
    fusing("fuse_resize_and_conv", true, false, {"size", "resized", "w", "conv"});
    fusing("fuse_resize_pad_and_conv", true, true,
           {"size", "resized", "paddings", "padded", "w", "conv"});
}

GraphPtr measured()
{
    const auto type = attr::fromType(DType::QUInt8);
    const auto wide = attr::fromType(DType::QInt32);
    return GraphBuilder()
        .placeholder("x", {1, 6})
        .floats("lo", {}, {-1})
        .floats("hi", {}, {1})
        .node("codes", "QuantizeV2", {"x", "lo", "hi"},
              {{"T", type}, {"mode", attr::fromString("MIN_FIRST")}})
        .node("offset", "Const", {},
              constNode("", DType::QUInt8, {{6}, false}, "\1\2\3\4\5\6").attrs)
        .node("sum", "QuantizedBiasAdd", {"codes", "offset", "codes:1", "codes:2", "lo", "hi"},
              {{"T1", type}, {"T2", type}, {"out_type", wide}})
        .node("range", "RequantizationRange", {"sum:0", "sum:1", "sum:2"}, {{"Tinput", wide}})
        .node("packed", "Requantize", {"sum:0", "sum:1", "sum:2", "range:0", "range:1"},
              {{"Tinput", wide}, {"out_type", type}})
        .node("y", "Dequantize", {"packed:0", "packed:1", "packed:2"},
              {{"T", type}, {"mode", attr::fromString("MIN_FIRST")}})
        .build();
}

void addQuantized(Cases& cases, const std::string& folder)
{
    const std::string log = folder + "/range_log";
    std::ofstream(log) << "[Prefix];range__print__;__requant_min_max:[-2][2]\n";
    // A log of none but this node: there is nothing to say of a graph without it.
    cases.push_back({"freeze_requantization_ranges(min_max_log_file=\"" + log + "\")",
                     measured(),
                     {"range", "sum"},
                     {}});
    cases.back().tolerance = 0.6;    // another range than the measured one
    cases.back().endsAtOnce = false; // the log names what is gone, which is an error
    cases.push_back({"quantize_nodes",
                     image()
                         .floats("w", {3, 3, 2, 2}, numbers(36))
                         .node("conv", "Conv2D", {"x", "w"}, convolution("SAME"))
                         .floats("bias", {2}, {0.5F, -0.5F})
                         .node("sum", "BiasAdd", {"conv", "bias"})
                         .node("y", "Relu", {"sum"})
                         .build(),
                     {"w", "conv", "bias", "sum"},
                     {{"an op without one of 8 bits", image().node("y", "Neg", {"x"}).build()}}});
    cases.back().tolerance = 0.05;
}

FunctionSketch unarySketch(const std::string& name, const std::string& op)
{
    return {.name = name,
            .arguments = {"a"},
            .results = {"y = r:y:0"},
            .nodes = {"r = " + op + "(a) T={type:DT_FLOAT}"},
            .controlResults = {}};
}

void addFunctions(Cases& cases)
{
    const std::string x = "x = Placeholder() dtype={type:DT_FLOAT} shape={shape{}}";
    const GraphPtr called = graphWith(
        {unarySketch("Squared", "Square")},
        {x, "call = PartitionedCall(x)" + callOf("Squared", 1, 1), "y = Neg(call)" + floatT});
    const GraphPtr unknown = graphWith(
        {unarySketch("Squared", "Square")},
        {x, "call = PartitionedCall(x)" + callOf("Nowhere", 1, 1), "y = Neg(call)" + floatT});
    cases.push_back({"inline_functions", called, {"call"}, {{"an unknown function", unknown}}});
    const FunctionSketch below{
        .name = "Below",
        .arguments = {"a"},
        .results = {"go:DT_BOOL = less:z:0"},
        .nodes = {"ten = Const()" + floatConstant(10), "less = Less(a, ten:output:0)" + floatT},
        .controlResults = {}};
    const FunctionSketch grow{
        .name = "Grow",
        .arguments = {"a"},
        .results = {"b = sum:z:0"},
        .nodes = {"three = Const()" + floatConstant(3), "sum = Add(a, three:output:0)" + floatT},
        .controlResults = {}};
    const std::string one = "={ list { type: DT_FLOAT } }";
    const std::string predicate = "p = Const() dtype={type:DT_BOOL} "
                                  "value={tensor{dtype:DT_BOOL tensor_shape{} bool_val:true}}";
    const auto lowered = [&](const std::string& condition, const std::string& type) {
        return graphWith(
            {unarySketch("Squared", "Square"), unarySketch("Negated", "Neg"), below, grow},
            {x, predicate,
             "branch = If(" + condition +
                 ", x) then_branch={func{name:'Squared'}} else_branch={func{name:'Negated'}} "
                 "Tcond={type:" +
                 type + "} Tin" + one + " Tout" + one,
             "loop = While(branch) cond={func{name:'" +
                 std::string(type == "DT_BOOL" ? "Below" : "Negated") +
                 "'}} body={func{name:'Grow'}} T" + one,
             "y = Neg(loop)" + floatT});
    };
    cases.push_back({"lower_control_flow",
                     lowered("p", "DT_BOOL"),
                     {"branch", "loop"},
                     {{"conditions that are not bool", lowered("x", "DT_FLOAT")}}});
}

void addVariables(Cases& cases)
{
    const TestAttrs ofTwo{{"dtype", attr::fromType(DType::Float)},
                          {"shape", attr::fromShape({{2}, false})}};
    const TestAttrs isFloat{{"dtype", attr::fromType(DType::Float)}};
    const GraphPtr trained = image()
                                 .node("v", "VarHandleOp", {}, ofTwo)
                                 .floats("start", {2}, {1, 2})
                                 .node("init", "AssignVariableOp", {"v", "start"}, isFloat)
                                 .node("read", "ReadVariableOp", {"v"}, isFloat)
                                 .node("y", "Mul", {"x", "read"})
                                 .build();
    cases.push_back(
        {"freeze_variables(initializer=init)", trained, {"v", "read"}, {{"none", relu()}}});
    cases.back().runs = false; // before, the variable has no value
}

void addForDevices(Cases& cases)
{
    const GraphPtr copied = image()
                                .node("copy", "Identity", {"x"})
                                .node("kept", "Neg", {"copy"})
                                .node("y", "Relu", {"kept"})
                                .node("dead", "Neg", {"kept"})
                                .build();
    cases.push_back({"remove_training_nodes", copied, {"copy"}, {{"no copy", relu()}}});
    cases.push_back({"strip_unused", copied, {"dead"}, {}});
    cases.push_back({"optimize_for_inference", copied, {"copy", "dead"}, {}});
    cases.push_back({"replace_rare_ops",
                     image().node("up", "Ceil", {"x"}).node("y", "Relu", {"up"}).build(),
                     {"up"},
                     {{"a common op", relu()}}});
    PatternCase half{"run_in_type(op=Neg, from=float, to=double)",
                     image().node("n", "Neg", {"x"}).node("y", "Relu", {"n"}).build(),
                     {"n"},
                     {{"another op", relu()}}};
    cases.push_back(half);
}

} // namespace

std::vector<PatternCase> patternCases(const std::string& folder)
{
    Cases cases;
    addCopies(cases);
    addTranspositions(cases);
    addNames(cases);
    addAttributes(cases);
    addConstants(cases);
    addNorms(cases);
    addConvolutions(cases);
    for (PatternCase& layers : layerCases())
        cases.push_back(std::move(layers));
    addQuantized(cases, folder);
    addFunctions(cases);
    addVariables(cases);
    addForDevices(cases);
    return cases;
}

} // namespace lapidary
