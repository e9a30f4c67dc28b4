// SPDX-License-Identifier: Apache-2.0
// Tensors of zeros and ones with the shape of another one.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

// ZerosLike: zeros (false, empty strings) of the shape of x.
Status runZerosLike(KernelContext& context)
{
    const Value& x = context.input(0);
    if (x.dtype() != DType::String && dtypeSize(x.dtype()) == 0)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), x.dims()));
    if (const std::size_t bytes = made.byteCount(); bytes > 0) // strings are empty already
        std::memset(made.mutableAs<char>().data(), 0, bytes);
    return Done{};
}

// OnesLike: ones (true) of the shape of x.
template <class T>
T one()
{
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        return T(1.0F);
    else
        return T(1);
}

Status runOnesLike(KernelContext& context)
{
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), x.dims()));
    const auto fill = [&](auto zero) {
        std::ranges::fill(made.template mutableAs<decltype(zero)>(), one<decltype(zero)>());
    };
    if (!dispatch(Numbers(), x.dtype(), fill) && !dispatch(TypeList<bool>(), x.dtype(), fill))
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(ZerosLike, runZerosLike);
LAPIDARY_KERNEL(OnesLike, runOnesLike);

} // namespace lapidary
