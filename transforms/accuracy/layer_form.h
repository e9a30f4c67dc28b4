// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/layers/layer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// The storage of a layer's weights: in float, or in 8 or 16 bits with one scale for all of them
// (per tensor) or one for each output channel. With fewer bits the file is as large as with 8, but
// compresses better. Run8: stored in 8 bits per channel, and computed in 8 bits.
enum class LayerForm { Float, Tensor8, Channel8, Tensor16, Channel16, Channel6, Channel5, Run8 };

std::span<const LayerForm> allLayerForms(); // Float first
std::string_view formName(LayerForm form);  // "f", "pt8", "pc8", "pt16", "pc16", "pc6", "pc5", "i8"
std::optional<LayerForm> formNamed(std::string_view name);
// The parameters of quantize_weights that give this form; none for Float.
std::string formParameters(LayerForm form);

// Returns the bytes of a graph file that the weights take in this form, with the nodes that hold
// them.
std::int64_t formBytes(const Graph& graph, const Layer& layer, LayerForm form);
// Estimates how many of these bytes are left in a compressed file.
std::int64_t formGzipBytes(const Graph& graph, const Layer& layer, LayerForm form);
// Returns whether a form pays only in a compressed file.
bool isForCompression(LayerForm form);
bool isPerChannel(LayerForm form);
// Returns whether a layer of this op can have the form.
bool suitsOp(LayerForm form, std::string_view op);
int formBits(LayerForm form); // of a weight

} // namespace lapidary
