// Cumprod: running products along an axis; integers wrap.
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/reduce/kernels.h"
#include "runner/kernels/reduce/scan.h"

namespace lapidary {
namespace {

struct RunningProduct {
    template <class T>
    static T start()
    {
        return T(decltype(wide(T()))(1));
    }
    template <class T>
    T operator()(T x, T y) const
    {
        return T(wrapping::mul(wide(x), wide(y)));
    }
};

Status run(KernelContext& context)
{
    return runScan<RunningProduct>(context, Numbers());
}

} // namespace

const Kernel kernels::cumprod{.op = "Cumprod", .run = run};

} // namespace lapidary
