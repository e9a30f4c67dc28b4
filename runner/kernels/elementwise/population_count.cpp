// PopulationCount: how many bits of x are set, as uint8.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <bit>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnaryTo<std::uint8_t>(context, Integers(), [](auto x) {
        return std::popcount(std::make_unsigned_t<decltype(x)>(x));
    });
}

} // namespace

const Kernel kernels::populationCount{.op = "PopulationCount", .run = run};

} // namespace lapidary
