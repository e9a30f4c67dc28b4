// SPDX-License-Identifier: Apache-2.0
// Checks attributes against the op's definition, and their content: tensors, names of functions.
#include "graph_model/base/wire.h"
#include "graph_model/check/check_context.h"
#include "graph_model/ops/later_ops.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

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
        m_faults.clear();
        bindAttrs(node, op, m_context.place.isBody, m_faults);
        for (const BindFault& fault : m_faults)
            m_context.report(id, op, fault, fault.text);
        for (const AttrSpec& spec : op.attrs)
            if (node.hasAttr(spec.name) && !isFaulty(spec))
                checkContent(id, spec, node.attr(spec.name));
        checkUnknown(id, op);
        if (m_context.place.function != nullptr)
            checkBinding(id, *m_context.place.function);
        if (holdsValue(node.op()))
            checkConstDtype(id);
    }

private:
    bool isFaulty(const AttrSpec& spec) const
    {
        return std::ranges::find(m_faults, &spec, &BindFault::attr) != m_faults.end();
    }

    // Returns whether the attribute is the value that the reader of memory-mapped packages adds to
    // constants.
    static bool isMappedValue(const OpSpec& op, const Attr& attr)
    {
        return op.name == "ImmutableConst" && attr.name == "value";
    }

    void checkUnknown(NodeId id, const OpSpec& op)
    {
        for (const Attr& attr : m_context.graph.node(id).attrs())
            if (!attr.name.starts_with('_') && !isMappedValue(op, attr) &&
                std::ranges::find(op.attrs, attr.name, &AttrSpec::name) == op.attrs.end())
                m_context.report("unknown_attr",
                                 m_context.isNewer() ? Severity::Note : Severity::Warning, id,
                                 std::string(op.name) + " has no attribute " + quote(attr.name) +
                                     " in TensorFlow 1.15.5, which " +
                                     (m_context.place.isBody
                                          ? "refuses to run the function unless it removes the node"
                                          : "refuses to import it"));
    }

    // A call binds every attribute in the body, even unused ones.
    void checkBinding(NodeId id, const OpSpec& function)
    {
        for (const Attr& attr : m_context.graph.node(id).attrs()) {
            const auto bound = attr.value.asPlaceholder();
            if (attr.value.kind() == AttrKind::None)
                m_context.report("wrong_attr_type", Severity::Error, id,
                                 "Its attribute " + quote(attr.name) +
                                     " is empty, and TensorFlow runs no function with it");
            else if (bound && std::ranges::find(function.attrs, *bound, &AttrSpec::name) ==
                                  function.attrs.end())
                m_context.report("wrong_attr_type", Severity::Error, id,
                                 "Its attribute " + quote(attr.name) +
                                     " is bound to the attribute " + quote(*bound) +
                                     " of the function, which has none of that name");
        }
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

    void checkContent(NodeId id, const AttrSpec& spec, const AttrValue& value)
    {
        if (spec.kind == "tensor") {
            checkTensorProto(m_context, id, spec.name, value.asTensorProto().value_or(""));
        } else if (spec.kind == "list(tensor)") {
            for (const std::string_view proto : value.tensorProtos())
                checkTensorProto(m_context, id, spec.name, proto);
        } else if (spec.kind == "func") {
            checkFunction(id, spec, value.asFunctionName().value_or(""));
        } else if (spec.kind == "list(func)") {
            for (const std::string_view name : value.functionNames())
                checkFunction(id, spec, name);
        }
    }

    void checkFunction(NodeId id, const AttrSpec& spec, std::string_view name)
    {
        if (!name.empty() && m_context.ops.functionIndex(name) < 0 &&
            findReferenceOp(name) == nullptr)
            m_context.report("missing_function", m_context.againstRegistry(), id,
                             "Its attribute " + quote(spec.name) + " names the function " +
                                 quote(name) + ", which the graph's library does not have");
    }

    CheckContext& m_context;
    std::vector<BindFault> m_faults;
};

} // namespace

void checkAttrs(CheckContext& context)
{
    AttrChecker checker(context);
    context.eachKnownNode([&](NodeId node) { checker.checkNode(node); });
}

} // namespace lapidary
