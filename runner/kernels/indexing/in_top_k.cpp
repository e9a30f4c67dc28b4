// SPDX-License-Identifier: Apache-2.0
// InTopK, InTopKV2: whether fewer than k predictions of a row are larger than the target's. False
// if the target is out of range or a number is not finite.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {
namespace {

bool isAmongLargest(std::span<const float> row, std::int64_t target, std::int64_t k)
{
    if (target < 0 || target >= std::int64_t(row.size()))
        return false;
    const float wanted = row[std::size_t(target)];
    std::int64_t larger = 0;
    bool allFinite = std::isfinite(wanted);
    for (const float other : row) {
        allFinite = allFinite && std::isfinite(other);
        larger += other > wanted ? 1 : 0;
    }
    return allFinite && larger < k;
}

Status runInTopK(KernelContext& context)
{
    const Value& predictions = context.input(0);
    const auto targets = integerVector(context, 1, "targets");
    const auto k = context.inputCount() == 3 ? integerScalar(context, 2, "k")
                                             : Result<std::int64_t>(context.intAttr("k"));
    if (!targets || !k)
        return targets ? k.error() : targets.error();
    if (predictions.rank() != 2 || predictions.dim(0) != std::int64_t(targets.value().size()))
        return context.error("predictions must be a matrix with one row for each of the " +
                             std::to_string(targets.value().size()) + " targets, not " +
                             dimsText(predictions.dims()));
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, DType::Bool, {predictions.dim(0)}));
    const auto columns = std::size_t(predictions.dim(1));
    for (std::size_t i = 0; i < targets.value().size(); ++i)
        output.mutableAs<bool>()[i] = isAmongLargest(
            predictions.as<float>().subspan(i * columns, columns), targets.value()[i], k.value());
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(InTopK, runInTopK);
LAPIDARY_KERNEL(InTopKV2, runInTopK);

} // namespace lapidary
