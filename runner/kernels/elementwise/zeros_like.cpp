// ZerosLike: zeros (false, empty strings) of the shape of x.
#include "runner/kernels/elementwise/kernels.h"

#include <cstring>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Value& x = context.input(0);
    if (x.dtype() != DType::String && dtypeSize(x.dtype()) == 0)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    auto made = context.makeOutput(0, x.dtype(), x.dims());
    if (!made)
        return made.error();
    if (const std::size_t bytes = made.value().byteCount(); bytes > 0) // strings are empty already
        std::memset(made.value().mutableAs<char>().data(), 0, bytes);
    return Done{};
}

} // namespace

const Kernel kernels::zerosLike{.op = "ZerosLike", .run = run};

} // namespace lapidary
