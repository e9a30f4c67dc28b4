// SPDX-License-Identifier: Apache-2.0
// Checks that a called function of the library has the arguments and results that the calling node
// declares. TensorFlow imports a graph with wrong ones and fails when the node runs.
#include "graph_model/binding/node_signature.h"
#include "graph_model/check/check_context.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns the dtypes of a function's arguments or results, Invalid if the caller determines one;
// nothing if the caller also determines their number.
std::optional<std::vector<DType>> declaredDtypes(std::span<const ArgSpec> args)
{
    std::vector<DType> dtypes;
    for (const ArgSpec& arg : args) {
        if (!arg.numberAttr.empty() || !arg.typeListAttr.empty())
            return std::nullopt;
        dtypes.push_back(arg.typeAttr.empty() ? arg.dtype : DType::Invalid);
    }
    return dtypes;
}

class CallChecker {
public:
    explicit CallChecker(CheckContext& context)
        : m_context(context)
    {
    }

    void checkNode(NodeId id)
    {
        const Node& node = m_context.graph.node(id);
        const OpSpec& op = *m_context.specs[id.value];
        const CallKind kind = callKind(node.op());
        if (kind == CallKind::None || m_context.isFaulty[id.value])
            return;
        m_given = inputDtypes(node, op);
        if (kind == CallKind::Branch && !m_given.empty())
            m_given.erase(m_given.begin()); // the branch index
        m_made = outputDtypes(node, op);
        for (const AttrSpec& spec : op.attrs) {
            const AttrValue value = node.attr(spec.name);
            const bool isCondition = kind == CallKind::Loop && spec.name == "cond";
            if (const auto name = value.asFunctionName())
                checkCall(id, *name, isCondition);
            else if (spec.kind == "list(func)")
                for (const std::string_view called : value.functionNames())
                    checkCall(id, called, isCondition);
        }
    }

private:
    void checkCall(NodeId id, std::string_view name, bool isCondition)
    {
        const OpSpec* function = m_context.ops.find(name);
        if (!m_context.ops.isFunction(function))
            return;
        if (const auto takes = declaredDtypes(function->inputs))
            compare(id, "Its function " + quote(name) + " takes ", *takes, m_given);
        const auto gives = declaredDtypes(function->outputs);
        if (gives && !isCondition)
            compare(id, "Its function " + quote(name) + " returns ", *gives, m_made);
        else if (gives && gives->size() != 1)
            m_context.report("dtype_mismatch", Severity::Error, id,
                             "Its function " + quote(name) + " returns " +
                                 std::to_string(gives->size()) + " values, but a condition is one");
    }

    void compare(NodeId id, const std::string& begin, const std::vector<DType>& function,
                 const std::vector<DType>& node)
    {
        if (function.size() != node.size()) {
            m_context.report("dtype_mismatch", Severity::Error, id,
                             begin + std::to_string(function.size()) +
                                 " values, but the node has " + std::to_string(node.size()) +
                                 " there");
            return;
        }
        for (std::size_t i = 0; i < node.size(); ++i)
            if (!fitsDtype(node[i], function[i]))
                m_context.report("dtype_mismatch", Severity::Error, id,
                                 begin + dtypeName(function[i]) + " in place " + std::to_string(i) +
                                     ", but the node has " + dtypeName(node[i]) + " there");
    }

    CheckContext& m_context;
    std::vector<DType> m_given;
    std::vector<DType> m_made;
};

} // namespace

void checkCalls(CheckContext& context)
{
    CallChecker checker(context);
    context.eachKnownNode([&](NodeId node) { checker.checkNode(node); });
}

} // namespace lapidary
