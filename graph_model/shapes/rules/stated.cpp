// SPDX-License-Identifier: Apache-2.0
// Ops whose outputs follow from an input or an attribute without arithmetic. The rows were
// determined with TensorFlow 1.15.5 (resources/ops/output_shapes.tsv, whose header explains a row).
#include "graph_model/binding/node_signature.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/shapes/rules/rule_families.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t mostOutputs = 8;

struct StatedRow {
    std::string_view op;
    std::string_view outputs[mostOutputs] = {};
};
constexpr StatedRow statedRows[] = {
#include "output_shapes.inc"
};
static_assert(std::ranges::is_sorted(statedRows, {}, &StatedRow::op));

std::int64_t numberIn(std::string_view text, std::int64_t fallback = unknownDim)
{
    std::from_chars(text.data(), text.data() + text.size(), fallback);
    return fallback;
}

// Removes the text before `separator`, and the separator, from `text`. Returns that text.
std::string_view takePart(std::string_view& text, char separator)
{
    const std::size_t at = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}

// Evaluates the statements of a row for one node.
class Statement {
public:
    explicit Statement(RuleContext& context)
        : m_context(context)
        , m_op(findOp(context.node().op()))
    {
    }

    Shape shape(std::string_view text) const
    {
        if (text.starts_with("=:"))
            return m_context.attrs().shape(text.substr(2));
        if (text.starts_with('='))
            return sharedShape(text.substr(1));
        if (text.starts_with('['))
            return {sizes(text.substr(1, text.size() - 2)), false};
        return unknownShape();
    }

private:
    // Returns the index of the named input, after the lists before it.
    std::size_t indexOf(std::string_view name) const
    {
        std::size_t index = 0;
        for (const ArgSpec& argument : m_op->inputs) {
            if (argument.name == name)
                break;
            index += std::size_t(argumentLength(m_context.node(), *m_op, argument).value_or(1));
        }
        return index;
    }

    const Shape& input(std::string_view name) const { return m_context.input(indexOf(name)); }

    // Returns the shape for "x" or "x|y".
    Shape sharedShape(std::string_view names) const
    {
        Shape shape = input(takePart(names, '|'));
        if (names.empty())
            return shape;
        const Shape& other = input(names);
        if (shape.unknownRank)
            return other;
        if (!other.unknownRank && other.dims.size() == shape.dims.size())
            for (std::size_t i = 0; i < shape.dims.size(); ++i)
                shape.dims[i] = std::max(shape.dims[i], other.dims[i]);
        return shape;
    }

    std::vector<std::int64_t> sizes(std::string_view text) const
    {
        std::vector<std::int64_t> sizes;
        while (!text.empty())
            sizes.push_back(size(takePart(text, ',')));
        return sizes;
    }

    // Returns the size for "3", "?", ":attribute", "$x", "x.0" or "x.0|y.1".
    std::int64_t size(std::string_view text) const
    {
        if (text.starts_with(':'))
            return attribute(text.substr(1));
        if (text.starts_with('$'))
            return valueOf(text.substr(1));
        std::string_view rest = text;
        const std::int64_t first = sizeOfInput(takePart(rest, '|'));
        return first < 0 && !rest.empty() ? sizeOfInput(rest) : first;
    }

    std::int64_t sizeOfInput(std::string_view text) const
    {
        std::string_view axis = text;
        const std::string_view name = takePart(axis, '.');
        if (axis.empty())
            return numberIn(name);
        const Shape& shape = input(name);
        const auto at = std::size_t(numberIn(axis));
        return !shape.unknownRank && at < shape.dims.size() ? shape.dims[at] : unknownDim;
    }

    std::int64_t attribute(std::string_view name) const
    {
        const auto spec = std::ranges::find(m_op->attrs, name, &AttrSpec::name);
        const bool hasDefault = spec != m_op->attrs.end() && spec->hasDefault;
        const std::int64_t fallback = hasDefault ? numberIn(spec->defaultText) : unknownDim;
        return std::max(m_context.attrs().integer(name, fallback), unknownDim);
    }

    std::int64_t valueOf(std::string_view name) const
    {
        return std::max(m_context.scalar(indexOf(name)).value_or(unknownDim), unknownDim);
    }

    RuleContext& m_context;
    const OpSpec* m_op;
};

void stated(RuleContext& context)
{
    const auto* row = std::ranges::lower_bound(statedRows, context.node().op(), {}, &StatedRow::op);
    const Statement statement(context);
    const OpSpec& op = *findOp(context.node().op());
    std::size_t port = 0;
    for (std::size_t i = 0; i < std::min(op.outputs.size(), mostOutputs); ++i) {
        const Shape shape = statement.shape(row->outputs[i]);
        const auto count = argumentLength(context.node(), op, op.outputs[i]).value_or(0);
        for (std::int64_t k = 0; k < count && port < context.outputCount(); ++k)
            context.set(port++, shape);
    }
}

std::vector<ShapeRule> makeRules()
{
    std::vector<ShapeRule> rules;
    for (const StatedRow& row : statedRows)
        rules.push_back({row.op, stated});
    return rules;
}

} // namespace

std::span<const ShapeRule> statedRules()
{
    static const std::vector<ShapeRule> rules = makeRules();
    return rules;
}

} // namespace lapidary
