// SPDX-License-Identifier: Apache-2.0
#include "graph_model/check/op_table.h"

#include "graph_model/base/map_entry.h"
#include "graph_model/base/wire.h"
#include "graph_model/ops/later_ops.h"

#include <tuple>

namespace lapidary {

struct OpTable::Signature {
    OpSpec spec;
    std::vector<ArgSpec> inputs;
    std::vector<ArgSpec> outputs;
    std::vector<AttrSpec> attrs;
};

namespace {

// OpDef.ArgDef: name 1, type 3, type_attr 4, number_attr 5, type_list_attr 6, is_ref 16.
ArgSpec decodeArg(std::string_view proto)
{
    ArgSpec arg;
    WireReader reader(proto);
    while (reader.next()) {
        const std::uint32_t field = reader.field();
        const bool isText = reader.type() == WireType::Bytes;
        if (isText && field == 1)
            arg.name = reader.bytes();
        else if (isText && field == 4)
            arg.typeAttr = reader.bytes();
        else if (isText && field == 5)
            arg.numberAttr = reader.bytes();
        else if (isText && field == 6)
            arg.typeListAttr = reader.bytes();
        else if (reader.type() == WireType::Varint && field == 3)
            arg.dtype = DType(std::int32_t(reader.varint()));
        else if (reader.type() == WireType::Varint && field == 16)
            arg.isReference = reader.varint() != 0;
    }
    return arg;
}

// OpDef.AttrDef: name 1, type 2, default_value 3.
AttrSpec decodeAttr(std::string_view proto)
{
    AttrSpec attr;
    std::tie(attr.name, attr.kind) = readMapEntry(proto);
    WireReader reader(proto);
    while (!attr.hasDefault && reader.next())
        attr.hasDefault = reader.field() == 3 && reader.type() == WireType::Bytes;
    return attr;
}

std::vector<ArgSpec> argsOf(const std::vector<FunctionArgument>& arguments)
{
    std::vector<ArgSpec> args;
    for (const FunctionArgument& argument : arguments) {
        ArgSpec& arg = args.emplace_back();
        arg.name = argument.name;
        arg.dtype = argument.dtype;
        arg.typeAttr = argument.typeAttr;
    }
    return args;
}

} // namespace

// OpDef: name 1, input_arg 2, output_arg 3, attr 4.
OpTable::OpTable(const FunctionLibrary* library)
{
    if (library == nullptr)
        return;
    for (const FunctionPtr& function : library->functions) {
        auto signature = std::make_unique<Signature>();
        if (function->encoded.empty()) { // made here and not read
            signature->inputs = argsOf(function->arguments);
            signature->outputs = argsOf(function->results);
        }
        WireReader definition(function->encoded);
        while (definition.next()) {
            if (definition.field() != 1 || definition.type() != WireType::Bytes)
                continue;
            WireReader op(definition.bytes());
            while (op.next()) {
                if (op.type() != WireType::Bytes)
                    continue;
                if (op.field() == 2)
                    signature->inputs.push_back(decodeArg(op.bytes()));
                else if (op.field() == 3)
                    signature->outputs.push_back(decodeArg(op.bytes()));
                else if (op.field() == 4)
                    signature->attrs.push_back(decodeAttr(op.bytes()));
            }
        }
        signature->spec.name = function->name;
        signature->spec.inputs = signature->inputs;
        signature->spec.outputs = signature->outputs;
        signature->spec.attrs = signature->attrs;
        m_functionByName.try_emplace(function->name, int(m_functions.size()));
        m_functions.push_back(std::move(signature));
    }
}

OpTable::~OpTable() = default;

const OpSpec* OpTable::find(std::string_view op)
{
    const auto [at, isNew] = m_found.try_emplace(op, nullptr);
    if (isNew) {
        at->second = findReferenceOp(op);
        const int index = functionIndex(op);
        if (at->second == nullptr && index >= 0)
            at->second = &m_functions[std::size_t(index)]->spec;
    }
    return at->second;
}

int OpTable::functionIndex(std::string_view name) const
{
    const auto at = m_functionByName.find(name);
    return at == m_functionByName.end() ? -1 : at->second;
}

const OpSpec* OpTable::signatureOf(std::size_t function) const
{
    return &m_functions[function]->spec;
}

bool OpTable::isFunction(const OpSpec* spec) const
{
    const int index = spec == nullptr ? -1 : functionIndex(spec->name);
    return index >= 0 && &m_functions[std::size_t(index)]->spec == spec;
}

} // namespace lapidary
