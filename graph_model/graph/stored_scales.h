// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lapidary {

// The meaning of quantized values of a TFLite or ONNX file: scale * (value - zero point). One scale
// for the whole tensor, or one for each slice along the axis.
struct StoredScales {
    std::vector<float> scales;
    std::vector<std::int64_t> zeroPoints; // as many
    std::int64_t axis = 0;
    // The lists as encoded attributes, whose bytes are shared by all nodes that have them.
    AttrBytes encodedScales = {};
    AttrBytes encodedZeroPoints = {};
};

// Returns the scales of an output of a node, which readers of such files store in the attributes
// _scale, _zero_point and _scale_axis (for output 1: _scale_1 and so on), or nothing.
std::optional<StoredScales> storedScales(const Node& node, std::int32_t port);
// Copies the scales of the first `ports` outputs of `from` to the node that now makes their values.
// Scales that the node has already stay.
void shareStoredScales(NodeDraft& made, const Node& from, std::size_t ports);

// Adds the scales of an operand ("in0", "out") to the attributes of a node that computes with
// codes.
void addOperandScales(std::vector<std::pair<std::string, AttrBytes>>& attrs,
                      std::string_view operand, const StoredScales& scales);
std::optional<StoredScales> operandScales(const Node& node, std::string_view operand);

} // namespace lapidary
