// SPDX-License-Identifier: Apache-2.0
// FakeParam: replaces an output that the branch does not have, by zeros of its shape, with 0 for
// unknown sizes. Nothing should read it.
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

Status runFakeParam(KernelContext& context)
{
    Dims dims = context.attr("shape").asShape().value_or(Shape{}).dims;
    for (std::int64_t& dim : dims)
        dim = std::max<std::int64_t>(dim, 0);
    const DType dtype = context.typeAttr("dtype");
    if (dtype == DType::Resource || dtype == DType::Variant)
        return context.setOutput(0, Value::ofResource(dtype, nullptr));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, dtype, std::move(dims)));
    if (const std::size_t bytes = made.byteCount(); bytes > 0)
        std::memset(made.mutableAs<char>().data(), 0, bytes);
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(FakeParam, runFakeParam);

} // namespace lapidary
