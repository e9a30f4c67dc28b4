// SPDX-License-Identifier: Apache-2.0
// OptionalFromValue, OptionalNone, OptionalHasValue, OptionalGetValue: values that may be missing,
// as one variant.
#include "runner/kernels/kernel.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>

namespace lapidary {
namespace {

// An optional value. It never changes.
class Optional final : public Resource {
public:
    explicit Optional(std::vector<Value> components)
        : m_components(std::move(components))
    {
        // Nested values are destroyed recursively, so the depth is bounded.
        for (const Value& each : m_components)
            if (const auto inner = each.resource<Optional>())
                m_depth = std::max(m_depth, inner->m_depth + 1);
    }

    const std::vector<Value>& components() const { return m_components; }
    int depth() const { return m_depth; }

private:
    std::vector<Value> m_components; // empty: no value
    int m_depth = 1;
};

Status giveOptional(KernelContext& context, std::vector<Value> components)
{
    constexpr int mostLevels = 64;
    auto made = std::make_shared<Optional>(std::move(components));
    if (made->depth() > mostLevels)
        return context.error("has more than 64 optional values one inside the other");
    return context.setOutput(0, Value::ofResource(DType::Variant, std::move(made)));
}

Status runOptionalFromValue(KernelContext& context)
{
    std::vector<Value> components;
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        components.push_back(context.input(i));
    if (components.empty())
        return context.error("needs a value");
    return giveOptional(context, std::move(components));
}

Status runOptionalNone(KernelContext& context)
{
    return giveOptional(context, {});
}

Result<std::shared_ptr<Optional>> optionalInput(const KernelContext& context)
{
    auto optional = context.input(0).resource<Optional>();
    if (!optional)
        return context.error("its input 0 is not an optional value");
    return optional;
}

Status runOptionalHasValue(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto optional, optionalInput(context));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Bool, {}));
    made.mutableAs<bool>()[0] = !optional->components().empty();
    return Done{};
}

Status runOptionalGetValue(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto optional, optionalInput(context));
    const std::vector<Value>& components = optional->components();
    const std::vector<DType> types = context.attr("output_types").types();
    const std::vector<Shape> shapes = context.attr("output_shapes").shapes();
    if (components.empty())
        return context.error("the optional value is missing");
    if (components.size() != types.size() || components.size() != shapes.size() ||
        components.size() != context.outputCount())
        return context.error("the optional value has " + std::to_string(components.size()) +
                             " components, but " + std::to_string(types.size()) + " types and " +
                             std::to_string(shapes.size()) + " shapes are asked for");
    for (std::size_t i = 0; i < components.size(); ++i) {
        if (components[i].dtype() != types[i])
            return context.error("component " + std::to_string(i) + " is " +
                                 dtypeName(components[i].dtype()) + ", not " + dtypeName(types[i]));
        if (!fitsShape(components[i].dims(), shapes[i]))
            return context.error("component " + std::to_string(i) + " has shape " +
                                 dimsText(components[i].dims()) + ", not " + shapeText(shapes[i]));
        RETURN_IF_ERROR(context.setOutput(i, components[i]));
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(OptionalFromValue, runOptionalFromValue);
LAPIDARY_KERNEL(OptionalGetValue, runOptionalGetValue);
LAPIDARY_KERNEL(OptionalHasValue, runOptionalHasValue);
LAPIDARY_KERNEL(OptionalNone, runOptionalNone);

} // namespace lapidary
