// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/input_ranks.h"

#include "graph_model/base/fixed_names.h"
#include "graph_model/binding/node_signature.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>

namespace lapidary {
namespace {

constexpr unsigned anyRank = 0xFF;
constexpr std::size_t mostNamedRank = 6; // bit 7 is for all higher ranks

// Two hexadecimal digits for each argument; bit r is set if rank r is accepted. If a vector must
// have a certain length, it is in `lengths`; 0 for any.
struct Row {
    std::string_view op;
    std::string_view masks;        // "02.ff"
    std::string_view lengths = {}; // "2.0"
};
constexpr Row rows[] = {
#include "input_ranks.inc"
};
static_assert(std::ranges::is_sorted(rows, {}, &Row::op));

unsigned maskAt(std::string_view masks, std::size_t argument)
{
    unsigned mask = anyRank;
    if (const std::size_t at = argument * 3; at + 2 <= masks.size())
        std::from_chars(masks.data() + at, masks.data() + at + 2, mask, 16);
    return mask;
}

bool isTaken(unsigned mask, std::size_t rank)
{
    return (mask >> std::min(rank, mostNamedRank + 1) & 1U) != 0;
}

std::int64_t lengthAt(std::string_view lengths, std::size_t argument)
{
    for (; argument > 0 && !lengths.empty(); --argument)
        lengths.remove_prefix(std::min(lengths.find('.'), lengths.size() - 1) + 1);
    std::int64_t length = 0;
    std::from_chars(lengths.data(), lengths.data() + lengths.size(), length);
    return length;
}

bool isVectorOfOther(const Shape& shape, std::int64_t length)
{
    return length > 0 && shape.dims.size() == 1 && shape.dims[0] >= 0 && shape.dims[0] != length;
}

// Returns "rank 2", "at least rank 1" or "rank 1 or 3".
std::string takenRanks(unsigned mask)
{
    const auto first = std::size_t(std::countr_zero(mask));
    const unsigned contiguous = anyRank & (anyRank << first);
    if (mask == contiguous)
        return "at least rank " + std::to_string(first);
    if (const auto last = std::size_t(std::bit_width(mask)) - 1;
        first == 0 && last > 0 && mask == (2U << last) - 1)
        return "at most rank " + std::to_string(last);
    std::string text;
    for (std::size_t rank = 0; rank <= mostNamedRank; ++rank)
        if (isTaken(mask, rank))
            text += (text.empty() ? "rank " : " or ") + std::to_string(rank);
    return text;
}

std::string inputText(const OpSpec& op, std::size_t argument, std::size_t input)
{
    return "input " + std::to_string(input) + " (" + std::string(op.inputs[argument].name) +
           ") of " + std::string(op.name);
}

} // namespace

std::string inputShapeFault(const Node& node, const OpSpec& op, std::span<const TensorState> inputs)
{
    static const FixedNames names(rows, &Row::op);
    const Row* row = names.entryOf(rows, op.name);
    if (row == nullptr)
        return {};
    std::size_t input = 0;
    for (std::size_t argument = 0; argument < op.inputs.size(); ++argument) {
        const unsigned mask = maskAt(row->masks, argument);
        const std::int64_t length = lengthAt(row->lengths, argument);
        const auto count = argumentLength(node, op, op.inputs[argument]);
        if (!count)
            return {};
        for (std::int64_t i = 0; i < *count && input < inputs.size(); ++i, ++input) {
            const Shape& shape = inputs[input].shape;
            if (shape.unknownRank)
                continue;
            // TensorFlow accepts some scalars for their value: -1 is an unknown shape.
            const bool isOpen = op.inputs[argument].name.ends_with("shape") && shape.dims.empty() &&
                                inputs[input].known != nullptr &&
                                inputs[input].known->items == std::vector<std::int64_t>{-1};
            if (!isOpen && !isTaken(mask, shape.dims.size()))
                return inputText(op, argument, input) + " must be " + takenRanks(mask) +
                       ", but is of rank " + std::to_string(shape.dims.size());
            if (isVectorOfOther(shape, length))
                return inputText(op, argument, input) + " must have " + std::to_string(length) +
                       " elements, not " + std::to_string(shape.dims[0]);
        }
    }
    return {};
}

} // namespace lapidary
