// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/lower/lowering_state.h"

namespace lapidary {
namespace {

Error computed(std::string_view what)
{
    return {ErrorCode::Unsupported,
            "its " + std::string(what) + " is computed; neither format takes it so"};
}

} // namespace

LowerNode::LowerNode(Lowering& lowering, NodeId id)
    : LowerAttributes(lowering.graph().node(id))
    , m_lowering(lowering)
    , m_id(id)
{
}

std::size_t LowerNode::inputCount() const
{
    return m_lowering.graph().inputs(m_id).size();
}

bool LowerNode::computesCodes() const
{
    return m_lowering.computesCodes();
}

ExportTarget LowerNode::target() const
{
    return m_lowering.target();
}

TensorIndex LowerNode::input(std::size_t slot)
{
    return slot < inputCount() ? m_lowering.tensorOf(m_lowering.graph().inputs(m_id)[slot])
                               : noTensor;
}

std::vector<TensorIndex> LowerNode::inputs(std::size_t first, std::size_t count)
{
    std::vector<TensorIndex> found;
    for (std::size_t slot = first; slot < first + count; ++slot)
        found.push_back(input(slot));
    return found;
}

const PortableTensor& LowerNode::tensor(TensorIndex index) const
{
    return m_lowering.model().at(index);
}

bool LowerNode::isConstant(std::size_t slot)
{
    return m_lowering.model().isConstant(input(slot));
}

std::vector<std::int64_t> LowerNode::dims(std::size_t slot)
{
    const TensorIndex index = input(slot);
    return index == noTensor ? std::vector<std::int64_t>() : tensor(index).dims;
}

Result<std::vector<std::int64_t>> LowerNode::ints(std::size_t slot, std::string_view what)
{
    if (!isConstant(slot))
        return computed(what);
    const PortableTensor& values = tensor(input(slot));
    if (values.dtype == DType::Int64 || values.dtype == DType::Int32)
        return integersOf(values);
    return Error{ErrorCode::Unsupported, "its " + std::string(what) + " is not a whole number"};
}

Result<std::int64_t> LowerNode::oneInt(std::size_t slot, std::string_view what)
{
    ASSIGN_OR_RETURN(const auto values, ints(slot, what));
    if (values.size() != 1)
        return Error{ErrorCode::Unsupported,
                     "its " + std::string(what) + " is not a single number"};
    return values.front();
}

Result<std::vector<float>> LowerNode::floats(std::size_t slot, std::string_view what)
{
    if (!isConstant(slot))
        return computed(what);
    if (tensor(input(slot)).dtype != DType::Float)
        return Error{ErrorCode::Unsupported, "its " + std::string(what) + " is not float"};
    return floatsOf(tensor(input(slot)));
}

std::int64_t LowerAttributes::intAttr(std::string_view name, std::int64_t standard) const
{
    return m_node.attr(name).asInt().value_or(standard);
}

bool LowerAttributes::boolAttr(std::string_view name, bool standard) const
{
    return m_node.attr(name).asBool().value_or(standard);
}

float LowerAttributes::floatAttr(std::string_view name, float standard) const
{
    return m_node.attr(name).asFloat().value_or(standard);
}

std::string_view LowerAttributes::textAttr(std::string_view name, std::string_view standard) const
{
    return m_node.attr(name).asString().value_or(standard);
}

std::vector<std::int64_t> LowerAttributes::listAttr(std::string_view name) const
{
    return m_node.attr(name).ints();
}

TensorIndex LowerNode::output(std::size_t port)
{
    return m_lowering.tensorOf({m_id, std::int32_t(port)});
}

std::vector<std::int64_t> LowerNode::outputDims(std::size_t port)
{
    return tensor(output(port)).dims;
}

DType LowerNode::outputType(std::size_t port)
{
    return tensor(output(port)).dtype;
}

bool LowerNode::isRead(std::size_t port) const
{
    return m_lowering.isRead({m_id, std::int32_t(port)});
}

Status LowerNode::needReal()
{
    const DType dtype = outputType();
    if (dtype != DType::Float && (dtype != DType::Double || target() != ExportTarget::Onnx))
        return Error{ErrorCode::Unsupported, "it computes " + dtypeName(dtype) +
                                                 ", and the formats have it for float only"};
    return Done{};
}

std::size_t LowerNode::outputCount() const
{
    return m_lowering.outputCount(m_id);
}

TensorIndex LowerNode::between(std::string_view what, DType dtype, std::vector<std::int64_t> dims)
{
    PortableTensor added;
    added.name = m_lowering.freshName(std::string(node().name()) + "/" + std::string(what));
    added.dtype = dtype;
    added.dims = std::move(dims);
    return m_lowering.model().add(std::move(added));
}

TensorIndex LowerNode::constant(std::string_view what, std::vector<std::int64_t> dims,
                                const std::vector<float>& values)
{
    return constantOf(what, DType::Float, std::move(dims), bytesOf(values));
}

TensorIndex LowerNode::constantOf(std::string_view what, DType dtype,
                                  std::vector<std::int64_t> dims, std::string bytes)
{
    const TensorIndex index = between(what, dtype, std::move(dims));
    PortableTensor& added = m_lowering.model().at(index);
    added.isConstant = true;
    added.bytes = ConstantBytes(std::move(bytes));
    return index;
}

bool LowerNode::setScales(TensorIndex tensor, const PortableScales& scales)
{
    PortableScales& known = m_lowering.model().at(tensor).quantized;
    if (known.isSet())
        return known == scales;
    known = scales;
    return true;
}

void LowerNode::alias(std::size_t port, TensorIndex tensor)
{
    m_lowering.alias({m_id, std::int32_t(port)}, tensor);
}

PortableOperation& LowerNode::emit(PortableKind kind, std::vector<TensorIndex> inputs,
                                   std::vector<TensorIndex> outputs)
{
    return m_lowering.model().operations.emplace_back(
        PortableOperation{.kind = kind,
                          .inputs = std::move(inputs),
                          .outputs = std::move(outputs),
                          .source = std::string(node().name())});
}

PortableOperation& LowerNode::emit(PortableKind kind, std::vector<TensorIndex> inputs)
{
    return emit(kind, std::move(inputs), {output()});
}

void LowerNode::note(std::string text)
{
    m_lowering.result().notes.push_back(std::move(text));
}

} // namespace lapidary
