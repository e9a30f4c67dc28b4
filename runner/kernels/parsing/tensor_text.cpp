// SPDX-License-Identifier: Apache-2.0
// SerializeTensor, ParseTensor: a tensor as an encoded TensorProto and back.
#include "graph_model/base/wire.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// TensorProto: dtype 1, tensor_shape 2, tensor_content 4, string_val 8.
Status runSerialize(KernelContext& context)
{
    const Value& x = context.input(0);
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(int(x.dtype())));
    writer.bytes(2, encodeShape({x.dims(), false}));
    if (x.dtype() == DType::String) {
        for (const std::string& text : x.strings())
            writer.bytes(8, text);
    } else if (dtypeSize(x.dtype()) == 0) {
        return context.error("a value of type " + dtypeName(x.dtype()) + " cannot be serialized");
    } else if (x.byteCount() > 0) {
        writer.bytes(4, x.bytes());
    }
    return context.setOutput(0, Value::ofStrings({}, {std::move(proto)}));
}

Status runParse(KernelContext& context)
{
    const Value& serialized = context.input(0);
    if (!serialized.isScalar())
        return context.error("serialized must be a scalar");
    const BufferPtr owner = makeBuffer(serialized.strings()[0]);
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
    if (tensor.value().dtype() != context.typeAttr("out_type"))
        return context.error("the serialized tensor is " + dtypeName(tensor.value().dtype()) +
                             ", not " + dtypeName(context.typeAttr("out_type")));
    auto value = Value::ofTensor(tensor.value(), node->owner(), context.session().pool);
    if (!value)
        return context.error(value.error().message);
    return context.setOutput(0, *std::move(value));
}

} // namespace

LAPIDARY_KERNEL(SerializeTensor, runSerialize);
LAPIDARY_KERNEL(ParseTensor, runParse);

} // namespace lapidary
