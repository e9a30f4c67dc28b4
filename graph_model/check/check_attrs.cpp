// Attributes against the op's definition: present, of its kind, with allowed values.
#include "graph_model/base/wire.h"
#include "graph_model/check/check_context.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lapidary {
namespace {

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

// "string", "list(int)", "nothing": what a value holds.
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

// The first field of a list's elements that is not `wanted`, or 0.
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

// Reads "DT_FLOAT|DT_HALF" as bits by dtype number.
std::uint32_t dtypeMask(std::string_view allowed)
{
    std::uint32_t mask = 0;
    while (!allowed.empty()) {
        const std::size_t bar = std::min(allowed.find('|'), allowed.size());
        if (const auto dtype = parseDtype(allowed.substr(0, bar)))
            mask |= std::uint32_t(1) << (std::uint32_t(*dtype) & 31U);
        allowed.remove_prefix(std::min(bar + 1, allowed.size()));
    }
    return mask;
}

bool isAllowedString(std::string_view allowed, std::string_view value)
{
    const std::string wanted = "\"" + std::string(value) + "\"";
    while (!allowed.empty()) {
        const std::size_t bar = std::min(allowed.find('|'), allowed.size());
        if (allowed.substr(0, bar) == wanted)
            return true;
        allowed.remove_prefix(std::min(bar + 1, allowed.size()));
    }
    return false;
}

std::string dtypeFault(DType type)
{
    if (type == DType::Invalid)
        return " is not set to a dtype";
    return " is the dtype " + dtypeName(type) +
           (isReference(type) ? ", but must not be a reference"
                              : ", which TensorFlow 1.15.5 does not know");
}

// One attribute of one node beside its definition.
struct Checked {
    NodeId node;
    const AttrSpec& spec;
    AttrValue value;
};

class AttrChecker {
public:
    explicit AttrChecker(CheckContext& context)
        : m_context(context)
    {
    }

    void checkNode(NodeId id)
    {
        const Node& node = m_context.graph.node(id);
        const OpSpec& op = *m_context.specs[id.value];
        for (const AttrSpec& spec : op.attrs) {
            const auto found =
                std::find_if(node.attrs().rbegin(), node.attrs().rend(),
                             [&](const Attr& attr) { return attr.name == spec.name; });
            if (found != node.attrs().rend())
                checkValue({id, spec, found->value});
            else if (!spec.hasDefault)
                reportMissing(id, op, spec);
        }
        if (!m_context.ops.isFunction(&op))
            checkUnknown(id, op);
        if (node.op() == "Const" || node.op() == "HostConst")
            checkConstDtype(id);
    }

private:
    void reportMissing(NodeId id, const OpSpec& op, const AttrSpec& spec)
    {
        const bool isValue = op.name == "Const" && spec.name == "value";
        m_context.report(isValue ? "no_value" : "missing_attr", m_context.againstRegistry(), id,
                         std::string(op.name) + " needs the attribute " + std::string(spec.name) +
                             " (" + std::string(spec.kind) + "), which is missing");
    }

    void checkUnknown(NodeId id, const OpSpec& op)
    {
        for (const Attr& attr : m_context.graph.node(id).attrs())
            if (!attr.name.starts_with('_') &&
                std::ranges::find(op.attrs, attr.name, &AttrSpec::name) == op.attrs.end())
                m_context.report("unknown_attr",
                                 m_context.isNewer() ? Severity::Note : Severity::Warning, id,
                                 std::string(op.name) + " has no attribute " + quoted(attr.name) +
                                     " in TensorFlow 1.15.5, which refuses to import it");
    }

    void checkConstDtype(NodeId id)
    {
        const Node& node = m_context.graph.node(id);
        const auto declared = node.attr("dtype").asType();
        const auto proto = node.attr("value").asTensorProto();
        if (!declared || !proto)
            return;
        WireReader reader(*proto);
        DType held = DType::Invalid;
        while (reader.next())
            if (reader.field() == 1 && reader.type() == WireType::Varint)
                held = DType(std::int32_t(reader.varint()));
        if (held != *declared && held != DType::Invalid && *declared != DType::Invalid)
            m_context.report("dtype_mismatch", Severity::Error, id,
                             "Its attribute dtype says " + dtypeName(*declared) +
                                 ", but its value is " + dtypeName(held));
    }

    void checkValue(const Checked& attr)
    {
        const std::string_view kind = attr.spec.kind;
        const bool isList = kind.starts_with("list(");
        const KindName* wanted = kindNamed(isList ? kind.substr(5, kind.size() - 6) : kind);
        const AttrKind held = attr.value.kind();
        if (wanted == nullptr || (held == AttrKind::Placeholder && m_context.place.isBody))
            return;
        // Old files write an empty list as a value with nothing set.
        if (isList && held == AttrKind::None)
            return checkMinimum(attr, 0, "Its length");
        const std::uint32_t foreign =
            held == AttrKind::List ? foreignListField(attr.value, wanted->listField) : 0;
        if (foreign != 0 || held != (isList ? AttrKind::List : wanted->kind)) {
            m_context.report("wrong_attr_type", Severity::Error, attr.node,
                             "Its attribute " + quoted(attr.spec.name) + " holds " +
                                 heldKind(attr.value, foreign) + " where " + std::string(kind) +
                                 " is expected");
            return;
        }
        checkContent(attr, wanted->kind, isList);
    }

    void checkContent(const Checked& attr, AttrKind kind, bool isList)
    {
        switch (kind) {
        case AttrKind::String: return checkStrings(attr, isList);
        case AttrKind::Int: return checkInts(attr, isList);
        case AttrKind::Type: return checkTypes(attr, isList);
        case AttrKind::Shape: return checkShapes(attr, isList);
        case AttrKind::Tensor: return checkTensors(attr, isList);
        case AttrKind::Func: return checkFunctions(attr, isList);
        default: break;
        }
        if (isList && attr.spec.hasMinimum)
            checkMinimum(attr,
                         std::int64_t(kind == AttrKind::Float ? attr.value.floats().size()
                                                              : attr.value.bools().size()),
                         "Its length");
    }

    void checkMinimum(const Checked& attr, std::int64_t given, std::string_view what)
    {
        if (attr.spec.hasMinimum && given < attr.spec.minimum)
            m_context.report("wrong_attr_value", m_context.againstRegistry(), attr.node,
                             "Its attribute " + quoted(attr.spec.name) + ": " + std::string(what) +
                                 " is " + std::to_string(given) + ", but must be at least " +
                                 std::to_string(attr.spec.minimum));
    }

    void reportNotAllowed(const Checked& attr, const std::string& value)
    {
        m_context.report("wrong_attr_value", m_context.againstRegistry(), attr.node,
                         "Its attribute " + quoted(attr.spec.name) + " is " + value +
                             "; allowed are " + std::string(attr.spec.allowedText));
    }

    void checkStrings(const Checked& attr, bool isList)
    {
        if (isList && attr.spec.hasMinimum)
            checkMinimum(attr, std::int64_t(attr.value.strings().size()), "Its length");
        if (attr.spec.allowedText.empty())
            return;
        if (!isList) {
            const std::string_view value = attr.value.asString().value_or("");
            if (!isAllowedString(attr.spec.allowedText, value))
                reportNotAllowed(attr, quoted(value));
            return;
        }
        for (const std::string_view value : attr.value.strings())
            if (!isAllowedString(attr.spec.allowedText, value))
                return reportNotAllowed(attr, quoted(value));
    }

    void checkInts(const Checked& attr, bool isList)
    {
        if (isList) {
            if (attr.spec.hasMinimum)
                checkMinimum(attr, std::int64_t(attr.value.ints().size()), "Its length");
            return;
        }
        const std::int64_t value = attr.value.asInt().value_or(0);
        checkMinimum(attr, value, "It");
        const OpSpec& op = *m_context.specs[attr.node.value];
        const auto counts = [&](const ArgSpec& arg) { return arg.numberAttr == attr.spec.name; };
        if (value > std::numeric_limits<std::int32_t>::max() &&
            (std::ranges::any_of(op.inputs, counts) || std::ranges::any_of(op.outputs, counts)))
            m_context.report("wrong_attr_value", Severity::Error, attr.node,
                             "Its attribute " + quoted(attr.spec.name) + " is " +
                                 std::to_string(value) + ", out of range for a count of tensors");
    }

    void checkTypes(const Checked& attr, bool isList)
    {
        if (!isList)
            return checkType(attr, attr.value.asType().value_or(DType::Invalid));
        const std::vector<DType> types = attr.value.types();
        checkMinimum(attr, std::int64_t(types.size()), "Its length");
        for (const DType type : types)
            checkType(attr, type);
    }

    void checkType(const Checked& attr, DType type)
    {
        if (type <= DType::Invalid || type > DType::UInt64) {
            const bool known = isReference(type) || std::int32_t(type) <= 0 || !m_context.isNewer();
            m_context.report("bad_dtype", known ? Severity::Error : Severity::Warning, attr.node,
                             "Its attribute " + quoted(attr.spec.name) + dtypeFault(type));
            return;
        }
        if (attr.spec.allowedText.empty())
            return;
        const auto [at, isNew] = m_masks.try_emplace(attr.spec.allowedText.data(), 0);
        if (isNew)
            at->second = dtypeMask(attr.spec.allowedText);
        if ((at->second >> std::uint32_t(type) & 1U) == 0)
            reportNotAllowed(attr, dtypeName(type));
    }

    void checkShapes(const Checked& attr, bool isList)
    {
        std::vector<Shape> shapes;
        if (isList)
            shapes = attr.value.shapes();
        else
            shapes.push_back(attr.value.asShape().value_or(Shape()));
        if (isList)
            checkMinimum(attr, std::int64_t(shapes.size()), "Its length");
        for (const Shape& shape : shapes)
            if (const std::string fault = partialShapeFault(shape); !fault.empty())
                m_context.report("bad_shape", Severity::Error, attr.node,
                                 "Its attribute " + quoted(attr.spec.name) + ": " + fault);
    }

    void checkTensors(const Checked& attr, bool isList)
    {
        if (!isList)
            return checkTensorProto(m_context, attr.node, attr.spec.name,
                                    attr.value.asTensorProto().value_or(""));
        for (const std::string_view proto : attr.value.tensorProtos())
            checkTensorProto(m_context, attr.node, attr.spec.name, proto);
    }

    void checkFunctions(const Checked& attr, bool isList)
    {
        std::vector<std::string_view> names;
        if (isList)
            names = attr.value.functionNames();
        else
            names.push_back(attr.value.asFunctionName().value_or(""));
        if (isList)
            checkMinimum(attr, std::int64_t(names.size()), "Its length");
        for (const std::string_view name : names)
            if (!name.empty() && m_context.ops.functionIndex(name) < 0 && findOp(name) == nullptr)
                m_context.report("missing_function", m_context.againstRegistry(), attr.node,
                                 "Its attribute " + quoted(attr.spec.name) +
                                     " names the function " + quoted(name) +
                                     ", which the graph's library does not have");
    }

    CheckContext& m_context;
    std::unordered_map<const char*, std::uint32_t> m_masks; // by the text's place
};

} // namespace

void checkAttrs(CheckContext& context)
{
    AttrChecker checker(context);
    for (std::uint32_t i = 0; i < context.graph.size(); ++i) {
        if ((i & 0xFF) == 0 && context.job.cancelled())
            return;
        if (context.specs[i] != nullptr && !context.graph.node(NodeId{i}).isSynthetic())
            checker.checkNode(NodeId{i});
    }
}

} // namespace lapidary
