// CumulativeLogsumexp: running log(sum(exp(x))) along an axis. What is exclusive starts from the
// lowest finite number.
#include "runner/kernels/reduce/kernels.h"
#include "runner/kernels/reduce/scan.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

struct RunningLogSum {
    template <class T>
    static T start()
    {
        if constexpr (std::is_floating_point_v<T>)
            return std::numeric_limits<T>::lowest();
        else
            return T(-65504.0F); // half
    }
    template <class T>
    T operator()(T x, T y) const
    {
        const auto low = std::min(wide(x), wide(y));
        const auto high = std::max(wide(x), wide(y));
        if (std::isnan(wide(x)) || std::isnan(wide(y)))
            return T(wide(x) + wide(y));
        if (std::isinf(high)) // both are -inf, or one is inf
            return T(high);
        return T(std::log1p(std::exp(low - high)) + high);
    }
};

Status run(KernelContext& context)
{
    return runScan<RunningLogSum>(context, TypeList<float, double, Half>());
}

} // namespace

const Kernel kernels::cumulativeLogsumexp{.op = "CumulativeLogsumexp", .run = run};

} // namespace lapidary
