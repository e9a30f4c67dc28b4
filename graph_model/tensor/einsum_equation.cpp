// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/einsum_equation.h"

#include "graph_model/base/text.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

constexpr std::string_view dots = "...";
constexpr std::size_t mostAxes = 32;

Error fault(std::string message)
{
    return {.code = ErrorCode::InvalidArgument, .message = std::move(message)};
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Replaces the dots of "a...b" by `ellipsis` axes.
Result<EinsumLabels> expanded(std::string_view term, std::size_t ellipsis)
{
    EinsumLabels labels;
    bool isExpanded = false;
    for (std::size_t i = 0; i < term.size(); ++i) {
        if (term.substr(i).starts_with(dots)) {
            if (std::exchange(isExpanded, true))
                return fault("the term '" + std::string(term) + "' has more than one ellipsis");
            for (std::size_t k = ellipsis; k > 0; --k)
                labels.push_back(char(k));
            i += dots.size() - 1;
        } else if (isLetter(term[i])) {
            labels.push_back(term[i]);
        } else if (term[i] != ' ') {
            return fault("the equation has the unexpected character '" + std::string(1, term[i]) +
                         "'");
        }
    }
    return labels;
}

std::vector<std::string_view> termsOf(std::string_view left)
{
    std::vector<std::string_view> terms;
    for (auto comma = left.find(','); comma != left.npos; comma = left.find(',')) {
        terms.push_back(left.substr(0, comma));
        left = left.substr(comma + 1);
    }
    terms.push_back(left);
    return terms;
}

// Returns the number of axes of the input for the ellipsis of its term.
Result<std::size_t> ellipsisOf(std::string_view term, const Shape& input)
{
    const auto named =
        std::size_t(std::ranges::count_if(term, [](char c) { return c != '.' && c != ' '; }));
    if (input.unknownRank && named <= mostAxes)
        return std::size_t(0);
    const std::size_t rank = input.dims.size();
    if (rank > mostAxes || named > rank || (!hasEllipsis(term) && named != rank))
        return fault("the term '" + std::string(term) + "' does not fit " + shapeText(input));
    return rank - named;
}

// Adds one more size of a label.
Status addSize(std::map<char, std::int64_t>& sizes, char label, std::int64_t size)
{
    const auto [at, isNew] = sizes.emplace(label, size);
    std::int64_t& known = at->second;
    const bool repeats = label < ' ';
    if (isNew || known == size || (repeats && size == 1))
        return Done{};
    if (repeats && (known == 1 || (known < 0 && size > 1)))
        known = size; // may still be 1 if it is unknown
    else if (known < 0)
        known = repeats ? known : size;
    else if (size >= 0)
        return fault("a label of the equation has the sizes " + std::to_string(known) + " and " +
                     std::to_string(size));
    return Done{};
}

} // namespace

bool hasEllipsis(std::string_view equation)
{
    return equation.find(dots) != equation.npos;
}

Result<EinsumEquation> readEinsum(std::string_view equation, std::span<const Shape> inputs)
{
    constexpr std::string_view arrow = "->";
    const auto at = equation.find(arrow);
    if (at == equation.npos || equation.find(arrow, at + arrow.size()) != equation.npos)
        return fault("the equation '" + std::string(equation) + "' must have one '->'");
    const auto terms = termsOf(equation.substr(0, at));
    if (terms.size() != inputs.size() || terms.size() > 2)
        return fault("the equation '" + std::string(equation) + "' has " +
                     std::to_string(terms.size()) + " terms for " + std::to_string(inputs.size()) +
                     " inputs (1 or 2)");
    EinsumEquation read;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        ASSIGN_OR_RETURN(const std::size_t ellipsis, ellipsisOf(terms[i], inputs[i]));
        ASSIGN_OR_RETURN(auto labels, expanded(terms[i], ellipsis));
        widest = std::max(widest, ellipsis);
        read.inputs.push_back(std::move(labels));
    }
    ASSIGN_OR_RETURN(read.output, expanded(equation.substr(at + arrow.size()), widest));
    return read;
}

Result<std::map<char, std::int64_t>> einsumSizes(const EinsumEquation& equation,
                                                 std::span<const Shape> inputs)
{
    std::map<char, std::int64_t> sizes;
    for (std::size_t i = 0; i < equation.inputs.size(); ++i)
        for (std::size_t axis = 0; axis < equation.inputs[i].size(); ++axis)
            RETURN_IF_ERROR(addSize(sizes, equation.inputs[i][axis],
                                    inputs[i].unknownRank ? -1 : inputs[i].dims[axis]));
    for (std::size_t i = 0; i < equation.output.size(); ++i)
        if (!sizes.contains(equation.output[i]) ||
            equation.output.find(equation.output[i], i + 1) != EinsumLabels::npos)
            return fault("each label of the output must occur there once, and in an input");
    return sizes;
}

} // namespace lapidary
