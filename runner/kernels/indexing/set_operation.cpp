// SPDX-License-Identifier: Apache-2.0
// DenseToDenseSetOperation: union, intersection or difference of the sets that the last axis of
// each tensor holds, as a sparse tensor: each result in ascending order, without repetition.
#include "runner/guard/run_guard.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace lapidary {
namespace {

enum class SetOperation : std::uint8_t { Difference, ReverseDifference, Intersection, Union };

Result<SetOperation> operationOf(const KernelContext& context)
{
    std::string name(context.stringAttr("set_operation"));
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    if (name == "a-b")
        return SetOperation::Difference;
    if (name == "b-a")
        return SetOperation::ReverseDifference;
    if (name == "intersection")
        return SetOperation::Intersection;
    if (name == "union")
        return SetOperation::Union;
    return context.error("set_operation must be a-b, b-a, intersection or union, but it is '" +
                         name + "'");
}

template <class T>
std::vector<T> setOf(std::span<const T> elements)
{
    std::vector<T> set(elements.begin(), elements.end());
    std::ranges::sort(set, [](const T& a, const T& b) {
        stopPoint();
        return a < b;
    });
    const auto repeated = std::ranges::unique(set);
    set.erase(repeated.begin(), repeated.end());
    return set;
}

template <class T>
std::vector<T> combined(const std::vector<T>& a, const std::vector<T>& b, SetOperation operation)
{
    std::vector<T> result;
    const auto to = std::back_inserter(result);
    switch (operation) {
    case SetOperation::Difference: std::ranges::set_difference(a, b, to); break;
    case SetOperation::ReverseDifference: std::ranges::set_difference(b, a, to); break;
    case SetOperation::Intersection: std::ranges::set_intersection(a, b, to); break;
    case SetOperation::Union: std::ranges::set_union(a, b, to); break;
    }
    return result;
}

template <class T>
Status giveSets(KernelContext& context, const Dims& groups, const std::vector<std::vector<T>>& sets)
{
    std::size_t count = 0;
    std::size_t widest = 0;
    for (const auto& set : sets) {
        count += set.size();
        widest = std::max(widest, set.size());
    }
    const std::size_t rank = groups.size() + 1;
    ASSIGN_OR_RETURN(auto indices, context.makeOutput(0, DType::Int64,
                                                      {std::int64_t(count), std::int64_t(rank)}));
    ASSIGN_OR_RETURN(auto values,
                     context.makeOutput(1, context.input(0).dtype(), {std::int64_t(count)}));
    ASSIGN_OR_RETURN(auto shape, context.makeOutput(2, DType::Int64, {std::int64_t(rank)}));
    std::ranges::copy(groups, shape.mutableAs<std::int64_t>().begin());
    shape.mutableAs<std::int64_t>().back() = std::int64_t(widest);
    auto index = indices.mutableAs<std::int64_t>().begin();
    auto value = writeElements<T>(values).begin();
    for (std::size_t group = 0; group < sets.size(); ++group)
        for (std::size_t i = 0; i < sets[group].size(); ++i) {
            auto rest = std::int64_t(group);
            for (std::size_t axis = groups.size(); axis-- > 0; rest /= groups[axis])
                index[std::ptrdiff_t(axis)] = rest % groups[axis];
            index[std::ptrdiff_t(groups.size())] = std::int64_t(i);
            index += std::ptrdiff_t(rank);
            *value++ = sets[group][i];
        }
    return Done{};
}

template <class T>
Status combineAll(KernelContext& context, const Dims& groups, SetOperation operation)
{
    const Value& first = context.input(0);
    const Value& second = context.input(1);
    std::size_t count = 1;
    for (const std::int64_t size : groups)
        count *= std::size_t(size);
    const auto a = std::size_t(first.dims().back());
    const auto b = std::size_t(second.dims().back());
    std::vector<std::vector<T>> sets;
    for (std::size_t group = 0; group < count; ++group) {
        if (context.job().cancelled())
            return cancelledError();
        sets.push_back(combined(setOf(readElements<T>(first).subspan(group * a, a)),
                                setOf(readElements<T>(second).subspan(group * b, b)), operation));
    }
    return giveSets(context, groups, sets);
}

Status runDenseToDense(KernelContext& context)
{
    const Dims& a = context.input(0).dims();
    const Dims& b = context.input(1).dims();
    if (a.size() < 2 || a.size() != b.size() || !std::equal(a.begin(), a.end() - 1, b.begin()))
        return context.error("both sets must be at least 2-D and of one shape but for the last "
                             "axis, but their shapes are " +
                             dimsText(a) + " and " + dimsText(b));
    ASSIGN_OR_RETURN(const auto operation, operationOf(context));
    const Dims groups(a.begin(), a.end() - 1);
    switch (context.input(0).dtype()) {
    case DType::Int8: return combineAll<std::int8_t>(context, groups, operation);
    case DType::Int16: return combineAll<std::int16_t>(context, groups, operation);
    case DType::Int32: return combineAll<std::int32_t>(context, groups, operation);
    case DType::Int64: return combineAll<std::int64_t>(context, groups, operation);
    case DType::UInt8: return combineAll<std::uint8_t>(context, groups, operation);
    case DType::UInt16: return combineAll<std::uint16_t>(context, groups, operation);
    case DType::String: return combineAll<std::string>(context, groups, operation);
    default: return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    }
}

} // namespace

LAPIDARY_KERNEL(DenseToDenseSetOperation, runDenseToDense);

} // namespace lapidary
