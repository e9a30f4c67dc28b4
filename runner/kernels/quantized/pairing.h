// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/quantized/ranges.h"

namespace lapidary {

// The pairing of the operands of QuantizedAdd and QuantizedMul (spec: kernels, B9).
struct Pairing {
    Broadcast broadcast;
    // If there are two merged dimensions and one operand is as large as the result, TensorFlow
    // repeats the other one as a flat vector, even if its shape is [m, 1].
    bool repeatsX = false;
    bool repeatsY = false;

    bool isFlat() const { return broadcast.axes.size() == 1; }
};

// Reads inputs 0 and 1.
Result<Pairing> pairingOf(const KernelContext& context);

// The operands of both ops: quantized values in inputs 0 and 1, their ranges in 2 to 5; and output
// 0, int32 sums.
struct PairOperands {
    CodeRange x;
    CodeRange y;
    Pairing pairing;
    Value out;
};
Result<PairOperands> pairOperands(KernelContext& context);

// Computes out[i] = op(x[...], y[...]) for all elements.
template <class X, class Y, class Op>
void eachPair(const Pairing& pairing, std::span<const X> x, std::span<const Y> y,
              std::span<std::int32_t> out, const Op& op)
{
    if (pairing.repeatsX || pairing.repeatsY) {
        const std::size_t period = pairing.repeatsX ? x.size() : y.size();
        for (std::size_t at = 0; at < out.size(); at += period) {
            stopPoint();
            for (std::size_t i = 0; i < period && at + i < out.size(); ++i)
                out[at + i] = pairing.repeatsX ? op(x[i], y[at + i]) : op(x[at + i], y[i]);
        }
        return;
    }
    eachRun(pairing.broadcast,
            [&](std::int64_t xAt, std::int64_t yAt, std::int64_t at, const Broadcast::Axis& axis) {
                for (std::int64_t i = 0; i < axis.size; ++i)
                    out[std::size_t(at + i)] = op(x[std::size_t(xAt + i * axis.xStep)],
                                                  y[std::size_t(yAt + i * axis.yStep)]);
            });
}

} // namespace lapidary
