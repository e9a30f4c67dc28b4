// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_registry.h"

#include "graph_model/base/fixed_names.h"
#include "graph_model/ops/device_families.h"
#include "graph_model/ops/later_ops.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

void appendArg(std::string& out, const ArgSpec& arg)
{
    out += arg.name;
    out += ": ";
    if (!arg.typeListAttr.empty())
        out += arg.typeListAttr;
    else if (!arg.typeAttr.empty())
        out += arg.typeAttr;
    else
        out += dtypeName(arg.dtype);
    if (!arg.numberAttr.empty())
        out.append(" × ").append(arg.numberAttr);
    if (arg.isReference)
        out += " (reference)";
}

void appendArgs(std::string& out, std::span<const ArgSpec> args)
{
    out += '(';
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (i > 0)
            out += ", ";
        appendArg(out, args[i]);
    }
    out += ')';
}

} // namespace

std::string_view opFamilyName(OpFamily family)
{
    static constexpr std::array<std::string_view, opFamilyCount> names{
        "input",
        "output",
        "weights",
        "heavy math",
        "normalization",
        "activation",
        "pooling and reduction",
        "element-wise",
        "shape and data movement",
        "control flow and functions",
        "quantized",
        "training and summary",
        "unknown op",
    };
    return names[std::min<std::size_t>(std::size_t(family), names.size() - 1)];
}

const OpSpec* findReferenceOp(std::string_view name)
{
    const std::span<const OpSpec> ops = allOps();
    static const FixedNames names(ops, &OpSpec::name);
    return names.entryOf(ops, name);
}

const OpSpec* findOp(std::string_view name)
{
    if (const OpSpec* op = findReferenceOp(name))
        return op;
    const std::span<const OpSpec> later = laterOps();
    static const FixedNames names(later, &OpSpec::name);
    return names.entryOf(later, name);
}

bool isSizeInput(std::string_view op, std::uint32_t slot)
{
    constexpr std::array<std::string_view, 14> names{
        "axis",     "begin", "dim",   "dims", "end",         "multiples", "num_elements",
        "paddings", "perm",  "shape", "size", "size_splits", "split_dim", "strides"};
    const OpSpec* spec = findOp(op);
    if (spec == nullptr || slot >= spec->inputs.size())
        return false;
    const auto before = spec->inputs.first(slot);
    const bool isAtSlot = std::ranges::none_of(before, [](const ArgSpec& arg) {
        return !arg.numberAttr.empty() || !arg.typeListAttr.empty();
    });
    return isAtSlot && std::ranges::find(names, spec->inputs[slot].name) != names.end();
}

OpFamily opFamily(std::string_view op)
{
    const OpSpec* spec = findOp(op);
    return spec == nullptr ? deviceFamily(op) : spec->family;
}

std::string signatureText(const OpSpec& op)
{
    std::string out(op.name);
    appendArgs(out, op.inputs);
    out += " -> ";
    appendArgs(out, op.outputs);
    return out;
}

} // namespace lapidary
