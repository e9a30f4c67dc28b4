// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/function_signature.h"

#include "graph_model/base/wire.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

using TextPair = std::pair<std::string_view, std::string_view>;

template <class Use>
void eachBytes(std::string_view message, const Use& use)
{
    WireReader reader(message);
    while (reader.next())
        if (reader.type() == WireType::Bytes)
            use(reader.field(), reader.bytes());
}

ArgumentSpec readArgument(std::string_view message)
{
    ArgumentSpec argument;
    WireReader reader(message);
    while (reader.next()) {
        if (reader.field() == 3 && reader.type() == WireType::Varint)
            argument.dtype = DType(std::int32_t(reader.varint()));
        if (reader.type() != WireType::Bytes)
            continue;
        switch (reader.field()) {
        case 1: argument.name = reader.bytes(); break;
        case 4: argument.typeAttr = reader.bytes(); break;
        case 5: argument.numberAttr = reader.bytes(); break;
        case 6: argument.typeListAttr = reader.bytes(); break;
        default: break;
        }
    }
    return argument;
}

// Returns the fields `first` and `second` of a message: of a map entry, or of an attribute and its
// default.
TextPair readPair(std::string_view message, std::uint32_t first, std::uint32_t second)
{
    TextPair pair;
    eachBytes(message, [&](std::uint32_t field, std::string_view bytes) {
        if (field == first)
            pair.first = bytes;
        else if (field == second)
            pair.second = bytes;
    });
    return pair;
}

void readOpDef(std::string_view opDef, FunctionSignature& signature)
{
    eachBytes(opDef, [&](std::uint32_t field, std::string_view bytes) {
        switch (field) {
        case 1: signature.name = bytes; break;
        case 2: signature.arguments.push_back(readArgument(bytes)); break;
        case 3: signature.results.push_back(readArgument(bytes)); break;
        case 4: signature.attrs.push_back(readPair(bytes, 1, 3)); break;
        default: break;
        }
    });
}

} // namespace

FunctionSignature readSignature(std::string_view functionDef)
{
    FunctionSignature signature;
    eachBytes(functionDef, [&](std::uint32_t field, std::string_view bytes) {
        switch (field) {
        case 1: readOpDef(bytes, signature); break;
        case 3: signature.nodes.push_back(bytes); break;
        case 4: signature.returns.push_back(readPair(bytes, 1, 2)); break;
        case 6: signature.controlReturns.push_back(readPair(bytes, 1, 2).second); break;
        default: break;
        }
    });
    return signature;
}

FunctionSignature signatureOf(const Function& function)
{
    if (!function.encoded.empty() || function.body == nullptr)
        return readSignature(function.encoded);
    FunctionSignature signature;
    signature.name = function.name;
    for (const NodePtr& node : function.body->nodes()) {
        ArgumentSpec end{.name = node->name()};
        end.dtype = node->attr("T").asType().value_or(DType::Invalid);
        if (isFunctionArgument(node->op()))
            signature.arguments.push_back(end);
        if (!isFunctionResult(node->op()) || node->inputs().empty())
            continue;
        signature.results.push_back(end);
        signature.returns.emplace_back(node->name(), node->inputs()[0].text);
    }
    return signature;
}

std::vector<ArgumentSpec> resultsOf(const Function& function)
{
    if (function.encoded.empty() && function.body != nullptr)
        return signatureOf(function).results;
    FunctionSignature signature;
    eachBytes(function.encoded, [&](std::uint32_t field, std::string_view bytes) {
        if (field == 1)
            readOpDef(bytes, signature);
    });
    return std::move(signature.results);
}

std::int64_t tensorCount(const Node& caller, const ArgumentSpec& argument)
{
    if (!argument.numberAttr.empty())
        return std::max<std::int64_t>(caller.attr(argument.numberAttr).asInt().value_or(0), 0);
    if (!argument.typeListAttr.empty())
        return std::int64_t(caller.attr(argument.typeListAttr).types().size());
    return 1;
}

} // namespace lapidary
