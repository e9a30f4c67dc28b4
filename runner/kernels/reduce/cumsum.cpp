// Cumsum: running sums along an axis; integers wrap.
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/reduce/kernels.h"
#include "runner/kernels/reduce/scan.h"

namespace lapidary {
namespace {

struct RunningSum {
    template <class T>
    static T start()
    {
        return T(decltype(wide(T()))(0));
    }
    template <class T>
    T operator()(T x, T y) const
    {
        return T(wrapping::add(wide(x), wide(y)));
    }
};

Status run(KernelContext& context)
{
    return runScan<RunningSum>(context, Numbers());
}

} // namespace

const Kernel kernels::cumsum{.op = "Cumsum", .run = run};

} // namespace lapidary
