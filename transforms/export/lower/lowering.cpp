// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/lower/lowering.h"

#include "graph_model/onnx/onnx_from_portable.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/shape_facts.h"
#include "transforms/export/lower/lowering_state.h"
#include "transforms/export/lower/op_reasons.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether the runtimes compute with the type.
bool isComputed(DType dtype, ExportTarget target)
{
    switch (dtype) {
    case DType::Double: return target == ExportTarget::Onnx;
    case DType::Float:
    case DType::Int32:
    case DType::Int64:
    case DType::Bool:
    case DType::UInt8:
    case DType::Int8: return true;
    default: return false;
    }
}

} // namespace

void Lowering::findRead()
{
    for (std::uint32_t i = 0; i < graph().size(); ++i)
        for (const Consumer& reader : graph().consumers(NodeId{i}))
            m_read.emplace_back(i, reader.port);
    for (const PreparedGraph::End& output : m_prepared.outputs)
        m_read.emplace_back(output.tensor.node.value, output.tensor.port);
    std::ranges::sort(m_read);
    m_read.erase(std::unique(m_read.begin(), m_read.end()), m_read.end());
}

std::size_t Lowering::outputCount(NodeId id) const
{
    std::size_t ports = m_prepared.shapes.outputCount(id);
    for (const Consumer& reader : graph().consumers(id))
        ports = std::max(ports, std::size_t(reader.port + 1));
    return ports;
}

bool Lowering::isRead(const Endpoint& tensor) const
{
    return std::ranges::binary_search(m_read, Key{tensor.node.value, tensor.port});
}

void Lowering::alias(const Endpoint& tensor, TensorIndex index)
{
    m_tensors[{tensor.node.value, tensor.port}] = index;
}

TensorIndex Lowering::addConstant(NodeId id)
{
    const Node& node = graph().node(id);
    const auto tensor = node.tensor();
    PortableTensor added;
    added.name = freshName(std::string(node.name()));
    added.isConstant = true;
    if (tensor) {
        added.dtype = tensor->dtype();
        added.dims = tensor->shape().dims;
        if (!tensor->isSplat() && !tensor->content().empty()) {
            added.bytes = ConstantBytes(tensor->content(), node.holderOf(tensor->content()));
        } else if (auto values = tensor->values()) {
            added.bytes = ConstantBytes(*std::move(values));
        }
    }
    return model().add(std::move(added));
}

TensorIndex Lowering::tensorOf(const Endpoint& tensor)
{
    const Key key{tensor.node.value, tensor.port};
    if (const auto known = m_tensors.find(key); known != m_tensors.end())
        return known->second;
    TensorIndex index = noTensor;
    if (isConstant(graph().node(tensor.node).op())) {
        index = addConstant(tensor.node);
    } else {
        PortableTensor added;
        added.name = freshName(outputText(graph(), tensor));
        if (const TensorLabel* known = label(tensor)) {
            added.dtype = withoutReference(known->dtype);
            added.dims = known->shape.dims;
        }
        index = model().add(std::move(added));
    }
    m_tensors[key] = index;
    return index;
}

void Lowering::refuse(NodeId id, std::string reason, bool isTainted)
{
    const Node& node = graph().node(id);
    m_tainted.insert(id.value);
    m_result.refused.push_back(
        {std::string(node.name()), std::string(node.op()), std::move(reason), isTainted});
}

// Returns why the outputs of a node cannot be tensors of a file; empty if they can.
std::string Lowering::faultOfOutputs(NodeId id, bool takesAnySize) const
{
    for (std::size_t port = 0; port < outputCount(id); ++port) {
        const Endpoint tensor{id, std::int32_t(port)};
        if (!isRead(tensor))
            continue;
        const TensorLabel* known = label(tensor);
        if (known == nullptr || known->dtype == DType::Invalid)
            return "its output type is unknown";
        if (!isComputed(withoutReference(known->dtype), m_target))
            return "it makes " + dtypeName(known->dtype) +
                   ", which the runtimes do not compute with";
        if (known->shape.unknownRank || (!takesAnySize && !isFullyKnown(known->shape)))
            return "the size of its output (" + shapeText(known->shape) +
                   ") depends on more than the sizes of the inputs";
        if (isFullyKnown(known->shape) && !elementCount(known->shape))
            return "what it makes (" + shapeText(known->shape) + ") is larger than any memory";
    }
    return "";
}

// Returns why a rule that computes with sizes cannot be used; empty if it can.
std::string Lowering::faultOfInputs(NodeId id)
{
    for (const Endpoint& from : graph().inputs(id)) {
        const PortableTensor& read = model().at(tensorOf(from));
        if (read.isOpen())
            return "the size of " + read.name + ", which it reads (" +
                   shapeText({read.dims, false}) +
                   "), depends on more than the sizes of the inputs";
    }
    return "";
}

// Makes the outputs of a node that passes its input on the same tensors; returns whether it is such
// a node.
bool Lowering::passOn(NodeId id, bool readsTainted)
{
    const Node& node = graph().node(id);
    const auto inputs = graph().inputs(id);
    const bool lacksInput = inputs.empty() || std::ranges::any_of(inputs, [](const Endpoint& from) {
                                return !from.node.isValid();
                            });
    if (!isPassThrough(node.op()) || lacksInput)
        return false;
    if (readsTainted) {
        m_tainted.insert(id.value);
        return true;
    }
    const std::size_t outputs = passesEachInputOn(node.op()) ? inputs.size() : 1;
    for (std::size_t port = 0; port < outputs; ++port) {
        const Endpoint output{id, std::int32_t(port)};
        alias(output, tensorOf(inputs[port]));
    }
    ++m_result.dropped[std::string(node.op())];
    return true;
}

// Returns whether an operation from index `first` on would have to compute in double precision,
// which no runtime does for its kind.
bool Lowering::computesFloatOnly(std::size_t first)
{
    const auto isDouble = [&](TensorIndex index) {
        return index != noTensor && model().at(index).dtype == DType::Double;
    };
    return std::any_of(model().operations.begin() + std::ptrdiff_t(first), model().operations.end(),
                       [&](const PortableOperation& made) {
                           return !onnxComputesDouble(made.kind) &&
                                  (std::ranges::any_of(made.inputs, isDouble) ||
                                   std::ranges::any_of(made.outputs, isDouble));
                       });
}

void Lowering::lower(NodeId id)
{
    const Node& node = graph().node(id);
    const auto inputs = graph().inputs(id);
    const bool readsTainted = std::ranges::any_of(
        inputs, [&](const Endpoint& from) { return m_tainted.contains(from.node.value); });
    if (isConstant(node.op()))
        return;
    if (const auto loop = outlinedLoop(node, m_prepared.loops)) {
        if (readsTainted)
            m_tainted.insert(id.value);
        else
            lowerLoop(id, *loop);
        return;
    }
    if (callKind(node.op()) == CallKind::Branch && graph().functions() != nullptr) {
        if (readsTainted)
            m_tainted.insert(id.value);
        else
            lowerBranch(id);
        return;
    }
    if (const std::string reason = reasonAgainst(node); !reason.empty())
        return refuse(id, reason, false);
    if (passOn(id, readsTainted))
        return;
    const LowerRow* row = findLowerRow(node.op());
    if (row == nullptr)
        return refuse(id, "it is not among the ops that are exported", false);
    std::string fault = faultOfOutputs(id, row->takesAnySize);
    if (fault.empty() && !readsTainted && !row->takesAnySize)
        fault = faultOfInputs(id);
    if (!fault.empty()) {
        if (readsTainted)
            m_tainted.insert(id.value);
        else
            refuse(id, fault, false);
        return;
    }
    LowerNode lowered(*this, id);
    const std::size_t before = model().operations.size();
    Status done = row->rule(lowered);
    if (done && computesFloatOnly(before))
        done = Error{ErrorCode::Unsupported,
                     "it computes in double precision, and the runtimes have it for float only"};
    if (!done) {
        model().operations.resize(before);
        refuse(id, done.error().message, false);
    }
}

Status Lowering::addInputs()
{
    for (const PreparedGraph::End& input : m_prepared.inputs) {
        if (!input.tensor.node.isValid())
            continue;
        m_names.add(input.name);
        const TensorIndex index = tensorOf(input.tensor);
        model().at(index).name = input.isHalf ? freshName(input.name) : input.name;
        model().inputs.push_back(input.isHalf ? addHalfInput(index, input.name) : index);
        const DType dtype = model().at(index).dtype;
        if (!isComputed(dtype, m_target))
            refuse(input.tensor.node,
                   "it is of type " + dtypeName(dtype) + ", which the runtimes do not compute with",
                   false);
    }
    return Done{};
}

// Adds a half input or output of the file for a float of the model.
TensorIndex Lowering::addHalf(TensorIndex number, const std::string& name)
{
    PortableTensor half;
    half.name = name;
    half.dtype = DType::Half;
    half.dims = model().at(number).dims;
    return model().add(std::move(half));
}

void Lowering::addCast(TensorIndex from, TensorIndex to, const std::string& source)
{
    model().operations.push_back(
        {.kind = PortableKind::Cast, .inputs = {from}, .outputs = {to}, .source = source});
}

TensorIndex Lowering::addHalfInput(TensorIndex number, const std::string& name)
{
    const TensorIndex half = addHalf(number, name);
    addCast(half, number, name);
    return half;
}

// Returns the tensors that operations make, and the inputs.
std::unordered_set<TensorIndex> Lowering::madeTensors()
{
    std::unordered_set<TensorIndex> made(model().inputs.begin(), model().inputs.end());
    for (const PortableOperation& operation : model().operations)
        made.insert(operation.outputs.begin(), operation.outputs.end());
    return made;
}

// Adds the outputs. Each has its own name; an output that is also an input, a constant or another
// output is copied.
void Lowering::addOutputs()
{
    std::set<TensorIndex> taken(model().inputs.begin(), model().inputs.end());
    const std::unordered_set<TensorIndex> made = madeTensors();
    for (const PreparedGraph::End& output : m_prepared.outputs) {
        if (m_tainted.contains(output.tensor.node.value))
            continue;
        TensorIndex index = tensorOf(output.tensor);
        if (!model().isConstant(index) && !made.contains(index)) {
            refuse(output.tensor.node,
                   "its output is not in the file: an array, or the entry of a loop; choose "
                   "another output",
                   false);
            continue;
        }
        if (const DType dtype = model().at(index).dtype; !isComputed(dtype, m_target)) {
            refuse(output.tensor.node,
                   "it is of type " + dtypeName(dtype) + ", which the runtimes do not compute with",
                   false);
            continue;
        }
        if (output.isHalf) {
            const TensorIndex half = addHalf(index, output.name);
            addCast(index, half, output.name);
            index = half;
        } else if (taken.contains(index) || model().isConstant(index)) {
            PortableTensor copy;
            copy.name = output.name;
            copy.dtype = model().at(index).dtype;
            copy.dims = model().at(index).dims;
            const TensorIndex copied = model().add(std::move(copy));
            model().operations.push_back(
                {.inputs = {index}, .outputs = {copied}, .source = output.name});
            index = copied;
        }
        taken.insert(index);
        model().at(index).name = output.name;
        model().outputs.push_back(index);
    }
}

Result<LoweredModel> Lowering::run(const Job& job)
{
    m_job = &job;
    for (const PreparedGraph::End& output : m_prepared.outputs)
        m_names.add(output.name);
    RETURN_IF_ERROR(addInputs());
    std::unordered_set<std::uint32_t> inputs;
    for (const PreparedGraph::End& input : m_prepared.inputs)
        inputs.insert(input.tensor.node.value);
    for (const NodeId id : topologicalOrder(graph())) {
        if (job.cancelled())
            return cancelledError();
        if (!inputs.contains(id.value))
            lower(id);
    }
    addOutputs();
    m_result.notes.insert(m_result.notes.begin(), m_prepared.notes.begin(), m_prepared.notes.end());
    return std::move(m_result);
}

Result<LoweredModel> lowerGraph(const PreparedGraph& prepared, ExportTarget target, const Job& job)
{
    return Lowering(prepared, target).run(job);
}

Status needFloat(LowerNode& node)
{
    if (node.outputType() != DType::Float)
        return Error{ErrorCode::Unsupported, "it computes " + dtypeName(node.outputType()) +
                                                 ", and the formats have it for float only"};
    return Done{};
}

std::span<const LowerRow> allLowerRows()
{
    static const std::vector<LowerRow> rows = [] {
        std::vector<LowerRow> all;
        for (const auto table :
             {lowerLayerRows(), lowerElementRows(), lowerShapeRows(), lowerReductionRows(),
              lowerSelectionRows(), lowerRuntimeSizeRows(), lowerBlockCellRows(), lowerCropRows(),
              lowerPlaceRows(), lowerCodeRows(), lowerColorRows(), lowerSegmentRows(),
              lowerSoundRows()})
            all.insert(all.end(), table.begin(), table.end());
        std::ranges::sort(all, {}, &LowerRow::op);
        return all;
    }();
    return rows;
}

const LowerRow* findLowerRow(std::string_view op)
{
    const auto rows = allLowerRows();
    const auto found = std::ranges::lower_bound(rows, op, {}, &LowerRow::op);
    return found != rows.end() && found->op == op ? &*found : nullptr;
}

} // namespace lapidary
