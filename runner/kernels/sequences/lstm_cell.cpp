// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/sequences/lstm_cell.h"

#include <algorithm>

namespace lapidary {

std::string lstmFault(const KernelContext& context, std::size_t first, const LstmShape& shape,
                      bool hasPeepholes)
{
    const auto [batch, inputs, cells] = shape;
    std::string fault = shapeFault("cs_prev", context.input(first), {batch, cells});
    if (fault.empty())
        fault = shapeFault("h_prev", context.input(first + 1), {batch, cells});
    if (fault.empty())
        fault = shapeFault("w", context.input(first + 2), {inputs + cells, 4 * cells});
    constexpr std::string_view peepholes[] = {"wci", "wcf", "wco"};
    for (std::size_t i = 0; i < 3 && hasPeepholes && fault.empty(); ++i)
        fault = shapeFault(peepholes[i], context.input(first + 3 + i), {cells});
    if (fault.empty())
        fault = shapeFault("b", context.input(first + 6), {4 * cells});
    return fault;
}

Result<LstmCell> LstmCell::make(KernelContext& context, std::size_t first, LstmShape shape,
                                LstmOptions options)
{
    LstmCell cell(shape, options);
    MemoryPool& pool = context.session().pool;
    std::optional<Error> error;
    const auto keep = [&](std::optional<FloatMatrix>& place, Result<FloatMatrix> made) {
        if (made)
            place = *std::move(made);
        else if (!error)
            error = context.error(made.error().message);
    };
    const auto copy = [&](std::size_t i) {
        return FloatMatrix::copyOf(context.input(first + i), pool);
    };
    const std::int64_t state = shape.batch * shape.cells;
    for (auto& output : cell.m_outputs)
        keep(output, FloatMatrix::make(state, pool));
    keep(cell.m_outputs[std::size_t(LstmOutput::Cs)], copy(0));
    keep(cell.m_outputs[std::size_t(LstmOutput::H)], copy(1));
    keep(cell.m_weights, copy(2));
    for (std::size_t i = 0; i < 3 && options.hasPeepholes; ++i)
        keep(cell.m_peepholes[i], copy(3 + i));
    keep(cell.m_bias, copy(6));
    keep(cell.m_joined, FloatMatrix::make(shape.batch * (shape.inputs + shape.cells), pool));
    keep(cell.m_gates, FloatMatrix::make(4 * state, pool));
    if (error)
        return *error;
    return cell;
}

void LstmCell::step(std::span<const float> x)
{
    const std::int64_t width = m_shape.inputs + m_shape.cells;
    for (std::int64_t row = 0; row < m_shape.batch; ++row) {
        float* joined = m_joined->all().data() + row * width;
        std::copy_n(x.data() + row * m_shape.inputs, m_shape.inputs, joined);
        std::copy_n(output(LstmOutput::H).data() + row * m_shape.cells, m_shape.cells,
                    joined + m_shape.inputs);
        std::ranges::copy(m_bias->all(), m_gates->all().data() + row * 4 * m_shape.cells);
    }
    addProduct(m_joined->all(), m_weights->all(), m_shape.batch, width, 4 * m_shape.cells,
               m_gates->all());
    for (std::int64_t row = 0; row < m_shape.batch; ++row)
        for (std::int64_t cell = 0; cell < m_shape.cells; ++cell)
            activate(row, cell);
}

void LstmCell::activate(std::int64_t row, std::int64_t cell)
{
    const std::int64_t at = row * m_shape.cells + cell;
    const auto gate = [&](int which) {
        return (*m_gates)[(row * 4 + which) * m_shape.cells + cell];
    };
    const auto peek = [&](std::size_t which, float state) {
        return m_options.hasPeepholes ? (*m_peepholes[which])[cell] * state : 0.0F;
    };
    const float before = out(LstmOutput::Cs, at);
    const float i = sigmoidOf(gate(0) + peek(0, before));
    const float ci = std::tanh(gate(m_options.forgetsSecond ? 2 : 1));
    const float f =
        sigmoidOf(gate(m_options.forgetsSecond ? 1 : 2) + m_options.forgetBias + peek(1, before));
    float cs = ci * i + f * before;
    if (m_options.clip > 0)
        cs = std::clamp(cs, -m_options.clip, m_options.clip);
    const float o = sigmoidOf(gate(3) + peek(2, cs));
    const float co = std::tanh(cs);
    out(LstmOutput::I, at) = i;
    out(LstmOutput::Cs, at) = cs;
    out(LstmOutput::F, at) = f;
    out(LstmOutput::O, at) = o;
    out(LstmOutput::Ci, at) = ci;
    out(LstmOutput::Co, at) = co;
    out(LstmOutput::H, at) = o * co;
}

} // namespace lapidary
