// ListDiff: the elements of x that are not in y, in their order, and where they stood.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/indexing/kernels.h"
#include "runner/kernels/indexing/row_table.h"

namespace lapidary {
namespace {

template <class T>
std::vector<std::int64_t> keptPlaces(const Value& x, const Value& y)
{
    const T* known = elementsOf<T>(y);
    RowTable table(y.elements());
    for (std::int64_t i = 0; i < y.elements(); ++i)
        table.findOrAdd(i, hashOf(known[i]),
                        [&](std::int64_t other) { return areEqual(known[i], known[other]); });
    std::vector<std::int64_t> kept;
    for (std::int64_t i = 0; i < x.elements(); ++i) {
        const T& element = elementsOf<T>(x)[i];
        if (!table.contains(hashOf(element),
                            [&](std::int64_t other) { return areEqual(element, known[other]); }))
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
    std::vector<std::int64_t> kept;
    const bool known =
        dispatchComparable(x.dtype(), [&](auto zero) { kept = keptPlaces<decltype(zero)>(x, y); });
    if (!known)
        return context.error("cannot compare " + dtypeName(x.dtype()));
    const Dims dims{std::int64_t(kept.size())};
    auto output = context.makeOutput(0, x.dtype(), dims);
    if (!output)
        return output.error();
    dispatchElement(x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        T* to = mutableElementsOf<T>(output.value());
        for (const std::int64_t place : kept)
            *to++ = elementsOf<T>(x)[place];
    });
    return setIntegers(context, 1, context.typeAttr("out_idx", DType::Int32), dims, kept);
}

} // namespace

const Kernel kernels::listDiff{.op = "ListDiff", .run = run};

} // namespace lapidary
