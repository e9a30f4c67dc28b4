// SPDX-License-Identifier: Apache-2.0
// BlockLSTM, BlockLSTMV2: an LSTM over a sequence [time, batch, inputs]; steps from seq_len_max on
// give zeros. V2 has the gates in another order and no forget bias.
#include "runner/kernels/kernel.h"
#include "runner/kernels/sequences/lstm_cell.h"

#include <algorithm>
#include <vector>

namespace lapidary {
namespace {

void storeStep(std::span<const float> from, std::int64_t time, Value& to)
{
    const std::size_t start = std::size_t(time) * from.size();
    if (to.dtype() == DType::Half)
        std::ranges::transform(from, to.mutableAs<Half>().subspan(start).begin(),
                               [](float x) { return Half(x); });
    else
        std::ranges::copy(from, to.mutableAs<float>().subspan(start).begin());
}

Result<std::vector<Value>> makeOutputs(KernelContext& context, const Dims& dims)
{
    std::vector<Value> outputs;
    for (std::size_t i = 0; i < lstmOutputs; ++i) {
        ASSIGN_OR_RETURN(auto made, context.makeOutput(i, context.input(1).dtype(), dims));
        const std::size_t bytes = made.byteCount();
        std::fill_n(reinterpret_cast<char*>(made.mutableAs<std::uint8_t>().data()), bytes, '\0');
        outputs.push_back(std::move(made));
    }
    return outputs;
}

Status runSteps(KernelContext& context, LstmCell& cell, std::int64_t steps,
                std::vector<Value>& outputs)
{
    const Value& x = context.input(1);
    const auto floats = FloatMatrix::copyOf(x, context.session().pool);
    if (!floats)
        return context.error(floats.error().message);
    const auto each = std::size_t(x.dim(1) * x.dim(2));
    for (std::int64_t time = 0; time < steps; ++time) {
        if (context.job().cancelled())
            return cancelledError();
        cell.step(floats->all().subspan(std::size_t(time) * each, each));
        for (std::size_t i = 0; i < lstmOutputs; ++i)
            storeStep(cell.output(LstmOutput(i)), time, outputs[i]);
    }
    return Done{};
}

Status runLayer(KernelContext& context, const LstmOptions& options)
{
    const Value& length = context.input(0);
    const Value& x = context.input(1);
    if (!length.isScalar())
        return context.error("seq_len_max must be scalar, got shape " + dimsText(length.dims()));
    if (x.rank() != 3 || context.input(2).rank() != 2)
        return context.error("x must have rank 3 and cs_prev rank 2, got shapes " +
                             dimsText(x.dims()) + " and " + dimsText(context.input(2).dims()));
    const std::int64_t steps = length.as<std::int64_t>()[0];
    if (steps < 0 || steps > x.dim(0))
        return context.error("seq_len_max is " + std::to_string(steps) + " for a sequence of " +
                             std::to_string(x.dim(0)));
    const LstmShape shape{x.dim(1), x.dim(2), context.input(2).dim(1)};
    const std::string fault = lstmFault(context, 2, shape, options.hasPeepholes);
    if (!fault.empty())
        return context.error(fault);
    ASSIGN_OR_RETURN(auto cell, LstmCell::make(context, 2, shape, options));
    ASSIGN_OR_RETURN(auto outputs, makeOutputs(context, {x.dim(0), shape.batch, shape.cells}));
    return runSteps(context, cell, steps, outputs);
}

Status runFirst(KernelContext& context)
{
    return runLayer(context, {.forgetBias = context.floatAttr("forget_bias", 1),
                              .clip = context.floatAttr("cell_clip", 3),
                              .hasPeepholes = context.boolAttr("use_peephole")});
}

Status runSecond(KernelContext& context)
{
    return runLayer(context, {.clip = context.floatAttr("cell_clip", 0),
                              .hasPeepholes = context.boolAttr("use_peephole"),
                              .forgetsSecond = true});
}

} // namespace

LAPIDARY_KERNEL(BlockLSTM, runFirst);
LAPIDARY_KERNEL(BlockLSTMV2, runSecond);

} // namespace lapidary
