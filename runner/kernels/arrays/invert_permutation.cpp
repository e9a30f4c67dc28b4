// InvertPermutation: y[x[i]] = i.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/sizes.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto places = integerVector(context, 0, "the permutation");
    if (!places)
        return places.error();
    const auto count = std::int64_t(places.value().size());
    std::vector<std::int64_t> inverse(places.value().size(), -1);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t place = places.value()[std::size_t(i)];
        if (place < 0 || place >= count || inverse[std::size_t(place)] >= 0)
            return context.error(std::to_string(place) + " is not in [0, " + std::to_string(count) +
                                 ") or is there twice");
        inverse[std::size_t(place)] = i;
    }
    return setIntegers(context, 0, context.input(0).dtype(), {count}, inverse);
}

} // namespace

const Kernel kernels::invertPermutation{.op = "InvertPermutation", .run = run};

} // namespace lapidary
