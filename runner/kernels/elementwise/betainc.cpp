// Betainc: the regularised incomplete beta function I_x(a, b). Scalars stand for any shape.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/special_functions.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    Dims dims;
    for (std::size_t i = 0; i < 3; ++i)
        if (!context.input(i).isScalar())
            dims = context.input(i).dims();
    for (std::size_t i = 0; i < 3; ++i)
        if (!context.input(i).isScalar() && context.input(i).dims() != dims)
            return context.error("the shapes of a, b and x must be equal or scalar, but " +
                                 dimsText(context.input(i).dims()) + " meets " + dimsText(dims));
    auto made = context.makeOutput(0, context.input(0).dtype(), dims);
    if (!made)
        return made.error();
    dispatch(TypeList<float, double>(), context.input(0).dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto at = [&](std::size_t input, std::size_t i) {
            const auto all = context.input(input).as<T>();
            return all[all.size() == 1 ? 0 : i];
        };
        const auto y = made.value().template mutableAs<T>();
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = special::betainc(at(0, i), at(1, i), at(2, i));
    });
    return Done{};
}

} // namespace

const Kernel kernels::betainc{.op = "Betainc", .run = run};

} // namespace lapidary
