// SPDX-License-Identifier: Apache-2.0
// A product with constant weights and the nodes after it as one primitive: the weights are packed
// once, bias and activation are applied while the sums are stored.
#include "runner/kernels/linear/fused_product.h"

#include "runner/kernels/convolution/fused_convolution.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/linear/few_rows_product.h"
#include "runner/kernels/linear/matrix_product.h"
#include "runner/kernels/packed_weights.h"
#include "runner/onednn/product.h"

#include <algorithm>
#include <functional>
#include <variant>

namespace lapidary {
namespace {

using FewRows = PackedWeights<FewRowsProduct, onednn::ProductShape>;
using ManyRows = PackedWeights<onednn::Product, onednn::ProductShape>;

struct Stages {
    std::vector<bool> isMinus; // one for each vector
    onednn::Activation activation = onednn::Activation::None;
};

// The state that the node keeps; its attributes do not change.
struct Kept {
    bool isRead = false;
    bool transposed = false;
    Stages stages;
    std::variant<FewRows, ManyRows> products; // ManyRows once an input had many rows
};

Stages stagesOf(std::string_view text)
{
    Stages stages;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        const std::string_view name = text.substr(0, comma);
        text = text.substr(std::min(comma + 1, text.size()));
        if (name == fused_stages::relu)
            stages.activation = onednn::Activation::Relu;
        else if (name == fused_stages::relu6)
            stages.activation = onednn::Activation::Relu6;
        else
            stages.isMinus.push_back(name == fused_stages::minus);
    }
    return stages;
}

Result<onednn::ProductShape> shapeOf(const KernelContext& context, const Kept& kept)
{
    if (context.inputCount() != 2 + kept.stages.isMinus.size())
        return context.error("must have " + std::to_string(2 + kept.stages.isMinus.size()) +
                             " inputs, but has " + std::to_string(context.inputCount()));
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        if (context.input(i).dtype() != DType::Float)
            return context.error("computes float only");
    ASSIGN_OR_RETURN(const auto product, matrixProductOf(context, false, kept.transposed));
    const onednn::ProductShape shape{.rows = product.rows,
                                     .depth = product.depth,
                                     .columns = product.columns,
                                     .transposed = kept.transposed};
    for (std::size_t i = 2; i < context.inputCount(); ++i)
        if (const Value& vector = context.input(i); vector.elements() != shape.columns)
            return context.error("a bias must have " + std::to_string(shape.columns) +
                                 " elements, but is " + dimsText(vector.dims()));
    return shape;
}

std::vector<float> biasOf(const KernelContext& context, const Stages& stages, std::int64_t columns)
{
    std::vector<float> bias(std::size_t(columns), 0.0F);
    for (std::size_t i = 0; i < stages.isMinus.size(); ++i) {
        const auto vector = context.input(2 + i).as<float>();
        for (std::size_t c = 0; c < bias.size(); ++c)
            bias[c] += stages.isMinus[i] ? -vector[c] : vector[c];
    }
    return bias;
}

// Fills in the results of empty sums: only the bias remains.
void fillBias(Value& y, const std::vector<float>& bias, onednn::Activation activation)
{
    const auto out = y.mutableAs<float>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float b = bias[i % bias.size()];
        const float positive = b < 0 ? 0 : b;
        if (activation == onednn::Activation::None)
            out[i] = b;
        else
            out[i] = activation == onednn::Activation::Relu6 && positive > 6 ? 6 : positive;
    }
}

Status runFusedProduct(KernelContext& context)
{
    auto& kept = context.state<Kept>();
    if (!kept.isRead) {
        kept.stages = stagesOf(context.stringAttr("stages"));
        kept.transposed = context.boolAttr("transpose_b");
        kept.isRead = true;
    }
    ASSIGN_OR_RETURN(const auto shape, shapeOf(context, kept));
    auto y = context.makeOutput(0, DType::Float, {shape.rows, shape.columns});
    if (!y || y.value().elements() == 0)
        return y ? Status(Done{}) : y.error();
    const std::int64_t columns = shape.columns;
    if (shape.depth == 0) {
        fillBias(y.value(), biasOf(context, kept.stages, columns), kept.stages.activation);
        return Done{};
    }
    const auto makeWeights = [&]() -> Result<WeightsAndBias> {
        ASSIGN_OR_RETURN(auto weights, weightsInMemory(context, context.input(1)));
        return WeightsAndBias{std::move(weights), biasOf(context, kept.stages, columns)};
    };
    const MakeWeights make = std::cref(makeWeights); // a reference, which needs no allocation
    const std::span<const Value> inputs(&context.input(0), context.inputCount());
    const onednn::Epilogue epilogue{.bias = !kept.stages.isMinus.empty(),
                                    .activation = kept.stages.activation};
    if (!FewRowsProduct::suits(shape) && std::holds_alternative<FewRows>(kept.products))
        kept.products.emplace<ManyRows>();
    const Status status = std::visit(
        [&](auto& products) {
            return products.run(context, {shape, epilogue}, context.input(0).as<float>().data(),
                                inputs.subspan(1), make, y.value().mutableAs<float>().data());
        },
        kept.products);
    return status ? status : context.error(status.error().message);
}

} // namespace

LAPIDARY_KERNEL(_LapidaryProduct, runFusedProduct);

} // namespace lapidary
