// BroadcastArgs: the shape that two shapes are broadcast to. BroadcastGradientArgs: the axes that
// the gradient of each of them sums over.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/arrays/sizes.h"

#include <algorithm>

namespace lapidary {
namespace {

struct ShapePair {
    Dims a; // both of one length, filled up with ones in front
    Dims b;
    bool equal = false;
};

Result<ShapePair> readShapes(const KernelContext& context)
{
    auto a = integerVector(context, 0, "the first shape");
    auto b = integerVector(context, 1, "the second shape");
    if (!a || !b)
        return a ? b.error() : a.error();
    ShapePair pair{a.value(), b.value(), a.value() == b.value()};
    const std::size_t rank = std::max(pair.a.size(), pair.b.size());
    pair.a.insert(pair.a.begin(), rank - pair.a.size(), 1);
    pair.b.insert(pair.b.begin(), rank - pair.b.size(), 1);
    for (std::size_t i = 0; i < rank; ++i)
        if (pair.a[i] != pair.b[i] && pair.a[i] != 1 && pair.b[i] != 1)
            return context.error("the shapes " + dimsText(a.value()) + " and " +
                                 dimsText(b.value()) + " cannot be broadcast");
    return pair;
}

Status run(KernelContext& context)
{
    const auto pair = readShapes(context);
    if (!pair)
        return pair.error();
    Dims dims;
    for (std::size_t i = 0; i < pair.value().a.size(); ++i)
        dims.push_back(pair.value().a[i] == 1 ? pair.value().b[i] : pair.value().a[i]);
    return setIntegers(context, 0, context.input(0).dtype(), {std::int64_t(dims.size())}, dims);
}

Status runGradient(KernelContext& context)
{
    const auto pair = readShapes(context);
    if (!pair)
        return pair.error();
    Dims summed[2];
    for (std::size_t i = 0; i < pair.value().a.size() && !pair.value().equal; ++i) {
        const std::int64_t a = pair.value().a[i];
        const std::int64_t b = pair.value().b[i];
        if (a == 1)
            summed[0].push_back(std::int64_t(i));
        if (b == 1)
            summed[1].push_back(std::int64_t(i));
    }
    for (std::size_t k = 0; k < 2; ++k) {
        const Status status = setIntegers(context, k, context.input(0).dtype(),
                                          {std::int64_t(summed[k].size())}, summed[k]);
        if (!status)
            return status;
    }
    return Done{};
}

} // namespace

const Kernel kernels::broadcastArgs{.op = "BroadcastArgs", .run = run};
const Kernel kernels::broadcastGradientArgs{.op = "BroadcastGradientArgs", .run = runGradient};

} // namespace lapidary
