// ArgMax: where the largest element along an axis is; the first of equal ones.
#include "runner/kernels/reduce/arg_extreme.h"
#include "runner/kernels/reduce/kernels.h"

namespace lapidary {
namespace {

struct Largest {
    template <class T>
    static T worst()
    {
        return lowest<T>();
    }
    template <class T>
    static bool isBetter(T x, T best)
    {
        return x > best;
    }
};

Status run(KernelContext& context)
{
    return runArgExtreme<Largest>(context);
}

} // namespace

const Kernel kernels::argMax{.op = "ArgMax", .run = run};

} // namespace lapidary
