// LinSpace: `num` values from start to stop, evenly spaced; the last one is stop exactly.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/dispatch.h"

namespace lapidary {
namespace {

template <class T>
Status makeValues(KernelContext& context, std::int64_t count)
{
    auto output = context.makeOutput(0, dtypeOf<T>(), {count});
    if (!output)
        return output.error();
    const T start = context.input(0).as<T>()[0];
    const T stop = context.input(1).as<T>()[0];
    const auto values = output.value().template mutableAs<T>();
    const T step = count > 1 ? (stop - start) / T(count - 1) : T(0);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = start + step * T(i);
    if (count > 1)
        values.back() = stop;
    return Done{};
}

Status run(KernelContext& context)
{
    if (!context.input(0).isScalar() || !context.input(1).isScalar())
        return context.error("start and stop must be scalars");
    const auto count = integerScalar(context, 2, "num");
    if (!count)
        return count.error();
    if (count.value() < 1)
        return context.error("num must be positive: " + std::to_string(count.value()));
    Status status = context.error("is not defined for " + dtypeName(context.input(0).dtype()));
    dispatch(TypeList<float, double>(), context.input(0).dtype(),
             [&](auto zero) { status = makeValues<decltype(zero)>(context, count.value()); });
    return status;
}

} // namespace

const Kernel kernels::linSpace{.op = "LinSpace", .run = run};

} // namespace lapidary
