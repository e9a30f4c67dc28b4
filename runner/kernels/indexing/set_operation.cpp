// SPDX-License-Identifier: Apache-2.0
// DenseToDenseSetOperation, DenseToSparse, SparseToSparse: union, intersection or difference of the
// sets that the last axis of each tensor holds, as a sparse tensor: each result in ascending order,
// without repetition. SetSize: the number of different elements of each set of a sparse tensor.
#include "runner/guard/run_guard.h"
#include "runner/kernels/sparse/sparse_tensor.h"

#include <algorithm>
#include <iterator>
#include <map>
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
    set.erase(std::unique(set.begin(), set.end()), set.end());
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

// Sets by the index of their group: all axes but the last.
template <class T>
using Sets = std::map<Dims, std::vector<T>>;

// The sets to combine or to count, and the sizes of the axes of groups.
template <class T>
struct Grouped {
    Dims groups;
    Sets<T> sets;
};

template <class T>
Result<Grouped<T>> denseSets(const KernelContext& context, std::size_t input)
{
    const Value& dense = context.input(input);
    if (dense.rank() < 2)
        return context.error("sets must have at least 2 axes, but the shape of input " +
                             std::to_string(input) + " is " + dimsText(dense.dims()));
    Grouped<T> grouped{{dense.dims().begin(), dense.dims().end() - 1}, {}};
    const auto each = std::size_t(dense.dims().back());
    std::int64_t count = 1;
    for (const std::int64_t size : grouped.groups)
        count *= size;
    if (each == 0) // all sets are empty
        return grouped;
    for (std::int64_t group = 0; group < count; ++group) {
        stopPoint();
        Dims index(grouped.groups.size());
        std::int64_t rest = group;
        for (std::size_t axis = index.size(); axis-- > 0; rest /= grouped.groups[axis])
            index[axis] = rest % grouped.groups[axis];
        grouped.sets.emplace_hint(
            grouped.sets.end(), std::move(index),
            setOf(readElements<T>(dense).subspan(std::size_t(group) * each, each)));
    }
    return grouped;
}

Status checkSparseSets(const KernelContext& context, const SparseTensor& sparse)
{
    if (sparse.rank() < 2)
        return context.error("sets must have at least 2 axes, but the sparse tensor's shape is " +
                             dimsText(sparse.shape));
    RETURN_IF_ERROR(checkInside(context, sparse));
    if (!context.boolAttr("validate_indices", true))
        return Done{};
    for (std::int64_t i = 1; i < sparse.count(); ++i) {
        stopPoint();
        if (compareIndices(sparse.index(i - 1), sparse.index(i)) >= 0)
            return context.error("index number " + std::to_string(i) +
                                 " of the sparse tensor is out of order or repeated");
    }
    return Done{};
}

template <class T>
Result<Grouped<T>> sparseSets(const KernelContext& context, std::size_t first)
{
    ASSIGN_OR_RETURN(const auto sparse, sparseTensor(context, first));
    RETURN_IF_ERROR(checkSparseSets(context, sparse));
    Grouped<T> grouped{{sparse.shape.begin(), sparse.shape.end() - 1}, {}};
    for (std::int64_t i = 0; i < sparse.count(); ++i) {
        stopPoint();
        const auto group = sparse.index(i).first(grouped.groups.size());
        grouped.sets[Dims(group.begin(), group.end())].push_back(
            readElements<T>(*sparse.values)[std::size_t(i)]);
    }
    for (auto& [index, set] : grouped.sets)
        set = setOf(std::span<const T>(set));
    return grouped;
}

template <class T>
Status giveSets(KernelContext& context, const Grouped<T>& grouped)
{
    std::size_t count = 0;
    std::size_t widest = 0;
    for (const auto& [index, set] : grouped.sets) {
        count += set.size();
        widest = std::max(widest, set.size());
    }
    const std::size_t rank = grouped.groups.size() + 1;
    ASSIGN_OR_RETURN(auto indices, context.makeOutput(0, DType::Int64,
                                                      {std::int64_t(count), std::int64_t(rank)}));
    ASSIGN_OR_RETURN(auto values,
                     context.makeOutput(1, context.typeAttr("T"), {std::int64_t(count)}));
    auto index = indices.mutableAs<std::int64_t>().begin();
    auto value = writeElements<T>(values).begin();
    for (const auto& [group, set] : grouped.sets) {
        stopPoint();
        for (std::size_t i = 0; i < set.size(); ++i) {
            index = std::ranges::copy(group, index).out;
            *index++ = std::int64_t(i);
            *value++ = set[i];
        }
    }
    Dims shape = grouped.groups;
    shape.push_back(std::int64_t(widest));
    return giveShape(context, 2, shape);
}

template <class T>
Status combineAll(KernelContext& context, const Grouped<T>& a, const Grouped<T>& b)
{
    if (a.groups != b.groups)
        return context.error(
            "both sets must have one shape but for the last axis, but theirs are " +
            dimsText(a.groups) + " and " + dimsText(b.groups));
    ASSIGN_OR_RETURN(const auto operation, operationOf(context));
    const std::vector<T> nothing;
    const auto setIn = [&](const Sets<T>& sets, const Dims& index) -> const std::vector<T>& {
        const auto found = sets.find(index);
        return found == sets.end() ? nothing : found->second;
    };
    Grouped<T> result{a.groups, {}};
    for (const auto* operand : {&a, &b})
        for (const auto& [index, set] : operand->sets) {
            stopPoint();
            if (!result.sets.contains(index))
                result.sets[index] =
                    combined(setIn(a.sets, index), setIn(b.sets, index), operation);
        }
    return giveSets(context, result);
}

template <class T>
Status countAll(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto grouped, sparseSets<T>(context, 0));
    ASSIGN_OR_RETURN(auto sizes, context.makeOutput(0, DType::Int32, grouped.groups));
    const auto to = sizes.template mutableAs<std::int32_t>();
    std::ranges::fill(to, 0);
    for (const auto& [index, set] : grouped.sets) {
        stopPoint();
        std::size_t at = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis)
            at = at * std::size_t(grouped.groups[axis]) + std::size_t(index[axis]);
        to[at] = std::int32_t(set.size());
    }
    return Done{};
}

enum class Operands : std::uint8_t { DenseToDense, DenseToSparse, SparseToSparse, OneSparse };

template <class T>
Status runTyped(KernelContext& context, Operands operands)
{
    if (operands == Operands::OneSparse)
        return countAll<T>(context);
    const bool isFirstSparse = operands == Operands::SparseToSparse;
    ASSIGN_OR_RETURN(const auto a,
                     isFirstSparse ? sparseSets<T>(context, 0) : denseSets<T>(context, 0));
    ASSIGN_OR_RETURN(const auto b, operands == Operands::DenseToDense
                                       ? denseSets<T>(context, 1)
                                       : sparseSets<T>(context, isFirstSparse ? 3 : 1));
    return combineAll(context, a, b);
}

template <Operands operands>
Status run(KernelContext& context)
{
    switch (context.typeAttr("T")) {
    case DType::Int8: return runTyped<std::int8_t>(context, operands);
    case DType::Int16: return runTyped<std::int16_t>(context, operands);
    case DType::Int32: return runTyped<std::int32_t>(context, operands);
    case DType::Int64: return runTyped<std::int64_t>(context, operands);
    case DType::UInt8: return runTyped<std::uint8_t>(context, operands);
    case DType::UInt16: return runTyped<std::uint16_t>(context, operands);
    case DType::String: return runTyped<std::string>(context, operands);
    default: return context.error("has no kernel for " + dtypeName(context.typeAttr("T")));
    }
}

} // namespace

LAPIDARY_KERNEL(DenseToDenseSetOperation, run<Operands::DenseToDense>);
LAPIDARY_KERNEL(DenseToSparseSetOperation, run<Operands::DenseToSparse>);
LAPIDARY_KERNEL(SetSize, run<Operands::OneSparse>);
LAPIDARY_KERNEL(SparseToSparseSetOperation, run<Operands::SparseToSparse>);

} // namespace lapidary
