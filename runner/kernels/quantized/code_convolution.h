// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/convolution/window.h"
#include "runner/kernels/quantized/codes.h"
#include "runner/kernels/quantized/packed_filter.h"

#include <optional>

namespace lapidary {

// The state that a QuantizedConv2D keeps from run to run.
struct CodeConvolutionState {
    struct Window { // from the attributes of the node
        std::int64_t stride = 1;
        Padding padding = Padding::Valid;
    };
    std::optional<Window> window;
    PackedFilter packed;
};

// The computation of a QuantizedConv2D: inputs 0 and 1 hold the codes, 2 to 5 the minima and maxima
// of their ranges.
struct CodeConvolution {
    int8::Convolution shape;
    int8::Zeros zeros;
    CodeRange range; // of the sums' codes

    // `ranges`, if not null, is of no sums and gets the range of each filter's sums. With an
    // ending, `out` gets floats.
    Status run(KernelContext& context, PackedFilter& packed, std::int32_t* out,
               int8::ChannelRanges* ranges, int8::Ending* ending = nullptr) const;
};
Result<CodeConvolution> codeConvolutionOf(const KernelContext& context,
                                          CodeConvolutionState& state);

} // namespace lapidary
