// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/sequences/recurrent.h"

#include <array>
#include <optional>

namespace lapidary {

// One step of an LSTM:  [i, ci, f, o] = [x, h] w + b  (in the order i, f, ci, o if `forgetsSecond`)
//   i = sigmoid(i + wci cs),  ci = tanh(ci),  f = sigmoid(f + forgetBias + wcf cs)
//   cs' = ci i + f cs, clamped to +-clip if that is above 0
//   o = sigmoid(o + wco cs'),  co = tanh(cs'),  h' = o co
struct LstmShape {
    std::int64_t batch = 0;
    std::int64_t inputs = 0;
    std::int64_t cells = 0;
};
struct LstmOptions {
    float forgetBias = 0;
    float clip = 0;
    bool hasPeepholes = false;
    bool forgetsSecond = false;
};

enum class LstmOutput { I, Cs, F, O, Ci, Co, H };
inline constexpr std::size_t lstmOutputs = 7;

class LstmCell {
public:
    // Reads a node whose inputs from `first` on are cs_prev, h_prev, w, wci, wcf, wco, b.
    static Result<LstmCell> make(KernelContext& context, std::size_t first, LstmShape shape,
                                 LstmOptions options);

    // `x` is [batch, inputs]; cs and h come from the step before.
    void step(std::span<const float> x);
    std::span<const float> output(LstmOutput which) const
    {
        return (*m_outputs[std::size_t(which)]).all();
    }

private:
    LstmCell(LstmShape shape, LstmOptions options)
        : m_shape(shape)
        , m_options(options)
    {
    }
    float& out(LstmOutput which, std::int64_t i) { return (*m_outputs[std::size_t(which)])[i]; }
    void activate(std::int64_t row, std::int64_t cell);

    LstmShape m_shape;
    LstmOptions m_options;
    std::optional<FloatMatrix> m_weights;
    std::optional<FloatMatrix> m_bias;
    std::array<std::optional<FloatMatrix>, 3> m_peepholes; // of i, f and o
    std::optional<FloatMatrix> m_joined;                   // [x, h]
    std::optional<FloatMatrix> m_gates;
    std::array<std::optional<FloatMatrix>, lstmOutputs> m_outputs;
};

// Returns what is wrong with the shapes of cs_prev, h_prev, w, wci, wcf, wco and b, the inputs from
// `first` on; empty if nothing is.
std::string lstmFault(const KernelContext& context, std::size_t first, const LstmShape& shape,
                      bool hasPeepholes);

} // namespace lapidary
