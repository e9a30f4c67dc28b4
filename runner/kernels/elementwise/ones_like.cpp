// OnesLike: ones (true) of the shape of x.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/kernels.h"

#include <algorithm>

namespace lapidary {
namespace {

template <class T>
T one()
{
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        return T(1.0F);
    else
        return T(1);
}

Status run(KernelContext& context)
{
    const Value& x = context.input(0);
    auto made = context.makeOutput(0, x.dtype(), x.dims());
    if (!made)
        return made.error();
    const auto fill = [&](auto zero) {
        std::ranges::fill(made.value().template mutableAs<decltype(zero)>(), one<decltype(zero)>());
    };
    if (!dispatch(Numbers(), x.dtype(), fill) && !dispatch(TypeList<bool>(), x.dtype(), fill))
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    return Done{};
}

} // namespace

const Kernel kernels::onesLike{.op = "OnesLike", .run = run};

} // namespace lapidary
