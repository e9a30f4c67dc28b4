// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/lower/coded_constants.h"

#include "graph_model/portable/permute.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace lapidary {
namespace {

using Ints = std::vector<std::int64_t>;

std::int64_t elementsOf(std::span<const std::int64_t> dims)
{
    return std::accumulate(dims.begin(), dims.end(), std::int64_t(1), std::multiplies<>());
}

// Returns the first of the adjacent axes that the scales belong to, and the one after the last.
std::pair<std::size_t, std::size_t> axesOf(const PortableTensor& tensor)
{
    const auto first = std::size_t(tensor.quantized.axis);
    std::size_t end = first;
    for (std::int64_t count = 1;
         end < tensor.dims.size() && count < std::int64_t(tensor.quantized.scales.size()); ++end)
        count *= tensor.dims[end];
    return {first, end};
}

PortableScales turnedScales(const PortableTensor& tensor, const Ints& order)
{
    PortableScales scales = tensor.quantized;
    if (scales.scales.size() < 2)
        return scales;
    const auto [first, end] = axesOf(tensor);
    const auto place = std::ranges::find(order, std::int64_t(first));
    for (std::size_t axis = first; axis < end; ++axis)
        if (const auto next = std::size_t(place - order.begin()) + axis - first;
            next >= order.size() || order[next] != std::int64_t(axis))
            return {};
    scales.axis = place - order.begin();
    return scales;
}

// Returns the scales for other sizes. The elements stay in order, so the new axis is one from which
// on there are as many elements; without one there are no scales.
PortableScales reshapedScales(const PortableTensor& tensor, const Ints& dims)
{
    PortableScales scales = tensor.quantized;
    if (scales.scales.size() < 2)
        return scales;
    const std::int64_t inside =
        elementsOf(std::span(tensor.dims).subspan(std::size_t(scales.axis)));
    for (std::size_t axis = dims.size(); axis-- > 0;)
        if (elementsOf(std::span(dims).subspan(axis)) == inside) {
            scales.axis = std::int64_t(axis);
            return scales;
        }
    return {};
}

TensorIndex added(LowerNode& n, const PortableTensor& like, Ints dims, const ConstantBytes& bytes,
                  const PortableScales& scales)
{
    const DType dtype = like.dtype;
    const TensorIndex made =
        n.constantOf("moved", dtype, std::move(dims), std::string(bytes.read().view()));
    n.setScales(made, scales);
    return made;
}

// Returns whether input 0 is a float constant with scales, which is written as codes.
bool readsCodedConstant(LowerNode& node)
{
    return node.isConstant(0) && node.tensor(node.input(0)).dtype == DType::Float &&
           node.tensor(node.input(0)).quantized.isSet();
}

} // namespace

std::optional<TensorIndex> turnedConstant(LowerNode& node, TensorIndex constant, const Ints& order)
{
    const PortableTensor& tensor = node.tensor(constant);
    Ints axes(tensor.dims.size());
    std::iota(axes.begin(), axes.end(), 0);
    if (!std::ranges::is_permutation(order, axes))
        return std::nullopt;
    return added(node, tensor, permutedDims(tensor.dims, order),
                 tensor.bytes.reordered(tensor.dims, order, dtypeSize(tensor.dtype)),
                 turnedScales(tensor, order));
}

bool turnsCodes(LowerNode& node, const Ints& order)
{
    const auto turned =
        readsCodedConstant(node) ? turnedConstant(node, node.input(0), order) : std::nullopt;
    if (turned)
        node.alias(0, *turned);
    return turned.has_value();
}

bool reshapesCodes(LowerNode& node)
{
    if (!readsCodedConstant(node))
        return false;
    const PortableTensor& tensor = node.tensor(node.input(0));
    const Ints dims = node.outputDims();
    const auto isOpen = [](std::int64_t size) { return size < 0; };
    if (std::ranges::any_of(dims, isOpen) || elementsOf(dims) != tensor.elements())
        return false;
    node.alias(0, added(node, tensor, dims, tensor.bytes, reshapedScales(tensor, dims)));
    return true;
}

} // namespace lapidary
