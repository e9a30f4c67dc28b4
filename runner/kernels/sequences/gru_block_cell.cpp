// SPDX-License-Identifier: Apache-2.0
// GRUBlockCell:  [r, u] = sigmoid([x, h] w_ru + b_ru),  c = tanh([x, h r] w_c + b_c),
//   h' = u h + (1 - u) c
#include "runner/kernels/kernel.h"
#include "runner/kernels/sequences/recurrent.h"

#include <algorithm>

namespace lapidary {
namespace {

struct GruShape {
    std::int64_t batch = 0;
    std::int64_t inputs = 0;
    std::int64_t cells = 0;
};

std::string faultOf(const KernelContext& context, const GruShape& shape)
{
    const auto [batch, inputs, cells] = shape;
    std::string fault = shapeFault("h_prev", context.input(1), {batch, cells});
    if (fault.empty())
        fault = shapeFault("w_ru", context.input(2), {inputs + cells, 2 * cells});
    if (fault.empty())
        fault = shapeFault("w_c", context.input(3), {inputs + cells, cells});
    if (fault.empty())
        fault = shapeFault("b_ru", context.input(4), {2 * cells});
    if (fault.empty())
        fault = shapeFault("b_c", context.input(5), {cells});
    return fault;
}

// Writes x and h next to each other in each row; h is multiplied by `factors` unless that is empty.
void join(const KernelContext& context, const GruShape& shape, std::span<const float> factors,
          std::span<float> out)
{
    const auto x = context.input(0).as<float>();
    const auto h = context.input(1).as<float>();
    float* to = out.data();
    for (std::int64_t row = 0; row < shape.batch; ++row) {
        to = std::copy_n(x.data() + row * shape.inputs, shape.inputs, to);
        for (std::int64_t i = 0; i < shape.cells; ++i) {
            const auto at = std::size_t(row * shape.cells + i);
            *to++ = factors.empty() ? h[at] : h[at] * factors[at];
        }
    }
}

void repeatRow(std::span<const float> row, std::span<float> out)
{
    for (std::size_t at = 0; at < out.size(); at += row.size())
        std::ranges::copy(row, out.subspan(at).begin());
}

struct GruOutputs {
    std::span<float> r;
    std::span<float> u;
    std::span<float> c;
    std::span<float> h;
};

Status compute(KernelContext& context, const GruShape& shape, const GruOutputs& out)
{
    MemoryPool& pool = context.session().pool;
    auto joined = FloatMatrix::make(shape.batch * (shape.inputs + shape.cells), pool);
    if (!joined)
        return context.error(joined.error().message);
    auto gates = FloatMatrix::make(shape.batch * 2 * shape.cells, pool);
    if (!gates)
        return context.error(gates.error().message);
    const std::int64_t width = shape.inputs + shape.cells;
    join(context, shape, {}, joined->all());
    repeatRow(context.input(4).as<float>(), gates->all());
    addProduct(joined->all(), context.input(2).as<float>(), shape.batch, width, 2 * shape.cells,
               gates->all());
    for (std::int64_t at = 0; at < shape.batch * shape.cells; ++at) {
        const std::int64_t gate = at / shape.cells * 2 * shape.cells + at % shape.cells;
        out.r[std::size_t(at)] = sigmoidOf((*gates)[gate]);
        out.u[std::size_t(at)] = sigmoidOf((*gates)[gate + shape.cells]);
    }
    join(context, shape, out.r, joined->all());
    repeatRow(context.input(5).as<float>(), out.c);
    addProduct(joined->all(), context.input(3).as<float>(), shape.batch, width, shape.cells, out.c);
    const auto before = context.input(1).as<float>();
    for (std::size_t at = 0; at < out.c.size(); ++at) {
        out.c[at] = std::tanh(out.c[at]);
        out.h[at] = out.u[at] * before[at] + (1.0F - out.u[at]) * out.c[at];
    }
    return Done{};
}

Status runGRUBlockCell(KernelContext& context)
{
    const Value& x = context.input(0);
    if (x.rank() != 2 || context.input(1).rank() != 2)
        return context.error("x and h_prev must be matrices, got shapes " + dimsText(x.dims()) +
                             " and " + dimsText(context.input(1).dims()));
    const GruShape shape{x.dim(0), x.dim(1), context.input(1).dim(1)};
    const std::string fault = faultOf(context, shape);
    if (!fault.empty())
        return context.error(fault);
    GruOutputs out;
    std::span<float>* const places[] = {&out.r, &out.u, &out.c, &out.h};
    for (std::size_t i = 0; i < 4; ++i) {
        ASSIGN_OR_RETURN(auto made,
                         context.makeOutput(i, DType::Float, {shape.batch, shape.cells}));
        *places[i] = made.mutableAs<float>();
    }
    if (shape.batch * shape.cells == 0)
        return Done{};
    return compute(context, shape, out);
}

} // namespace

LAPIDARY_KERNEL(GRUBlockCell, runGRUBlockCell);

} // namespace lapidary
