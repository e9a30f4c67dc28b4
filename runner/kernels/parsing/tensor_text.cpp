// SPDX-License-Identifier: Apache-2.0
// SerializeTensor, ParseTensor: a tensor as an encoded TensorProto and back.
#include "runner/kernels/parsing/tensor_text.h"

#include "graph_model/base/wire.h"

namespace lapidary {

namespace {

// Returns all lengths, and then all texts.
std::string packedStrings(std::span<const std::string> strings)
{
    std::string packed;
    for (const std::string& text : strings)
        appendVarint(packed, text.size());
    for (const std::string& text : strings)
        packed += text;
    return packed;
}

} // namespace

// Fields of TensorProto: dtype 1, tensor_shape 2, tensor_content 4, string_val 8.
Result<std::string> serializedTensor(const KernelContext& context, const Value& x, StringsAs as)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(int(x.dtype())));
    writer.bytes(2, encodeShape({x.dims(), false}));
    if (x.dtype() == DType::String && as == StringsAs::Content) {
        if (x.elements() > 0)
            writer.bytes(4, packedStrings(x.strings()));
    } else if (x.dtype() == DType::String) {
        for (const std::string& text : x.strings())
            writer.bytes(8, text);
    } else if (dtypeSize(x.dtype()) == 0) {
        return context.error("a value of type " + dtypeName(x.dtype()) + " cannot be serialized");
    } else if (x.byteCount() > 0) {
        writer.bytes(4, x.bytes());
    }
    return proto;
}

Result<Value> parsedTensor(const KernelContext& context, const std::string& text, DType dtype)
{
    const BufferPtr owner = makeBuffer(text);
    NodeDraft draft;
    draft.name = context.node().name();
    draft.op = "Const";
    draft.setAttr("value", attr::fromTensorProto(owner->bytes()));
    const NodePtr node = draft.finish();
    WireReader reader(owner->bytes());
    while (reader.next()) {
    }
    const auto tensor = node->tensor();
    if (reader.failed() || !tensor)
        return context.error("its input is not a serialized tensor");
    if (tensor.value().dtype() != dtype)
        return context.error("the serialized tensor is " + dtypeName(tensor.value().dtype()) +
                             ", not " + dtypeName(dtype));
    auto value = Value::ofTensor(tensor.value(), node->owner(), context.session().pool);
    if (!value)
        return context.error(value.error().message);
    return value;
}

namespace {

Status runSerialize(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto text, serializedTensor(context, context.input(0), StringsAs::Fields));
    return context.setOutput(0, Value::ofStrings({}, {std::move(text)}));
}

Status runParse(KernelContext& context)
{
    const Value& serialized = context.input(0);
    if (!serialized.isScalar())
        return context.error("serialized must be a scalar");
    ASSIGN_OR_RETURN(auto value,
                     parsedTensor(context, serialized.strings()[0], context.typeAttr("out_type")));
    return context.setOutput(0, std::move(value));
}

} // namespace

LAPIDARY_KERNEL(SerializeTensor, runSerialize);
LAPIDARY_KERNEL(ParseTensor, runParse);

} // namespace lapidary
