// ArgMin: where the smallest element along an axis is; the first of equal ones.
#include "runner/kernels/reduce/arg_extreme.h"
#include "runner/kernels/reduce/kernels.h"

namespace lapidary {
namespace {

struct Smallest {
    template <class T>
    static T worst()
    {
        return highest<T>();
    }
    template <class T>
    static bool isBetter(T x, T best)
    {
        return x < best;
    }
};

Status run(KernelContext& context)
{
    return runArgExtreme<Smallest>(context);
}

} // namespace

const Kernel kernels::argMin{.op = "ArgMin", .run = run};

} // namespace lapidary
