// SPDX-License-Identifier: Apache-2.0
// LSTMBlockCell: one step of an LSTM, with all intermediate results.
#include "runner/kernels/kernel.h"
#include "runner/kernels/sequences/lstm_cell.h"

namespace lapidary {
namespace {

Status runLSTMBlockCell(KernelContext& context)
{
    const Value& x = context.input(0);
    if (x.rank() != 2 || context.input(1).rank() != 2)
        return context.error("x and cs_prev must be matrices, got shapes " + dimsText(x.dims()) +
                             " and " + dimsText(context.input(1).dims()));
    const LstmShape shape{x.dim(0), x.dim(1), context.input(1).dim(1)};
    const LstmOptions options{.forgetBias = context.floatAttr("forget_bias", 1),
                              .clip = context.floatAttr("cell_clip", 3),
                              .hasPeepholes = context.boolAttr("use_peephole")};
    const std::string fault = lstmFault(context, 1, shape, options.hasPeepholes);
    if (!fault.empty())
        return context.error(fault);
    ASSIGN_OR_RETURN(auto cell, LstmCell::make(context, 1, shape, options));
    const auto floats = FloatMatrix::copyOf(x, context.session().pool);
    if (!floats)
        return context.error(floats.error().message);
    cell.step(floats->all());
    for (std::size_t i = 0; i < lstmOutputs; ++i)
        RETURN_IF_ERROR(setFloats(context, i, x.dtype(), {shape.batch, shape.cells},
                                  cell.output(LstmOutput(i))));
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(LSTMBlockCell, runLSTMBlockCell);

} // namespace lapidary
