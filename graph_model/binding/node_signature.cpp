// SPDX-License-Identifier: Apache-2.0
#include "graph_model/binding/node_signature.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>

namespace lapidary {
namespace {

constexpr std::size_t emptyListSize = 2; // tag and length of AttrValue.list

const AttrSpec* findAttr(const OpSpec& op, std::string_view name)
{
    const auto at = std::ranges::find(op.attrs, name, &AttrSpec::name);
    return at == op.attrs.end() ? nullptr : &*at;
}

std::optional<std::int64_t> intAttr(const Node& node, const OpSpec& op, std::string_view name)
{
    const AttrValue value = node.attr(name);
    std::optional<std::int64_t> number = value.asInt();
    const AttrSpec* spec = findAttr(op, name);
    if (!number && spec != nullptr && spec->hasDefault && !node.hasAttr(name)) {
        std::int64_t parsed = 0;
        const std::string_view text = spec->defaultText;
        if (std::from_chars(text.data(), text.data() + text.size(), parsed).ec == std::errc())
            number = parsed;
    }
    if (!number || *number < 0 || *number > std::numeric_limits<std::int32_t>::max())
        return std::nullopt;
    return number;
}

bool isTensorDtype(DType dtype)
{
    return dtype > DType::Invalid && dtype <= DType::UInt64;
}

DType typeAttr(const Node& node, const OpSpec& op, std::string_view name)
{
    if (const auto type = node.attr(name).asType())
        return isTensorDtype(*type) ? *type : DType::Invalid;
    const AttrSpec* spec = findAttr(op, name);
    if (spec == nullptr || !spec->hasDefault || node.hasAttr(name))
        return DType::Invalid;
    return parseDtype(spec->defaultText).value_or(DType::Invalid);
}

// Parses a default such as "[DT_FLOAT,DT_INT32]".
std::vector<DType> parseTypes(std::string_view text)
{
    std::vector<DType> types;
    if (text.starts_with('['))
        text.remove_prefix(1);
    if (text.ends_with(']'))
        text.remove_suffix(1);
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        types.push_back(parseDtype(text.substr(0, comma)).value_or(DType::Invalid));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return types;
}

std::optional<std::vector<DType>> typeListAttr(const Node& node, const OpSpec& op,
                                               std::string_view name)
{
    const AttrValue value = node.attr(name);
    if (value.kind() == AttrKind::List) {
        std::vector<DType> types = value.types();
        const bool isOfOtherKind = types.empty() && value.encoded().size() > emptyListSize;
        return isOfOtherKind ? std::nullopt : std::optional(std::move(types));
    }
    const AttrSpec* spec = findAttr(op, name);
    if (value.kind() != AttrKind::None || spec == nullptr)
        return std::nullopt;
    if (node.hasAttr(name)) // old files have empty lists as a value without content
        return std::vector<DType>();
    if (!spec->hasDefault)
        return std::nullopt;
    return parseTypes(spec->defaultText);
}

DType marked(DType dtype, const ArgSpec& arg)
{
    const bool plain = dtype != DType::Invalid && !isReference(dtype);
    return arg.isReference && plain ? DType(std::int32_t(dtype) + 100) : dtype;
}

// Returns the type that the op fixes. Later versions of TensorFlow transform numbers of double
// precision, too, by attributes that RFFT and IRFFT do not have in 1.15.
DType fixedDtype(const Node& node, const ArgSpec& arg)
{
    if (!node.op().starts_with("RFFT") && !node.op().starts_with("IRFFT"))
        return arg.dtype;
    if (arg.dtype == DType::Float && node.attr("Treal").asType() == DType::Double)
        return DType::Double;
    if (arg.dtype == DType::Complex64 && node.attr("Tcomplex").asType() == DType::Complex128)
        return DType::Complex128;
    return arg.dtype;
}

DType uniformDtype(const Node& node, const OpSpec& op, const ArgSpec& arg)
{
    return marked(arg.typeAttr.empty() ? fixedDtype(node, arg) : typeAttr(node, op, arg.typeAttr),
                  arg);
}

std::optional<std::int64_t> totalLength(const Node& node, const OpSpec& op,
                                        std::span<const ArgSpec> args)
{
    std::int64_t total = 0;
    for (const ArgSpec& arg : args) {
        const auto length = argumentLength(node, op, arg);
        if (!length)
            return std::nullopt;
        total += *length;
    }
    return total;
}

DType dtypeAt(const Node& node, const OpSpec& op, std::span<const ArgSpec> args,
              std::int64_t position)
{
    for (const ArgSpec& arg : args) {
        if (!arg.typeListAttr.empty()) {
            const auto types = typeListAttr(node, op, arg.typeListAttr);
            if (!types || position < 0)
                return DType::Invalid;
            if (std::size_t(position) < types->size())
                return marked((*types)[std::size_t(position)], arg);
            position -= std::int64_t(types->size());
            continue;
        }
        const auto length = argumentLength(node, op, arg);
        if (!length || position < 0)
            return DType::Invalid;
        if (position < *length)
            return uniformDtype(node, op, arg);
        position -= *length;
    }
    return DType::Invalid;
}

// Returns nothing for more than `most` tensors, so that a wrong count does not reserve memory.
std::vector<DType> allDtypes(const Node& node, const OpSpec& op, std::span<const ArgSpec> args,
                             std::int64_t most)
{
    std::vector<DType> dtypes;
    const auto total = totalLength(node, op, args);
    if (!total || *total > most)
        return dtypes;
    for (const ArgSpec& arg : args) {
        if (!arg.typeListAttr.empty()) {
            const auto types = typeListAttr(node, op, arg.typeListAttr);
            for (std::size_t i = 0; types && i < types->size(); ++i)
                dtypes.push_back(marked((*types)[i], arg));
        } else {
            const std::int64_t length = argumentLength(node, op, arg).value_or(0);
            dtypes.insert(dtypes.end(), std::size_t(length), uniformDtype(node, op, arg));
        }
    }
    return dtypes;
}

} // namespace

std::optional<std::int64_t> argumentLength(const Node& node, const OpSpec& op, const ArgSpec& arg)
{
    if (!arg.typeListAttr.empty()) {
        const auto types = typeListAttr(node, op, arg.typeListAttr);
        return types ? std::optional(std::int64_t(types->size())) : std::nullopt;
    }
    return arg.numberAttr.empty() ? 1 : intAttr(node, op, arg.numberAttr);
}

std::optional<std::int64_t> inputLength(const Node& node, const OpSpec& op)
{
    return totalLength(node, op, op.inputs);
}

std::optional<std::int64_t> outputLength(const Node& node, const OpSpec& op)
{
    return totalLength(node, op, op.outputs);
}

DType inputDtype(const Node& node, const OpSpec& op, std::int64_t position)
{
    return dtypeAt(node, op, op.inputs, position);
}

DType outputDtype(const Node& node, const OpSpec& op, std::int64_t port)
{
    return dtypeAt(node, op, op.outputs, port);
}

bool givesReference(const Node& node, const OpSpec& op, std::int64_t port)
{
    const bool isListed = std::ranges::any_of(
        op.outputs, [](const ArgSpec& arg) { return !arg.typeListAttr.empty(); });
    return !isListed && isReference(outputDtype(node, op, port));
}

std::vector<DType> inputDtypes(const Node& node, const OpSpec& op)
{
    return allDtypes(node, op, op.inputs, std::int64_t(node.inputs().size()));
}

std::vector<DType> outputDtypes(const Node& node, const OpSpec& op)
{
    // A list of types has all of its entries in the file, but one number may declare many outputs
    // of one type.
    constexpr std::int64_t mostOfOneType = 1 << 16;
    return allDtypes(node, op, op.outputs,
                     std::max(std::int64_t(node.encodedSize()), mostOfOneType));
}

std::vector<DType> listedOutputDtypes(const Node& node, const OpSpec& op)
{
    const bool isListed = std::ranges::any_of(
        op.outputs, [](const ArgSpec& arg) { return !arg.typeListAttr.empty(); });
    return isListed ? outputDtypes(node, op) : std::vector<DType>();
}

std::optional<std::int64_t> outputPort(const Node& node, const OpSpec& op, std::string_view output,
                                       std::int64_t index)
{
    std::int64_t port = 0;
    for (const ArgSpec& arg : op.outputs) {
        const auto length = argumentLength(node, op, arg);
        if (!length)
            return std::nullopt;
        if (arg.name == output)
            return index >= 0 && index < *length ? std::optional(port + index) : std::nullopt;
        port += *length;
    }
    return std::nullopt;
}

} // namespace lapidary
