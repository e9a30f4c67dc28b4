// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/layers/layer.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// How the weights of a layer are stored: in float, or in 8 or 16 bits with one scale for all of
// them (per tensor) or one for each output channel.
enum class LayerForm { Float, Tensor8, Channel8, Tensor16, Channel16 };

std::span<const LayerForm> allLayerForms(); // Float first
std::string_view formName(LayerForm form);  // "f", "pt8", "pc8", "pt16", "pc16"
// The parameters of quantize_weights that give this form; none for Float.
std::string formParameters(LayerForm form);

// Bytes of a graph file that the weights take in this form, with the nodes that hold them.
std::int64_t formBytes(const Graph& graph, const Layer& layer, LayerForm form);

} // namespace lapidary
