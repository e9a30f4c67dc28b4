// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/quantized/requantize_codes.h"

#include <optional>
#include <string_view>

namespace lapidary {

// The stages of a fused node (`stages`, see fused_codes.h), with the indices of their inputs.
struct FusedStages {
    // The range of a Requantize: that of two inputs, of which `input` is the first, or if that is
    // not set the range in use.
    struct Target {
        std::optional<std::size_t> input;
        std::string_view node;
    };

    enum class Begin : std::uint8_t { Convolution, Sum, Bias };

    Begin begin = Begin::Convolution; // QuantizedConv2D, QuantizedAdd, QuantizedBiasAdd
    Target first;
    std::optional<std::size_t> bias; // the first input of a QuantizedBiasAdd
    Target second;
    std::string_view relu;
    std::size_t inputs = 0;
    // The names of nodes for errors; empty if the plan has none.
    std::string_view source;
    std::string_view biasNode;
};
// Removes the text up to the mark, and the mark, from `text`, and returns it without the mark.
std::string_view takePiece(std::string_view& text, char mark);
// Reads the attributes of the node.
FusedStages fusedStagesOf(const KernelContext& context);

// Turns an error of the fused node into one of `node`, which it replaces.
Error errorOf(const KernelContext& context, std::string_view node, Error error);

// Returns the range into which sums are requantized; `used`: the range of the sums.
Result<CodeRange> targetOf(const KernelContext& context, const FusedStages::Target& target,
                           CodeRange from, int8::Range32 used);
// Returns the requantization of the last Requantize and the Relu after it.
int8::Requantization lastRequantization(const FusedStages& stages, CodeRange from, CodeRange to);

// Runs the stages of a fused QuantizedAdd.
Status runFusedSum(KernelContext& context, const FusedStages& stages);
// Runs the stages of a fused QuantizedBiasAdd.
Status runFusedBias(KernelContext& context, const FusedStages& stages);

} // namespace lapidary
