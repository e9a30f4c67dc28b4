// SPDX-License-Identifier: Apache-2.0
#include "graph_model/binding/bind_node.h"

#include "graph_model/base/wire.h"
#include "graph_model/binding/node_signature.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>

namespace lapidary {
namespace {

using enum BindFaultKind;

struct KindName {
    std::string_view name;
    AttrKind kind;
    std::uint32_t listField; // of AttrValue.ListValue
};

constexpr std::array kindNames{
    KindName{"string", AttrKind::String, 2}, KindName{"int", AttrKind::Int, 3},
    KindName{"float", AttrKind::Float, 4},   KindName{"bool", AttrKind::Bool, 5},
    KindName{"type", AttrKind::Type, 6},     KindName{"shape", AttrKind::Shape, 7},
    KindName{"tensor", AttrKind::Tensor, 8}, KindName{"func", AttrKind::Func, 9},
};

const KindName* kindNamed(std::string_view name)
{
    const auto* at = std::ranges::find(kindNames, name, &KindName::name);
    return at == kindNames.end() ? nullptr : at;
}

// Returns the kind of a value: "string", "list(int)", "nothing".
std::string heldKind(const AttrValue& value, std::uint32_t listField)
{
    if (value.kind() == AttrKind::None)
        return "nothing";
    if (value.kind() == AttrKind::Placeholder)
        return "an unbound placeholder";
    if (value.kind() == AttrKind::List) {
        const auto* at = std::ranges::find(kindNames, listField, &KindName::listField);
        return at == kindNames.end() ? "a list" : "list(" + std::string(at->name) + ")";
    }
    const auto* at = std::ranges::find(kindNames, value.kind(), &KindName::kind);
    return at == kindNames.end() ? "something unknown" : std::string(at->name);
}

// Returns the first field of a list's elements that is not `wanted`, or 0.
std::uint32_t foreignListField(const AttrValue& value, std::uint32_t wanted)
{
    WireReader reader(value.encoded());
    while (reader.next()) {
        if (reader.field() != std::uint32_t(AttrKind::List) || reader.type() != WireType::Bytes)
            continue;
        WireReader list(reader.bytes());
        while (list.next())
            if (list.field() != wanted && list.field() >= 2 && list.field() <= 9)
                return list.field();
    }
    return 0;
}

// Returns whether a text such as "DT_FLOAT|DT_HALF" or "\"SAME\"|\"VALID\"" has `value` between its
// bars.
bool isListed(std::string_view allowed, std::string_view value)
{
    while (!allowed.empty()) {
        const std::size_t bar = std::min(allowed.find('|'), allowed.size());
        if (allowed.substr(0, bar) == value)
            return true;
        allowed.remove_prefix(std::min(bar + 1, allowed.size()));
    }
    return false;
}

constexpr auto dtypeCount = std::size_t(DType::UInt64) + 1;

// Returns the registry's name: "DT_FLOAT".
std::string_view registryName(DType dtype)
{
    static const auto names = [] {
        std::array<std::string, dtypeCount> made;
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = "DT_" + dtypeName(DType(std::int32_t(i)));
            std::ranges::transform(made[i], made[i].begin(),
                                   [](unsigned char c) { return char(std::toupper(c)); });
        }
        return made;
    }();
    return names[std::size_t(dtype)];
}

// Quotes names and values of the file: long ones are cut, and unprintable characters are replaced.
std::string quoted(std::string_view text)
{
    constexpr std::size_t longest = 80;
    std::string out = "'";
    for (const char c : text.substr(0, longest))
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
    return out + (text.size() > longest ? "...'" : "'");
}

bool isCount(const OpSpec& op, const AttrSpec& attr)
{
    const auto counts = [&](const ArgSpec& arg) { return arg.numberAttr == attr.name; };
    return std::ranges::any_of(op.inputs, counts) || std::ranges::any_of(op.outputs, counts);
}

// Returns whether TensorFlow stores the attribute in 32 bits, in any op.
bool isNarrow(std::string_view attr)
{
    constexpr std::array<std::string_view, 16> names{
        "axis",        "block_size",      "channels",         "dct_coefficient_count",
        "max_splits",  "desired_samples", "desired_channels", "logits_dimension",
        "num_shards",  "num_features",    "num_streams",      "num_bucketized_features",
        "window_size", "shard_id",        "stride",           "table_id"};
    return std::ranges::find(names, attr) != names.end();
}

// Checks one attribute of a node against its definition. Adds at most one fault.
class AttrBinder {
public:
    AttrBinder(const OpSpec& op, const AttrSpec& spec, std::vector<BindFault>& faults)
        : m_op(op)
        , m_spec(spec)
        , m_faults(faults)
    {
    }

    void missing()
    {
        add(MissingAttr, std::string(m_op.name) + " needs the attribute " +
                             std::string(m_spec.name) + " (" + std::string(m_spec.kind) +
                             "), which is missing");
    }

    void bind(const AttrValue& value, bool unbound)
    {
        const std::string_view kind = m_spec.kind;
        const bool isList = kind.starts_with("list(");
        const KindName* wanted = kindNamed(isList ? kind.substr(5, kind.size() - 6) : kind);
        if (wanted == nullptr || (value.kind() == AttrKind::Placeholder && unbound))
            return;
        // Old files have an empty list as a value without content.
        if (isList && value.kind() == AttrKind::None) {
            bindLength(0);
            return;
        }
        const std::uint32_t foreign =
            value.kind() == AttrKind::List ? foreignListField(value, wanted->listField) : 0;
        if (foreign != 0 || value.kind() != (isList ? AttrKind::List : wanted->kind)) {
            add(WrongAttrKind, its() + " holds " + heldKind(value, foreign) + " where " +
                                   std::string(kind) + " is expected");
            return;
        }
        if (isList)
            bindList(value, wanted->kind);
        else
            bindScalar(value);
    }

private:
    void bindScalar(const AttrValue& value)
    {
        switch (value.kind()) {
        case AttrKind::String: bindString(value.asString().value_or("")); break;
        case AttrKind::Int: bindInt(value.asInt().value_or(0)); break;
        case AttrKind::Type: bindType(value.asType().value_or(DType::Invalid)); break;
        case AttrKind::Shape: bindShape(value.asShape().value_or(Shape())); break;
        default: break;
        }
    }

    void bindList(const AttrValue& value, AttrKind element)
    {
        switch (element) {
        case AttrKind::String: bindEach(value.strings(), &AttrBinder::bindString); break;
        case AttrKind::Int: bindInts(value.ints()); break;
        case AttrKind::Float: bindLength(value.floats().size()); break;
        case AttrKind::Bool: bindLength(value.bools().size()); break;
        case AttrKind::Type: bindEach(value.types(), &AttrBinder::bindType); break;
        case AttrKind::Shape: bindEach(value.shapes(), &AttrBinder::bindShape); break;
        case AttrKind::Tensor: bindLength(value.tensorProtos().size()); break;
        case AttrKind::Func: bindLength(value.functionNames().size()); break;
        default: break;
        }
    }

    template <class Element, class Argument>
    void bindEach(const std::vector<Element>& elements, bool (AttrBinder::*bindOne)(Argument))
    {
        if (!bindLength(elements.size()))
            return;
        for (const Element& element : elements)
            if (!(this->*bindOne)(element))
                return;
    }

    bool bindLength(std::size_t length)
    {
        return atLeast("has a length of ", std::int64_t(length));
    }

    bool atLeast(std::string_view what, std::int64_t given)
    {
        if (!m_spec.hasMinimum || given >= m_spec.minimum)
            return true;
        return add(AttrTooSmall, its() + ' ' + std::string(what) + std::to_string(given) +
                                     ", but must be at least " + std::to_string(m_spec.minimum));
    }

    bool bindInt(std::int64_t value)
    {
        if (!atLeast("is ", value))
            return false;
        using Narrow = std::numeric_limits<std::int32_t>;
        const bool isCounting = isCount(m_op, m_spec);
        if ((value <= Narrow::max() && value >= Narrow::min()) ||
            (!isCounting && !isNarrow(m_spec.name)))
            return true;
        return add(AttrTooLarge, its() + " is " + std::to_string(value) + ", out of range for " +
                                     (isCounting ? "a count of tensors" : "32 bits"));
    }

    // The windows of pools, convolutions and patches are stored in 32 bits.
    void bindInts(const std::vector<std::int64_t>& values)
    {
        constexpr std::array<std::string_view, 4> names{"ksize", "ksizes", "rates", "strides"};
        if (!bindLength(values.size()) || std::ranges::find(names, m_spec.name) == names.end())
            return;
        for (const std::int64_t value : values)
            if (value != std::int64_t(std::int32_t(value))) {
                add(AttrTooLarge,
                    its() + " holds " + std::to_string(value) + ", out of range for 32 bits");
                return;
            }
    }

    bool bindString(std::string_view value)
    {
        if (m_spec.allowedText.empty() ||
            isListed(m_spec.allowedText, '"' + std::string(value) + '"'))
            return true;
        return notAllowed(quoted(value));
    }

    bool bindType(DType type)
    {
        if (type <= DType::Invalid || std::size_t(type) >= dtypeCount) {
            const std::string what =
                type == DType::Invalid
                    ? " is not set to a dtype"
                    : " is the dtype " + dtypeName(type) +
                          (isReference(type) ? ", but must not be a reference"
                                             : ", which TensorFlow 1.15.5 does not know");
            add(BadDtype, its() + what);
            m_faults.back().dtype = type;
            return false;
        }
        if (m_spec.allowedText.empty() || isListed(m_spec.allowedText, registryName(type)))
            return true;
        return notAllowed(dtypeName(type));
    }

    bool bindShape(const Shape& shape)
    {
        const std::string fault = partialShapeFault(shape);
        return fault.empty() || add(BadShape, its() + ": " + fault);
    }

    bool notAllowed(const std::string& value)
    {
        return add(AttrNotAllowed,
                   its() + " is " + value + "; allowed are " + std::string(m_spec.allowedText));
    }

    std::string its() const { return "its attribute " + std::string(m_spec.name); }

    bool add(BindFaultKind kind, std::string text)
    {
        m_faults.push_back({.kind = kind, .attr = &m_spec, .text = std::move(text)});
        return false;
    }

    const OpSpec& m_op;
    const AttrSpec& m_spec;
    std::vector<BindFault>& m_faults;
};

Error errorOf(const Node& node, const BindFault& fault)
{
    return {ErrorCode::InvalidArgument, std::string(node.name()) + ": " + fault.text};
}

Status firstFault(const Node& node, const std::vector<BindFault>& faults)
{
    return faults.empty() ? Status(Done{}) : errorOf(node, faults.front());
}

// Returns whether a value is allowed by later versions of TensorFlow and supported by kernels here.
bool isLaterValue(const Node& node, const BindFault& fault)
{
    struct LaterValue {
        std::string_view op, attr, value;
    };
    constexpr std::array values{LaterValue{"FusedBatchNormV3", "data_format", "NDHWC"}};
    return fault.kind == AttrNotAllowed && std::ranges::any_of(values, [&](const LaterValue& one) {
               return node.op() == one.op && fault.attr->name == one.attr &&
                      node.attr(one.attr).asString() == one.value;
           });
}

BindFault internalOp(const Node& node)
{
    return {.kind = InternalOp,
            .text = "its op " + quoted(node.op()) +
                    " is internal to this program; a file must not contain it"};
}

} // namespace

bool isInternalOp(std::string_view op)
{
    return op.starts_with(internalOpPrefix);
}

void bindAttrs(const Node& node, const OpSpec& op, bool unbound, std::vector<BindFault>& faults)
{
    for (const AttrSpec& spec : op.attrs) {
        AttrBinder binder(op, spec, faults);
        if (node.hasAttr(spec.name))
            binder.bind(node.attr(spec.name), unbound);
        else if (!spec.hasDefault)
            binder.missing();
    }
}

bool fitsDtype(DType given, DType wanted)
{
    if (given == DType::Invalid || wanted == DType::Invalid)
        return true;
    return given == wanted || (isReference(given) && withoutReference(given) == wanted);
}

namespace {

void bindInputs(const Node& node, const OpSpec& op, std::span<const DType> given,
                std::span<const DType> wanted, std::vector<BindFault>& faults)
{
    const auto count = inputLength(node, op);
    if (!count || std::size_t(*count) != given.size()) {
        faults.push_back({.kind = InputCount,
                          .text = "has " + std::to_string(given.size()) + " inputs, but " +
                                  signatureText(op) + " takes " +
                                  (count ? std::to_string(*count)
                                         : "a number that its attributes do not tell")});
        return;
    }
    for (std::size_t i = 0; i < given.size() && i < wanted.size(); ++i)
        if (!fitsDtype(given[i], wanted[i]))
            faults.push_back({.kind = InputDtype,
                              .input = std::int64_t(i),
                              .dtype = given[i],
                              .text = "its input " + std::to_string(i) + " is " +
                                      dtypeName(given[i]) + ", not " + dtypeName(wanted[i])});
}

} // namespace

void bindInputs(const Node& node, const OpSpec& op, std::span<const DType> given,
                std::vector<BindFault>& faults)
{
    bindInputs(node, op, given, inputDtypes(node, op), faults);
}

std::vector<DType> computedInputDtypes(const Node& node, const OpSpec& op)
{
    constexpr std::size_t segmentIds = 2;
    std::vector<DType> dtypes = inputDtypes(node, op);
    if (dtypes.size() > segmentIds && node.op().starts_with("SparseSegment") &&
        node.attr("Tsegmentids").asType() == DType::Int64)
        dtypes[segmentIds] = DType::Int64;
    return dtypes;
}

Status bindAttrs(const Node& node)
{
    if (isInternalOp(node.op()))
        return errorOf(node, internalOp(node));
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return Done{};
    std::vector<BindFault> faults;
    bindAttrs(node, *op, false, faults);
    std::erase_if(faults, [&](const BindFault& fault) { return isLaterValue(node, fault); });
    return firstFault(node, faults);
}

Status bindNode(const Node& node, std::span<const DType> given)
{
    RETURN_IF_ERROR(bindAttrs(node));
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return Done{};
    std::vector<BindFault> faults;
    bindInputs(node, *op, given, computedInputDtypes(node, *op), faults);
    return firstFault(node, faults);
}

} // namespace lapidary
