// SPDX-License-Identifier: Apache-2.0
#include "transforms/attributes/default_attributes.h"

#include "graph_model/base/wire.h"
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_registry.h"
#include "transforms/attributes/default_text.h"

namespace lapidary {
namespace {

using Attrs = std::vector<std::pair<std::string, std::string>>;

// Returns the defaults in OpDef.attr (4) of a function's signature (1): name 1, default_value 3 (an
// AttrValue).
Attrs functionDefaults(const Function& function, const Node& node)
{
    Attrs missing;
    WireReader definition(function.encoded);
    while (definition.next()) {
        if (definition.field() != 1 || definition.type() != WireType::Bytes)
            continue;
        WireReader signature(definition.bytes());
        while (signature.next()) {
            if (signature.field() != 4 || signature.type() != WireType::Bytes)
                continue;
            std::string name;
            std::string value;
            bool hasDefault = false;
            for (WireReader attr(signature.bytes()); attr.next();) {
                if (attr.field() == 1)
                    name = attr.bytes();
                hasDefault = hasDefault || attr.field() == 3;
                if (attr.field() == 3)
                    value = attr.bytes();
            }
            if (hasDefault && !node.hasAttr(name))
                missing.emplace_back(name, value);
        }
    }
    return missing;
}

} // namespace

Result<Attrs> missingDefaults(const Graph& graph, const Node& node)
{
    if (graph.functions() != nullptr)
        if (const FunctionPtr function = graph.functions()->find(node.op()))
            return functionDefaults(*function, node);
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return Error{ErrorCode::NotFound, "no op " + std::string(node.op()) + " is registered"};
    Attrs missing;
    for (const AttrSpec& attr : op->attrs)
        if (attr.hasDefault && !node.hasAttr(attr.name))
            missing.emplace_back(attr.name, encodedDefault(attr.kind, attr.defaultText));
    return missing;
}

} // namespace lapidary
