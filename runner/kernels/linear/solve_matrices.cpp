// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/linear/solve_matrices.h"

#include "runner/kernels/linear/lu.h"

namespace lapidary {
namespace {

// Returns the shape of the right-hand sides: that of input 1, which must fit, or of the identity.
Result<Dims> rightDims(const KernelContext& context, bool hasRight)
{
    const Dims& a = context.input(0).dims();
    if (!hasRight)
        return a;
    const Dims& b = context.input(1).dims();
    if (b.size() != a.size() || !std::equal(a.begin(), a.end() - 1, b.begin()))
        return context.error("right-hand sides of shape " + dimsText(b) +
                             " do not fit matrices of shape " + dimsText(a));
    return b;
}

template <class W, class T>
void loadRight(const Value* right, std::int64_t offset, std::int64_t columns, std::span<W> b)
{
    for (std::size_t k = 0; k < b.size(); ++k)
        b[k] = right != nullptr ? W(right->as<T>()[std::size_t(offset) + k])
                                : W(std::int64_t(k) / columns == std::int64_t(k) % columns);
}

template <class T>
Status solveAll(KernelContext& context, const SquareMatrices& matrices, const Value* right,
                std::int64_t columns, std::span<T> y)
{
    using W = Precise<T>;
    auto left = context.allocate(dtypeOf<W>(), {matrices.size, matrices.size});
    auto sides = context.allocate(dtypeOf<W>(), {matrices.size, columns});
    if (!left || !sides)
        return left ? sides.error() : left.error();
    const auto a = left.value().template mutableAs<W>();
    const auto b = sides.value().template mutableAs<W>();
    for (std::int64_t i = 0; i < matrices.batch; ++i) {
        const std::size_t at = std::size_t(i) * b.size();
        loadMatrix(context.input(0).as<T>().data() + std::size_t(i) * a.size(), matrices.size,
                   context.boolAttr("adjoint"), a.data());
        Lu<W> lu{.a = a.data(), .n = matrices.size};
        if (!lu.factorize(context.job()))
            return cancelledError();
        if (lu.isSingular)
            return context.error("matrix " + std::to_string(i) + " is singular");
        loadRight<W, T>(right, std::int64_t(at), columns, b);
        lu.solve(b.data(), columns);
        std::ranges::transform(b, y.begin() + std::ptrdiff_t(at), [](W v) { return T(v); });
    }
    return Done{};
}

} // namespace

Status solveMatrices(KernelContext& context, bool hasRight)
{
    ASSIGN_OR_RETURN(const auto matrices, SquareMatrices::of(context, 0));
    ASSIGN_OR_RETURN(const auto dims, rightDims(context, hasRight));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, context.input(0).dtype(), dims));
    if (made.elements() == 0)
        return Done{};
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), context.input(0).dtype(), [&](auto zero) {
        status = solveAll(context, matrices, hasRight ? &context.input(1) : nullptr, dims.back(),
                          made.template mutableAs<decltype(zero)>());
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    return status;
}

} // namespace lapidary
