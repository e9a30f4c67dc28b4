// SPDX-License-Identifier: Apache-2.0
// Sums, means and products along some axes.
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/reduce/sum_of.h"

namespace lapidary {
namespace {

Status runSum(KernelContext& context)
{
    return runReduction<SumOf>(context, Numbers());
}

// Mean: the mean along some axes; integers wrap before they are divided. The mean of nothing is
// NaN; 0 in integers, bfloat16 and complex types.
struct MeanOf : SumOf {
    template <class T>
    static T finish(Sum<T> sum, [[maybe_unused]] std::int64_t count)
    {
        if constexpr (std::is_integral_v<T>)
            return count == 0 ? T(0) : T(std::int64_t(sum) / count);
        else if constexpr (isComplex<T>)
            return count == 0 ? T(0) : sum / typename T::value_type(count);
        else if constexpr (std::is_same_v<T, BFloat16>)
            return count == 0 ? T(0.0F) : T(sum / float(count));
        else
            return T(sum / Sum<T>(count));
    }
};

Status runMean(KernelContext& context)
{
    return runReduction<MeanOf>(context, Numbers());
}

// Prod: the product along some axes; integers wrap.
struct ProductOf : SumOf {
    template <class T>
    static Sum<T> start()
    {
        return Sum<T>(1);
    }
    template <class S>
    static S combine(S x, S y)
    {
        return S(wrapping::mul(x, y));
    }
};

Status runProd(KernelContext& context)
{
    return runReduction<ProductOf>(context, Numbers());
}

} // namespace

LAPIDARY_KERNEL(Sum, runSum);
LAPIDARY_KERNEL(Mean, runMean);
LAPIDARY_KERNEL(Prod, runProd);

} // namespace lapidary
