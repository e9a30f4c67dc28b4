// FloorDiv: z = floor(x / y).
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

struct FlooredQuotient {
    static constexpr bool takesStored = true;

    template <class T>
    T operator()(T x, T y) const
    {
        if constexpr (std::is_integral_v<T>)
            return division::floored(x, y);
        else
            return T(std::floor(wide(T(wide(x) / wide(y))))); // half: two rounded steps
    }
};

Status run(KernelContext& context)
{
    if (hasZero(context, context.input(1)))
        return context.error("integer division by zero");
    return runBinary(context, Reals(), FlooredQuotient());
}

} // namespace

const Kernel kernels::floorDiv{.op = "FloorDiv", .run = run};

} // namespace lapidary
