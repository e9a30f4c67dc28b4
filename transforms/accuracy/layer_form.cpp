// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/layer_form.h"

#include "transforms/constants/const_node.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::array forms{LayerForm::Float,    LayerForm::Tensor8,   LayerForm::Channel8,
                           LayerForm::Tensor16, LayerForm::Channel16, LayerForm::Channel6,
                           LayerForm::Channel5, LayerForm::Run8};

bool isWide(LayerForm form)
{
    return form == LayerForm::Tensor16 || form == LayerForm::Channel16;
}

} // namespace

std::span<const LayerForm> allLayerForms()
{
    return forms;
}

std::string_view formName(LayerForm form)
{
    switch (form) {
    case LayerForm::Tensor8: return "pt8";
    case LayerForm::Channel8: return "pc8";
    case LayerForm::Tensor16: return "pt16";
    case LayerForm::Channel16: return "pc16";
    case LayerForm::Channel6: return "pc6";
    case LayerForm::Channel5: return "pc5";
    case LayerForm::Run8: return "i8";
    case LayerForm::Float: break;
    }
    return "f";
}

std::optional<LayerForm> formNamed(std::string_view name)
{
    const auto* const found = std::ranges::find(forms, name, formName);
    return found == std::end(forms) ? std::nullopt : std::optional(*found);
}

std::string formParameters(LayerForm form)
{
    std::string text = isPerChannel(form) ? "per_channel=true" : "per_channel=false";
    if (isWide(form))
        text += ", small_bits=16, small_size=2147483647";
    if (isForCompression(form))
        text += form == LayerForm::Channel6 ? ", num_bits=6" : ", num_bits=5";
    return form == LayerForm::Float ? "" : text;
}

std::int64_t formBytes(const Graph& graph, const Layer& layer, LayerForm form)
{
    // Bytes of two scalars, a Dequantize and the heads of messages, and of a Mul and a vector, with
    // short names.
    constexpr std::int64_t rangeNodes = 210;
    constexpr std::int64_t scaleNodes = 100;
    std::int64_t values = 1;
    for (const std::int64_t dim : constDims(graph.node(layer.weights)))
        values *= dim;
    if (form == LayerForm::Float)
        return values * 4;
    const std::int64_t scales = isPerChannel(form) ? scaleNodes + 4 * layer.outputs : 0;
    return values * (isWide(form) ? 2 : 1) + rangeNodes + scales;
}

std::int64_t formGzipBytes(const Graph& graph, const Layer& layer, LayerForm form)
{
    const double bytes = double(formBytes(graph, layer, form));
    // The compressed share of codes of normally distributed values; floats hardly compress.
    switch (form) {
    case LayerForm::Float:
    case LayerForm::Tensor16:
    case LayerForm::Channel16: return std::int64_t(0.93 * bytes);
    case LayerForm::Channel6: return std::int64_t(0.65 * bytes);
    case LayerForm::Channel5: return std::int64_t(0.53 * bytes);
    case LayerForm::Tensor8:
    case LayerForm::Channel8:
    case LayerForm::Run8: break;
    }
    return std::int64_t(0.88 * bytes);
}

bool isForCompression(LayerForm form)
{
    return form == LayerForm::Channel6 || form == LayerForm::Channel5;
}

bool suitsOp(LayerForm form, std::string_view op)
{
    return form != LayerForm::Run8 || op == "Conv2D" || op == "MatMul";
}

bool isPerChannel(LayerForm form)
{
    return form == LayerForm::Channel8 || form == LayerForm::Run8 || form == LayerForm::Channel16 ||
           isForCompression(form);
}

int formBits(LayerForm form)
{
    switch (form) {
    case LayerForm::Float: return 32;
    case LayerForm::Tensor16:
    case LayerForm::Channel16: return 16;
    case LayerForm::Channel6: return 6;
    case LayerForm::Channel5: return 5;
    case LayerForm::Tensor8:
    case LayerForm::Channel8:
    case LayerForm::Run8: break;
    }
    return 8;
}

} // namespace lapidary
