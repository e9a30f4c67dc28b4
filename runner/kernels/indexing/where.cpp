// SPDX-License-Identifier: Apache-2.0
// Where: the index of every element that is not zero (or true), row by row.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

using WhereTypes =
    TypeList<bool, float, double, BFloat16, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
             std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Complex64, Complex128>;

template <class T>
bool isTrue(T element)
{
    return wide(element) != decltype(wide(element))();
}

template <class T>
Status findTrue(KernelContext& context)
{
    const Value& input = context.input(0);
    const auto elements = input.as<T>();
    std::int64_t count = 0;
    for (const T& element : elements)
        count += isTrue(element) ? 1 : 0;
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, DType::Int64, {count, input.rank()}));
    Dims index(input.dims().size());
    std::int64_t* to = output.template mutableAs<std::int64_t>().data();
    for (const T& element : elements) {
        if (isTrue(element))
            to = std::copy(index.begin(), index.end(), to);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            if (++index[axis] < input.dims()[axis])
                break;
            index[axis] = 0;
        }
    }
    return Done{};
}

Status runWhere(KernelContext& context)
{
    const int rank = context.input(0).rank();
    constexpr int mostAxes = 8;
    if (rank < 1 || rank > mostAxes)
        return context.error("the input must have 1 to 8 axes, but its shape is " +
                             dimsText(context.input(0).dims()));
    Status status = context.error("is not defined for " + dtypeName(context.input(0).dtype()));
    dispatch(WhereTypes(), context.input(0).dtype(),
             [&](auto zero) { status = findTrue<decltype(zero)>(context); });
    return status;
}

} // namespace

LAPIDARY_KERNEL(Where, runWhere);

} // namespace lapidary
