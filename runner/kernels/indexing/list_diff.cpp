// ListDiff: the elements of x that are not in y, in their order, and where they stood.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/indexing/kernels.h"
#include "runner/kernels/indexing/row_table.h"

namespace lapidary {
namespace {

using Places = std::vector<std::int64_t>;

template <class T>
Result<Places> keptPlaces(KernelContext& context, const Value& x, const Value& y)
{
    constexpr std::int64_t elementsBetweenLooks = 1 << 20;
    const T* known = readElements<T>(y).data();
    auto table = RowTable::make(context, y.elements());
    if (!table)
        return table.error();
    for (std::int64_t i = 0; i < y.elements(); ++i)
        table.value().findOrAdd(i, rowHashOf(known[i], i), [&](std::int64_t other) {
            return areEqual(known[i], known[other]);
        });
    Places kept;
    for (std::int64_t i = 0; i < x.elements(); ++i) {
        if (i % elementsBetweenLooks == 0 && context.job().cancelled())
            return Error{ErrorCode::Cancelled, "stopped"};
        const T& element = readElements<T>(x)[i];
        if (!table.value().contains(rowHashOf(element, i), [&](std::int64_t other) {
                return areEqual(element, known[other]);
            }))
            kept.push_back(i);
    }
    return kept;
}

Status run(KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    if (!x.isVector() || !y.isVector())
        return context.error("x and y must be vectors, but their shapes are " + dimsText(x.dims()) +
                             " and " + dimsText(y.dims()));
    Result<Places> kept = context.error("cannot compare " + dtypeName(x.dtype()));
    dispatchComparable(x.dtype(),
                       [&](auto zero) { kept = keptPlaces<decltype(zero)>(context, x, y); });
    if (!kept)
        return kept.error();
    const Dims dims{std::int64_t(kept.value().size())};
    auto output = context.makeOutput(0, x.dtype(), dims);
    if (!output)
        return output.error();
    dispatchBySize(x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        T* to = writeElements<T>(output.value()).data();
        for (const std::int64_t place : kept.value())
            *to++ = readElements<T>(x)[place];
    });
    return setIntegers(context, 1, context.typeAttr("out_idx", DType::Int32), dims, kept.value());
}

} // namespace

const Kernel kernels::listDiff{.op = "ListDiff", .run = run};

} // namespace lapidary
