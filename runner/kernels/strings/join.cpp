// SPDX-License-Identifier: Apache-2.0
// StringJoin joins its inputs element by element; a scalar joins every element. ReduceJoin joins
// strings along axes. StringFormat puts tensors into the placeholders of a template.
#include "runner/guard/run_guard.h"
#include "runner/kernels/checks/value_text.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/string_tools.h"

#include <algorithm>

namespace lapidary {
namespace {

Status runJoin(KernelContext& context)
{
    Dims dims;
    bool known = false;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Value& x = context.input(i);
        for (const std::string& text : x.strings())
            bytes += text.size();
        if (x.isScalar())
            continue;
        if (known && x.dims() != dims)
            return context.error("shapes " + dimsText(dims) + " and " + dimsText(x.dims()) +
                                 " do not fit");
        known = true;
        dims = x.dims();
    }
    std::size_t count = 1;
    for (const std::int64_t dim : dims)
        count *= std::size_t(dim);
    const std::string separator(context.stringAttr("separator"));
    const std::uint64_t most = count * separator.size() * context.inputCount();
    std::uint64_t scalars = 0;
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        scalars += context.input(i).isScalar() ? context.input(i).strings()[0].size() : 0;
    RETURN_IF_ERROR(checkTextSize(context, bytes + most + scalars * count));
    std::vector<std::string> out(count);
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < context.inputCount(); ++i) {
            const Value& x = context.input(i);
            out[k] += (i == 0 ? "" : separator) + x.strings()[x.isScalar() ? 0 : k];
        }
    return context.setOutput(0, Value::ofStrings(std::move(dims), std::move(out)));
}

struct JoinPlan {
    std::vector<std::size_t> axes; // in the order of the input
    std::vector<bool> isJoined;
};

Result<JoinPlan> planJoin(const KernelContext& context)
{
    const Value& x = context.input(0);
    JoinPlan plan{.isJoined = std::vector<bool>(x.dims().size(), false)};
    for (const std::int64_t given : context.input(1).integers()) {
        const std::int64_t axis = given < 0 ? given + x.rank() : given;
        if (axis < 0 || axis >= x.rank())
            return context.error("axis " + std::to_string(given) + " is not one of the " +
                                 std::to_string(x.rank()) + " of its input");
        if (plan.isJoined[std::size_t(axis)])
            return context.error("axis " + std::to_string(given) + " is given twice");
        plan.isJoined[std::size_t(axis)] = true;
        plan.axes.push_back(std::size_t(axis));
    }
    return plan;
}

Status runReduce(KernelContext& context)
{
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(const auto plan, planJoin(context));
    const bool keeps = context.boolAttr("keep_dims", false);
    const std::string separator(context.stringAttr("separator"));
    const std::size_t rank = x.dims().size();
    Dims dims;
    std::vector<std::size_t> outer; // axes that are not joined
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (!plan.isJoined[axis]) {
            outer.push_back(axis);
            dims.push_back(x.dims()[axis]);
        } else if (keeps) {
            dims.push_back(1);
        }
    }
    // Joining nothing gives empty strings. The other sizes may be enormous.
    if (x.elements() == 0) {
        const auto made = context.makeOutput(0, DType::String, dims);
        return made ? Status(Done{}) : made.error();
    }
    std::vector<std::int64_t> strides(rank, 1);
    for (std::size_t i = rank; i-- > 1;)
        strides[i - 1] = strides[i] * x.dims()[i];
    const auto offsets = [&](const std::vector<std::size_t>& axes) {
        std::vector<std::int64_t> all{0};
        for (const std::size_t axis : axes) {
            std::vector<std::int64_t> next;
            for (const std::int64_t base : all)
                for (std::int64_t k = 0; k < x.dims()[axis]; ++k)
                    next.push_back(base + k * strides[axis]);
            all = std::move(next);
        }
        return all;
    };
    // The axis that is given first varies fastest.
    const std::vector<std::int64_t> inner = offsets({plan.axes.rbegin(), plan.axes.rend()});
    std::vector<std::string> out;
    for (const std::int64_t base : offsets(outer)) {
        stopPoint();
        std::string& text = out.emplace_back();
        for (std::size_t k = 0; k < inner.size(); ++k)
            text += (k == 0 ? "" : separator) + x.strings()[std::size_t(base + inner[k])];
        RETURN_IF_ERROR(checkTextSize(context, text.size()));
    }
    return context.setOutput(0, Value::ofStrings(std::move(dims), std::move(out)));
}

Status runFormat(KernelContext& context)
{
    std::string_view rest = context.stringAttr("template", "%s");
    const std::string_view placeholder = context.stringAttr("placeholder", "%s");
    std::string out;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const std::size_t at = placeholder.empty() ? rest.npos : rest.find(placeholder);
        if (at == rest.npos)
            return context.error("its template has fewer placeholders than inputs");
        const Value& x = context.input(i);
        out += rest.substr(0, at);
        out += edgesText(x, context.intAttr("summarize", 3));
        rest.remove_prefix(at + placeholder.size());
    }
    return context.setOutput(0, Value::ofStrings({}, {out + std::string(rest)}));
}

} // namespace

LAPIDARY_KERNEL(StringJoin, runJoin);
LAPIDARY_KERNEL(ReduceJoin, runReduce);
LAPIDARY_KERNEL(StringFormat, runFormat);

} // namespace lapidary
