// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/file_weights.h"

#include "graph_model/base/mapped_file.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lapidary {

Value FileWeights::of(const Node& constant)
{
    const auto tensor = constant.tensor();
    if (!tensor || tensor.value().dtype() != DType::Float ||
        constant.attr("dtype").asType() != DType::Float || tensor.value().content().empty() ||
        tensor.value().isSplat() || !constant.owner()->intact())
        return {};
    auto weights =
        std::make_shared<FileWeights>(tensor.value(), constant.holderOf(tensor.value().content()));
    return Value::ofResource(DType::Float, std::move(weights))
        .reinterpreted(DType::Float, tensor.value().shape().dims);
}

void FileWeights::release() const
{
    releasePages(*m_file, m_content);
}

bool packsInput(std::string_view op, std::size_t slot)
{
    constexpr std::array<std::string_view, 5> packing{"Conv2D", "Conv2DBackpropInput",
                                                      "DepthwiseConv2dNative",
                                                      "_LapidaryConvolution", "_LapidaryProduct"};
    return slot == 1 && std::ranges::find(packing, op) != packing.end();
}

Result<Value> weightsInMemory(KernelContext& context, const Value& value)
{
    const auto weights = value.resource<FileWeights>();
    if (!weights)
        return value;
    auto copy = context.allocate(DType::Float, value.dims());
    if (copy)
        std::memcpy(copy->mutableAs<float>().data(), weights->content().data(),
                    std::min(weights->content().size(), copy->byteCount()));
    return copy;
}

const char* weightBytes(const Value& value)
{
    const auto weights = value.resource<FileWeights>();
    return weights ? weights->content().data() : value.bytes().data();
}

} // namespace lapidary
