// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/input_ranks.h"

#include "graph_model/base/fixed_names.h"
#include "graph_model/binding/node_signature.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace lapidary {
namespace {

constexpr unsigned anyRank = 0xFF;
constexpr std::size_t mostNamedRank = 6; // bit 7 stands for all above it

// For each argument two hexadecimal digits; bit r is set where rank r is taken.
struct Row {
    std::string_view op;
    std::string_view masks; // "02.ff"
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

} // namespace

std::string inputRankFault(const Node& node, const OpSpec& op, std::span<const TensorState> inputs)
{
    static const FixedNames names(rows, &Row::op);
    const Row* row = names.entryOf(rows, op.name);
    if (row == nullptr)
        return {};
    std::size_t input = 0;
    for (std::size_t argument = 0; argument < op.inputs.size(); ++argument) {
        const unsigned mask = maskAt(row->masks, argument);
        const auto count = argumentLength(node, op, op.inputs[argument]);
        if (!count)
            return {};
        for (std::int64_t i = 0; i < *count && input < inputs.size(); ++i, ++input) {
            const Shape& shape = inputs[input].shape;
            // TensorFlow takes some scalars for their value: a shape of -1 is an unknown one.
            const bool isOpen = shape.unknownRank || inputs[input].known != nullptr;
            if (!isOpen && !isTaken(mask, shape.dims.size()))
                return "input " + std::to_string(input) + " (" +
                       std::string(op.inputs[argument].name) + ") of " + std::string(op.name) +
                       " must not be of rank " + std::to_string(shape.dims.size());
        }
    }
    return {};
}

} // namespace lapidary
