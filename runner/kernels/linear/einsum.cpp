// SPDX-License-Identifier: Apache-2.0
// Einsum of one or two inputs ("ab,bc->ac", "...ij->...ji"): sums of products over the labels that
// the output lacks. Each input is first reduced to the labels that matter (diagonals are taken,
// labels of only this input summed), then two inputs are multiplied as a batch of matrices.
#include "graph_model/tensor/einsum_equation.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/linear/matrix_product.h"

#include <algorithm>
#include <map>

namespace lapidary {
namespace {

using Labels = EinsumLabels;
using Equation = EinsumEquation;
using Sizes = std::map<char, std::int64_t>;

// A walk over `labels`, the last one fastest, that follows an offset into data with these steps.
struct Walk {
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> steps;

    template <class Visit>
    void run(const Visit& visit) const
    {
        std::int64_t total = 1;
        for (const std::int64_t size : sizes)
            total *= size;
        std::vector<std::int64_t> at(sizes.size(), 0);
        std::int64_t offset = 0;
        for (std::int64_t i = 0; i < total; ++i) {
            visit(i, offset);
            for (std::size_t axis = sizes.size(); axis-- > 0;) {
                offset += steps[axis];
                if (++at[axis] < sizes[axis])
                    break;
                at[axis] = 0;
                offset -= steps[axis] * sizes[axis];
            }
        }
    }
};

Walk walkOver(const Labels& labels, const Labels& have, const Value& value, const Sizes& sizes)
{
    Walk walk;
    for (const char label : labels) {
        std::int64_t step = 0;
        std::int64_t stride = 1;
        for (std::size_t axis = have.size(); axis-- > 0;) {
            const std::int64_t size = value.dim(int(axis));
            if (have[axis] == label && (size > 1 || sizes.at(label) == 1))
                step += stride;
            stride *= size;
        }
        walk.sizes.push_back(sizes.at(label));
        walk.steps.push_back(step);
    }
    return walk;
}

Dims dimsOf(const Labels& labels, const Sizes& sizes)
{
    Dims dims;
    for (const char label : labels)
        dims.push_back(sizes.at(label));
    return dims;
}

// Returns `value` with the axes in `want`; other labels are summed.
Result<Value> brought(KernelContext& context, const Value& value, const Labels& have,
                      const Labels& want, const Sizes& sizes)
{
    if (have == want && value.dims() == dimsOf(want, sizes))
        return value;
    auto made = context.allocate(value.dtype(), dimsOf(want, sizes));
    if (!made || made.value().elements() == 0)
        return made;
    Labels summed;
    for (const char label : have)
        if (want.find(label) == Labels::npos && summed.find(label) == Labels::npos)
            summed.push_back(label);
    const Walk outer = walkOver(want, have, value, sizes);
    const Walk inner = walkOver(summed, have, value, sizes);
    using Types = TypeList<float, double, Complex64, Complex128>;
    const bool known = dispatch(Types(), value.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* from = value.as<T>().data();
        T* to = made.value().template mutableAs<T>().data();
        outer.run([&](std::int64_t i, std::int64_t offset) {
            T sum(0);
            inner.run([&](std::int64_t, std::int64_t more) { sum += from[offset + more]; });
            to[i] = sum;
        });
    });
    return known ? made : context.error("has no kernel for " + dtypeName(value.dtype()));
}

struct Roles {
    Labels batch;
    Labels rows;
    Labels depth;
    Labels columns;
};

Roles rolesOf(const Equation& equation)
{
    Roles roles;
    const auto has = [](const Labels& labels, char c) { return labels.find(c) != Labels::npos; };
    for (const char c : equation.output) {
        const bool inX = has(equation.inputs[0], c);
        const bool inY = has(equation.inputs[1], c);
        (inX && inY ? roles.batch : inX ? roles.rows : roles.columns).push_back(c);
    }
    for (const char c : equation.inputs[0])
        if (has(equation.inputs[1], c) && !has(equation.output, c) && !has(roles.depth, c))
            roles.depth.push_back(c);
    return roles;
}

std::int64_t countOf(const Labels& labels, const Sizes& sizes)
{
    std::int64_t count = 1;
    for (const char label : labels)
        count *= sizes.at(label);
    return count;
}

Result<Value> multiply(KernelContext& context, const Equation& equation, const Sizes& sizes)
{
    const Roles roles = rolesOf(equation);
    const auto x = brought(context, context.input(0), equation.inputs[0],
                           roles.batch + roles.rows + roles.depth, sizes);
    const auto y = brought(context, context.input(1), equation.inputs[1],
                           roles.batch + roles.depth + roles.columns, sizes);
    if (!x || !y)
        return x ? y : x;
    const Labels order = roles.batch + roles.rows + roles.columns;
    auto z = context.allocate(x.value().dtype(), dimsOf(order, sizes));
    if (!z || z.value().elements() == 0)
        return z ? brought(context, z.value(), order, equation.output, sizes) : z;
    const MatrixProduct product{.rows = countOf(roles.rows, sizes),
                                .columns = countOf(roles.columns, sizes),
                                .depth = countOf(roles.depth, sizes)};
    for (std::int64_t b = 0; b < countOf(roles.batch, sizes); ++b) {
        RETURN_IF_ERROR(multiplyMatrices(context, product, {*x, b * product.rows * product.depth},
                                         {*y, b * product.depth * product.columns},
                                         {*z, b * product.rows * product.columns}));
        if (context.job().cancelled())
            return cancelledError();
    }
    return brought(context, z.value(), order, equation.output, sizes);
}

Status runEinsum(KernelContext& context)
{
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        shapes.push_back({context.input(i).dims(), false});
    const auto equation = readEinsum(context.stringAttr("equation"), shapes);
    if (!equation)
        return context.error(equation.error().message);
    const auto sizes = einsumSizes(*equation, shapes);
    if (!sizes)
        return context.error(sizes.error().message);
    auto y = context.inputCount() == 2 ? multiply(context, *equation, *sizes)
                                       : brought(context, context.input(0), equation->inputs[0],
                                                 equation->output, *sizes);
    return y ? context.setOutput(0, std::move(y).value()) : y.error();
}

} // namespace

LAPIDARY_KERNEL(Einsum, runEinsum);

} // namespace lapidary
