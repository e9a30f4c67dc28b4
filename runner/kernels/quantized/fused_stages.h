// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/quantized/requantize_codes.h"

#include <optional>
#include <string_view>

namespace lapidary {

// Describes what a fused node does (`stages`, see fused_codes.h), and where the inputs of it are.
struct FusedStages {
    // Requantize: into the range of two inputs, or that in use.
    struct Target {
        std::optional<std::size_t> input;
        std::string_view node;
    };

    enum class Begin : std::uint8_t { Convolution, Sum, Bias };

    Begin begin = Begin::Convolution; // QuantizedConv2D, QuantizedAdd, QuantizedBiasAdd
    Target first;
    std::optional<std::size_t> bias; // its first input
    Target second;
    std::string_view relu;
    std::size_t inputs = 0;
    // The nodes that errors are of; empty where the plan did not say.
    std::string_view source;
    std::string_view biasNode;
};
// Takes the text up to the mark; the rest begins after it.
std::string_view takePiece(std::string_view& text, char mark);
// Reads the attributes of the node.
FusedStages fusedStagesOf(const KernelContext& context);

// The error of the fused node as that of one of its nodes.
Error errorOf(const KernelContext& context, std::string_view node, Error error);

// The range that sums are requantized into; `used`: what they are.
Result<CodeRange> targetOf(const KernelContext& context, const FusedStages::Target& target,
                           CodeRange from, int8::Range32 used);
// The last Requantize and the Relu that follows it.
int8::Requantization lastRequantization(const FusedStages& stages, CodeRange from, CodeRange to);

// The node whose first stage is a QuantizedAdd.
Status runFusedSum(KernelContext& context, const FusedStages& stages);
// Runs the stages of a fused QuantizedBiasAdd.
Status runFusedBias(KernelContext& context, const FusedStages& stages);

} // namespace lapidary
