// SPDX-License-Identifier: Apache-2.0
#include "layers.h"
#include "samples.h"

#include <array>
#include <string>

namespace lapidary::samples {
namespace {

Value normalized(ModelBuilder& model, const Value& x, Convolution what)
{
    return batchNorm(model, "batch_norm", convolution(model, "conv", x, what));
}

Value unit(ModelBuilder& model, std::string_view name, const Value& x, Convolution what)
{
    const ModelBuilder::Scope scope(model, name);
    Value shortcut = x;
    if (what.stride != 1 || x.shape.dims[3] != what.filters) {
        const ModelBuilder::Scope inner(model, "shortcut");
        shortcut = normalized(model, x, {what.filters, 1, what.stride});
    }
    Value y = x;
    {
        const ModelBuilder::Scope inner(model, "conv1");
        y = unary(model, "Relu", normalized(model, x, what));
    }
    {
        const ModelBuilder::Scope inner(model, "conv2");
        y = normalized(model, y, {what.filters, 3, 1});
    }
    return unary(model, "Relu", binary(model, "AddV2", y, shortcut, y.shape));
}

Value stage(ModelBuilder& model, int number, Value x, Convolution what)
{
    const ModelBuilder::Scope scope(model, "block" + std::to_string(number));
    for (int i = 1; i <= 3; ++i) {
        x = unit(model, "unit" + std::to_string(i), x, what);
        what.stride = 1;
    }
    return x;
}

Value stem(ModelBuilder& model, const Value& images)
{
    const ModelBuilder::Scope scope(model, "stem");
    const Value x = unary(model, "Relu", normalized(model, images, {16, 7, 2}));
    Shape shape = x.shape;
    shape.dims[1] /= 2;
    shape.dims[2] /= 2;
    return model.add("MaxPool", "MaxPool", {x}, {result(x.dtype, shape)},
                     {{"T", attr::fromType(x.dtype)},
                      {"data_format", attr::fromString("NHWC")},
                      {"ksize", attr::fromInts({1, 3, 3, 1})},
                      {"padding", attr::fromString("SAME")},
                      {"strides", attr::fromInts({1, 2, 2, 1})}});
}

Value mean(ModelBuilder& model, const Value& x)
{
    const ModelBuilder::Scope scope(model, "pool");
    const Value axes = model.ints("reduction_indices", std::array{1, 2});
    return model.add("Mean", "Mean", {x, axes},
                     {result(x.dtype, Shape{{x.shape.dims[0], x.shape.dims[3]}})},
                     {{"T", attr::fromType(x.dtype)},
                      {"Tidx", attr::fromType(DType::Int32)},
                      {"keep_dims", attr::fromBool(false)}});
}

Attrs typed(const Value& value)
{
    return {{"T", attr::fromType(value.dtype)}};
}

// One variable of a loop: its merge, its value in the body, and its exit.
struct LoopVariable {
    Value merge;
    Value body;
    Value exit;
};

Value enter(ModelBuilder& model, const Value& x, bool isConstant)
{
    return model.add("Enter", "Enter", {x}, {x},
                     {{"T", attr::fromType(x.dtype)},
                      {"frame_name", attr::fromString("refine/while/while_context")},
                      {"is_constant", attr::fromBool(isConstant)},
                      {"parallel_iterations", attr::fromInt(10)}});
}

Value merge(ModelBuilder& model, const Value& x, const std::string& next)
{
    const Value entered = enter(model, x, false);
    Value back = x;
    back.name = next;
    return model.add("Merge", "Merge", {entered, back}, {x, result(DType::Int32, {})},
                     {{"N", attr::fromInt(2)}, {"T", attr::fromType(x.dtype)}});
}

LoopVariable branch(ModelBuilder& model, const Value& merged, const Value& condition)
{
    const Value sides =
        model.add("Switch", "Switch", {merged, condition}, {merged, merged}, typed(merged));
    LoopVariable variable{merged, {}, {}};
    variable.exit = model.add("Exit", "Exit", {sides}, {merged}, typed(merged));
    variable.body = model.add("Identity", "Identity", {port(sides, 1)}, {merged}, typed(merged));
    return variable;
}

// while (i < 3) { features = relu(features * matrix + features); ++i; }
Value refine(ModelBuilder& model, const Value& features)
{
    const ModelBuilder::Scope outer(model, "refine");
    const Value start = model.scalar("start", 0);
    const Value kernel =
        model.weights("kernel", Shape{{features.shape.dims[1], features.shape.dims[1]}}, 0.1F);
    const ModelBuilder::Scope scope(model, "while");
    const Value countMerge = merge(model, start, "refine/while/NextIteration");
    const Value dataMerge = merge(model, features, "refine/while/NextIteration_1");
    const Value matrix = enter(model, kernel, true);

    const Value limit = model.scalar("Less/y", 3, countMerge.name);
    const Value less = model.add("Less", "Less", {countMerge, limit}, {result(DType::Bool, {})},
                                 typed(countMerge));
    const Value condition = model.add("LoopCond", "LoopCond", {less}, {less});
    const LoopVariable count = branch(model, countMerge, condition);
    const LoopVariable data = branch(model, dataMerge, condition);

    const Value one = model.scalar("add/y", 1, count.body.name);
    const Value nextCount = binary(model, "AddV2", count.body, one, {});
    const Value product =
        model.add("MatMul", "MatMul", {data.body, matrix}, {data.body}, typed(data.body));
    const Value sum = binary(model, "AddV2", product, data.body, data.body.shape);
    const Value better = unary(model, "Relu", sum);
    model.add("NextIteration", "NextIteration", {nextCount}, {nextCount}, typed(nextCount));
    model.add("NextIteration", "NextIteration", {better}, {better}, typed(better));
    return data.exit;
}

GraphPtr makeResidualNetwork()
{
    ModelBuilder model;
    Value x = model.placeholder("images", DType::Float, Shape{{-1, 64, 64, 3}});
    x = stem(model, x);
    x = stage(model, 1, x, {16, 3, 1});
    x = stage(model, 2, x, {32, 3, 2});
    x = stage(model, 3, x, {64, 3, 2});
    x = refine(model, mean(model, x));
    const ModelBuilder::Scope scope(model, "head");
    x = dense(model, "logits", x, 10);
    model.add("predictions", "Softmax", {x}, {x}, floatType());
    return std::move(model).finish();
}

} // namespace

GraphPtr residualNetwork()
{
    static const GraphPtr network = makeResidualNetwork(); // tests use it many times
    return network;
}

} // namespace lapidary::samples
