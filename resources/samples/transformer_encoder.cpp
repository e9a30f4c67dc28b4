// SPDX-License-Identifier: Apache-2.0
#include "layers.h"
#include "samples.h"

#include <array>
#include <cmath>
#include <string>

namespace lapidary::samples {
namespace {

constexpr std::int64_t tokens = 16;
constexpr std::int64_t width = 64;
constexpr std::int64_t heads = 4;
constexpr std::int64_t words = 500;

const Shape batchShape{{-1, tokens, width}};                // batch, token, feature
const Shape rowShape{{-1, width}};                          // batch * token, feature
const Shape splitShape{{-1, tokens, heads, width / heads}}; // features split into heads
const Shape headShape{{-1, heads, tokens, width / heads}};  // with heads before tokens
const Shape scoreShape{{-1, heads, tokens, tokens}};

Value reshape(ModelBuilder& model, const Value& x, const Shape& shape)
{
    std::vector<std::int32_t> sizes(shape.dims.begin(), shape.dims.end());
    const Value target = model.ints("Reshape/shape", sizes);
    return model.add("Reshape", "Reshape", {x, target}, {result(x.dtype, shape)},
                     {{"T", attr::fromType(x.dtype)}, {"Tshape", attr::fromType(DType::Int32)}});
}

Value transpose(ModelBuilder& model, const Value& x, const Shape& shape)
{
    const Value order = model.ints("transpose/perm", std::array{0, 2, 1, 3});
    return model.add("transpose", "Transpose", {x, order}, {result(x.dtype, shape)},
                     {{"T", attr::fromType(x.dtype)}, {"Tperm", attr::fromType(DType::Int32)}});
}

Value batchMatMul(ModelBuilder& model, const Value& a, const Value& b, bool adjointB,
                  const Shape& shape)
{
    return model.add("MatMul", "BatchMatMulV2", {a, b}, {result(a.dtype, shape)},
                     {{"T", attr::fromType(a.dtype)},
                      {"adj_x", attr::fromBool(false)},
                      {"adj_y", attr::fromBool(adjointB)}});
}

Value mean(ModelBuilder& model, std::string_view name, const Value& x)
{
    const Value axes = model.ints(std::string(name) + "/reduction_indices", std::array{-1});
    Shape shape = x.shape;
    shape.dims.back() = 1;
    return model.add(name, "Mean", {x, axes}, {result(x.dtype, shape)},
                     {{"T", attr::fromType(x.dtype)},
                      {"Tidx", attr::fromType(DType::Int32)},
                      {"keep_dims", attr::fromBool(true)}});
}

// (x - mean) / sqrt(variance + epsilon) * gamma + beta, multiplied out as TensorFlow does.
Value layerNorm(ModelBuilder& model, const Value& x)
{
    const ModelBuilder::Scope scope(model, "LayerNorm");
    const Value beta = model.weights("beta", Shape{{width}}, 0.05F);
    const Value gamma = model.filled("gamma", Shape{{width}}, 1.0F);
    Value average;
    Value variance;
    {
        const ModelBuilder::Scope inner(model, "moments");
        average = mean(model, "mean", x);
        const Value still = unary(model, "StopGradient", average);
        const Value squares = binary(model, "SquaredDifference", x, still, x.shape);
        variance = mean(model, "variance", squares);
    }
    const ModelBuilder::Scope inner(model, "batchnorm");
    const Value epsilon = model.scalar("add/y", 1e-12F);
    const Value root =
        unary(model, "Rsqrt", binary(model, "AddV2", variance, epsilon, variance.shape));
    const Value factor = binary(model, "Mul", root, gamma, x.shape);
    const Value scaled = binary(model, "Mul", x, factor, x.shape);
    const Value shift =
        binary(model, "Sub", beta, binary(model, "Mul", average, factor, x.shape), x.shape);
    return binary(model, "AddV2", scaled, shift, x.shape);
}

Value headsOf(ModelBuilder& model, std::string_view name, const Value& x)
{
    const Value projected = dense(model, name, x, width);
    return transpose(model, reshape(model, projected, splitShape), headShape);
}

Value attention(ModelBuilder& model, const Value& x, const Value& mask)
{
    const ModelBuilder::Scope scope(model, "attention");
    Value context;
    {
        const ModelBuilder::Scope self(model, "self");
        const Value query = headsOf(model, "query", x);
        const Value key = headsOf(model, "key", x);
        const Value value = headsOf(model, "value", x);
        const Value scale = model.scalar("Mul/y", 1.0F / std::sqrt(float(width) / float(heads)));
        const Value scores = binary(model, "Mul", batchMatMul(model, query, key, true, scoreShape),
                                    scale, scoreShape);
        const Value masked = binary(model, "AddV2", scores, mask, scoreShape);
        const Value weights = unary(model, "Softmax", masked);
        context = batchMatMul(model, weights, value, false, headShape);
        context = reshape(model, transpose(model, context, splitShape), rowShape);
    }
    const ModelBuilder::Scope output(model, "output");
    const Value projected = dense(model, "dense", context, width);
    return layerNorm(model, binary(model, "AddV2", projected, x, rowShape));
}

// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
Value gelu(ModelBuilder& model, const Value& x)
{
    const ModelBuilder::Scope scope(model, "gelu");
    const Value cube = binary(model, "Pow", x, model.scalar("Pow/y", 3.0F), x.shape);
    const Value small = binary(model, "Mul", model.scalar("Mul/x", 0.044715F), cube, x.shape);
    const Value sum = binary(model, "AddV2", x, small, x.shape);
    const Value scaled = binary(model, "Mul", model.scalar("Mul_1/x", 0.7978846F), sum, x.shape);
    const Value bounded = unary(model, "Tanh", scaled);
    const Value shifted = binary(model, "AddV2", model.scalar("add_1/x", 1.0F), bounded, x.shape);
    const Value half = binary(model, "Mul", model.scalar("Mul_2/x", 0.5F), shifted, x.shape);
    return binary(model, "Mul", x, half, x.shape);
}

Value encoderLayer(ModelBuilder& model, int number, const Value& x, const Value& mask)
{
    const ModelBuilder::Scope scope(model, "layer_" + std::to_string(number));
    const Value attended = attention(model, x, mask);
    Value inner;
    {
        const ModelBuilder::Scope feed(model, "intermediate");
        inner = gelu(model, dense(model, "dense", attended, 4 * width));
    }
    const ModelBuilder::Scope output(model, "output");
    const Value outer = dense(model, "dense", inner, width);
    return layerNorm(model, binary(model, "AddV2", outer, attended, rowShape));
}

Value embeddings(ModelBuilder& model, const Value& ids)
{
    const ModelBuilder::Scope scope(model, "embeddings");
    const Value table = model.weights("word_embeddings", Shape{{words, width}}, 0.1F);
    const Value positions = model.weights("position_embeddings", Shape{{tokens, width}}, 0.1F);
    const Value axis = model.scalar("GatherV2/axis", 0);
    const Value found =
        model.add("GatherV2", "GatherV2", {table, ids, axis}, {result(DType::Float, batchShape)},
                  {{"Taxis", attr::fromType(DType::Int32)},
                   {"Tindices", attr::fromType(DType::Int32)},
                   {"Tparams", attr::fromType(DType::Float)},
                   {"batch_dims", attr::fromInt(0)}});
    const Value placed = binary(model, "AddV2", found, positions, batchShape);
    return layerNorm(model, reshape(model, placed, rowShape));
}

// Returns 0 for a token and -10000 for padding; this is added to the scores of every head.
Value attentionMask(ModelBuilder& model, const Value& mask)
{
    const ModelBuilder::Scope scope(model, "mask");
    const Value numbers = model.add("Cast", "Cast", {mask}, {result(DType::Float, mask.shape)},
                                    {{"DstT", attr::fromType(DType::Float)},
                                     {"SrcT", attr::fromType(DType::Int32)},
                                     {"Truncate", attr::fromBool(false)}});
    const Value wide = reshape(model, numbers, Shape{{-1, 1, 1, tokens}});
    const Value absent = binary(model, "Sub", model.scalar("Sub/x", 1.0F), wide, wide.shape);
    return binary(model, "Mul", absent, model.scalar("Mul/y", -10000.0F), wide.shape);
}

Value pooler(ModelBuilder& model, const Value& x)
{
    const ModelBuilder::Scope scope(model, "pooler");
    const Value sequence = reshape(model, x, batchShape);
    const Value begin = model.ints("strided_slice/stack", std::array{0, 0, 0});
    const Value end = model.ints("strided_slice/stack_1", std::array{0, 1, 0});
    const Value step = model.ints("strided_slice/stack_2", std::array{1, 1, 1});
    const Value first = model.add("strided_slice", "StridedSlice", {sequence, begin, end, step},
                                  {result(DType::Float, rowShape)},
                                  {{"Index", attr::fromType(DType::Int32)},
                                   {"T", attr::fromType(DType::Float)},
                                   {"begin_mask", attr::fromInt(5)},
                                   {"ellipsis_mask", attr::fromInt(0)},
                                   {"end_mask", attr::fromInt(5)},
                                   {"new_axis_mask", attr::fromInt(0)},
                                   {"shrink_axis_mask", attr::fromInt(2)}});
    return unary(model, "Tanh", dense(model, "dense", first, width));
}

} // namespace

GraphPtr transformerEncoder()
{
    ModelBuilder model;
    const Value ids = model.placeholder("input_ids", DType::Int32, Shape{{-1, tokens}});
    const Value present = model.placeholder("input_mask", DType::Int32, Shape{{-1, tokens}});
    Value x;
    {
        const ModelBuilder::Scope scope(model, "encoder");
        const Value mask = attentionMask(model, present);
        x = embeddings(model, ids);
        for (int i = 0; i < 3; ++i)
            x = encoderLayer(model, i, x, mask);
        x = pooler(model, x);
    }
    const ModelBuilder::Scope scope(model, "classifier");
    const Value logits = dense(model, "logits", x, 3);
    model.add("probabilities", "Softmax", {logits}, {logits}, floatType());
    return std::move(model).finish();
}

} // namespace lapidary::samples
