// MatrixDeterminant: the determinant of each square matrix.
#include "runner/kernels/linear/kernels.h"
#include "runner/kernels/linear/lu.h"

namespace lapidary {
namespace {

template <class T>
Status determinants(KernelContext& context, const SquareMatrices& matrices, std::span<T> y)
{
    using W = Precise<T>;
    auto work = context.allocate(dtypeOf<W>(), {matrices.size, matrices.size});
    if (!work)
        return work.error();
    const auto a = work.value().template mutableAs<W>();
    for (std::size_t i = 0; i < y.size(); ++i) {
        loadMatrix(context.input(0).as<T>().data() + i * a.size(), matrices.size, false, a.data());
        Lu<W> lu{.a = a.data(), .n = matrices.size};
        if (!lu.factorise(context.job()))
            return Error{ErrorCode::Cancelled, "stopped"};
        y[i] = T(lu.determinant());
    }
    return Done{};
}

Status run(KernelContext& context)
{
    const auto matrices = SquareMatrices::of(context, 0);
    if (!matrices)
        return matrices.error();
    Dims dims = context.input(0).dims();
    dims.resize(dims.size() - 2);
    auto made = context.makeOutput(0, context.input(0).dtype(), dims);
    if (!made)
        return made.error();
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), context.input(0).dtype(), [&](auto zero) {
        status = determinants(context, matrices.value(),
                              made.value().template mutableAs<decltype(zero)>());
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    return status;
}

} // namespace

const Kernel kernels::matrixDeterminant{.op = "MatrixDeterminant", .run = run};

} // namespace lapidary
