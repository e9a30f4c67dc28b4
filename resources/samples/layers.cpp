// SPDX-License-Identifier: Apache-2.0
#include "layers.h"

#include <array>
#include <cmath>

namespace lapidary::samples {

Attrs floatType()
{
    return {{"T", attr::fromType(DType::Float)}};
}

Value unary(ModelBuilder& model, std::string_view op, const Value& x)
{
    return model.add(op, op, {x}, {result(x.dtype, x.shape)}, {{"T", attr::fromType(x.dtype)}});
}

Value binary(ModelBuilder& model, std::string_view op, const Value& a, const Value& b,
             const Shape& shape)
{
    return model.add(op, op, {a, b}, {result(a.dtype, shape)}, {{"T", attr::fromType(a.dtype)}});
}

Value convolution(ModelBuilder& model, std::string_view name, const Value& x, Convolution what)
{
    const ModelBuilder::Scope scope(model, name);
    const std::int64_t channels = x.shape.dims[3];
    const float deviation = std::sqrt(2.0F / float(what.kernel * what.kernel * channels));
    const Value kernel = model.weights(
        "weights", Shape{{what.kernel, what.kernel, channels, what.filters}}, deviation);
    Shape shape = x.shape;
    for (const int axis : {1, 2})
        shape.dims[std::size_t(axis)] =
            (shape.dims[std::size_t(axis)] + what.stride - 1) / what.stride;
    shape.dims[3] = what.filters;
    return model.add("Conv2D", "Conv2D", {x, kernel}, {result(x.dtype, shape)},
                     {{"T", attr::fromType(DType::Float)},
                      {"data_format", attr::fromString("NHWC")},
                      {"dilations", attr::fromInts({1, 1, 1, 1})},
                      {"padding", attr::fromString("SAME")},
                      {"strides", attr::fromInts({1, what.stride, what.stride, 1})},
                      {"use_cudnn_on_gpu", attr::fromBool(true)}});
}

Value batchNorm(ModelBuilder& model, std::string_view name, const Value& x)
{
    const ModelBuilder::Scope scope(model, name);
    const Shape channels{{x.shape.dims[3]}};
    const std::vector<Value> inputs{x, model.filled("gamma", channels, 1.0F),
                                    model.weights("beta", channels, 0.1F),
                                    model.weights("moving_mean", channels, 0.2F),
                                    model.filled("moving_variance", channels, 1.0F)};
    std::vector<Value> results(6, result(DType::Float, channels));
    results[0].shape = x.shape;
    results[5].shape = Shape{{}, true};
    return model.add("FusedBatchNormV3", "FusedBatchNormV3", inputs, results,
                     {{"T", attr::fromType(DType::Float)},
                      {"U", attr::fromType(DType::Float)},
                      {"data_format", attr::fromString("NHWC")},
                      {"epsilon", attr::fromFloat(1e-5F)},
                      {"is_training", attr::fromBool(false)}});
}

Value dense(ModelBuilder& model, std::string_view name, const Value& x, std::int64_t units)
{
    const ModelBuilder::Scope scope(model, name);
    const std::int64_t width = x.shape.dims[1];
    const Value kernel =
        model.weights("kernel", Shape{{width, units}}, std::sqrt(1.0F / float(width)));
    const Value bias = model.weights("bias", Shape{{units}}, 0.05F);
    const Shape shape{{x.shape.dims[0], units}};
    const Value product = model.add("MatMul", "MatMul", {x, kernel}, {result(x.dtype, shape)},
                                    {{"T", attr::fromType(DType::Float)},
                                     {"transpose_a", attr::fromBool(false)},
                                     {"transpose_b", attr::fromBool(false)}});
    return model.add(
        "BiasAdd", "BiasAdd", {product, bias}, {result(x.dtype, shape)},
        {{"T", attr::fromType(DType::Float)}, {"data_format", attr::fromString("NHWC")}});
}

} // namespace lapidary::samples
