// SPDX-License-Identifier: Apache-2.0
// An If of functions: each function becomes a separate model, and a run computes only one of them.
// A Case is an If whose other side is the rest of the Case.
#include "graph_model/ops/op_traits.h"
#include "runner/execute/bound_function.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/lower/lowering_state.h"
#include "transforms/functions/function_facts.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

using ModelPtr = std::shared_ptr<const PortableModel>;

// Returns a node of a function's body as a node of a graph; a body names inputs in another way
// ("a:output:0").
NodePtr asInGraph(const Graph& body, NodeId id)
{
    NodeDraft draft = NodeDraft::of(body.node(id));
    draft.inputs.clear();
    for (const Endpoint& from : body.inputs(id))
        if (from.node.isValid() && !from.isControl())
            draft.inputs.push_back(outputText(body, from));
    return draft.finish();
}

// Returns the body of a function with placeholders for its arguments.
OutlinedLoop bodyOf(const BoundFunction& function,
                    const std::shared_ptr<const FunctionLibrary>& functions,
                    const std::vector<PortableTensor>& arguments)
{
    OutlinedLoop body;
    Graph::Parts parts;
    parts.versions.producer = 134; // TensorFlow 1.15
    parts.versions.present = true;
    parts.functions = functions;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Node& node = function.graph->node(function.arguments[i].node);
        NodeDraft draft = newNode(std::string(node.name()), "Placeholder");
        draft.setAttr("dtype", attr::fromType(arguments[i].dtype));
        draft.setAttr("shape", attr::fromShape({arguments[i].dims, false}));
        parts.nodes.push_back(draft.finish());
        body.inputs.emplace_back(node.name());
    }
    for (std::uint32_t i = function.bodyBegin; i < function.bodyEnd; ++i)
        parts.nodes.push_back(asInGraph(*function.graph, NodeId{i}));
    for (const Endpoint& result : function.results)
        body.next.push_back(outputText(*function.graph, result));
    body.graph = Graph::make(std::move(parts));
    return body;
}

std::string differentResults(const PortableModel& a, const PortableModel& b)
{
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        const PortableTensor& one = a.at(a.outputs[i]);
        const PortableTensor& other = b.at(b.outputs[i]);
        if (one.dims != other.dims || one.dtype != other.dtype)
            return "its sides make " + shapeText({one.dims, false}) + " and " +
                   shapeText({other.dims, false}) + ", and the file would have to declare one size";
    }
    return "";
}

// Adds a tensor to a part, with the description of another one.
TensorIndex addLike(PortableModel& part, const PortableTensor& like)
{
    PortableTensor tensor;
    tensor.name = like.name;
    tensor.dtype = like.dtype;
    tensor.dims = like.dims;
    return part.add(std::move(tensor));
}

// Makes the operation that reads the index and the arguments, and runs the branch of that number or
// else the rest.
PortableOperation choice(PortableModel& model, TensorIndex index, std::int32_t number)
{
    PortableTensor wanted;
    wanted.name = model.at(index).name + "/" + std::to_string(number);
    wanted.dtype = DType::Int32;
    wanted.isConstant = true;
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    wanted.bytes = ConstantBytes(std::move(bytes));
    PortableTensor is;
    is.name = model.at(index).name + "/is_" + std::to_string(number);
    is.dtype = DType::Bool;
    const TensorIndex own = model.add(std::move(wanted));
    const TensorIndex isChosen = model.add(std::move(is));
    model.operations.push_back({.kind = PortableKind::Equal,
                                .inputs = {index, own},
                                .outputs = {isChosen},
                                .source = model.at(index).name});
    return {.kind = PortableKind::If, .inputs = {isChosen}};
}

// Returns the branch with one more input before the others, which it does not read.
ModelPtr behindNumber(const ModelPtr& branch, const PortableTensor& number)
{
    auto part = std::make_shared<PortableModel>(*branch);
    part->inputs.insert(part->inputs.begin(), addLike(*part, number));
    return part;
}

// Returns the computation if none of the first branches is taken; it reads the index too.
ModelPtr restOf(const std::vector<ModelPtr>& branches, std::size_t first,
                const std::vector<PortableTensor>& inputs)
{
    auto rest = std::make_shared<PortableModel>();
    for (const PortableTensor& input : inputs)
        rest->inputs.push_back(addLike(*rest, input));
    const bool isLast = first + 2 == branches.size();
    PortableOperation chosen = choice(*rest, rest->inputs.front(), std::int32_t(first));
    chosen.inputs.insert(chosen.inputs.end(), rest->inputs.begin() + (isLast ? 1 : 0),
                         rest->inputs.end());
    chosen.source = inputs.front().name;
    for (const TensorIndex output : branches[first]->outputs)
        chosen.outputs.push_back(addLike(*rest, branches[first]->at(output)));
    rest->outputs = chosen.outputs;
    chosen.parts = {isLast ? branches[first] : behindNumber(branches[first], inputs.front()),
                    isLast ? branches.back() : restOf(branches, first + 1, inputs)};
    rest->operations.push_back(std::move(chosen));
    return rest;
}

} // namespace

std::vector<ModelPtr> Lowering::lowerBranches(NodeId id, const std::vector<PortableTensor>& inputs,
                                              std::string& fault)
{
    const FunctionLibrary* library = graph().functions();
    std::vector<ModelPtr> branches;
    for (const FunctionReference& called : calledBy(graph().node(id), *library)) {
        const FunctionPtr function = library->find(called.name);
        if (function == nullptr) {
            fault = "the function " + std::string(called.name) + " is not in the file";
            return {};
        }
        const auto bound = bindFunction(*function, *library, called.attrs);
        if (!bound || bound->arguments.size() != inputs.size()) {
            fault = bound ? "its function takes another number of inputs" : bound.error().message;
            return {};
        }
        const OutlinedLoop body = bodyOf(*bound, graph().sharedFunctions(), inputs);
        ExportInterface interface = partInterface(body, body.next, inputs);
        interface.keepsBranches = true;
        auto part = lowerPart(prepareExport(body.graph, interface, *m_job), body, inputs, fault);
        if (part == nullptr)
            return {};
        branches.push_back(std::move(part));
        if (fault = differentResults(*branches.front(), *branches.back()); !fault.empty())
            return {};
    }
    return branches;
}

void Lowering::lowerBranch(NodeId id)
{
    const auto from = graph().inputs(id);
    std::vector<TensorIndex> read;
    std::vector<PortableTensor> inputs;
    for (const Endpoint& tensor : from) {
        read.push_back(tensorOf(tensor));
        inputs.push_back(model().at(read.back()));
        if (inputs.back().isOpen())
            return refuse(
                id, "the size of " + inputs.back().name + ", which it reads, is not known", false);
    }
    const bool isCase = !graph().node(id).attr("branches").functionNames().empty();
    if (inputs.empty() || !inputs.front().dims.empty() ||
        inputs.front().dtype != (isCase ? DType::Int32 : DType::Bool))
        return refuse(id, "its condition is not a single bool", false);
    std::string fault;
    const auto branches = lowerBranches(id, {inputs.begin() + 1, inputs.end()}, fault);
    if (!fault.empty())
        return refuse(id, fault, false);
    if (branches.size() == 1)
        return refuse(id, "it has only one branch", false);
    if (branches.empty()) {
        m_tainted.insert(id.value);
        return;
    }
    PortableOperation operation;
    operation.kind = PortableKind::If;
    if (isCase)
        operation = choice(model(), read.front(), 0);
    else
        operation.inputs = {read.front()};
    operation.source = std::string(graph().node(id).name());
    const bool readsNumber = isCase && branches.size() > 2;
    operation.inputs.insert(operation.inputs.end(), read.begin() + (readsNumber ? 0 : 1),
                            read.end());
    operation.parts = {readsNumber ? behindNumber(branches[0], inputs.front()) : branches[0],
                       readsNumber ? restOf(branches, 1, inputs) : branches[1]};
    for (std::size_t i = 0; i < branches[0]->outputs.size(); ++i) {
        const TensorIndex output = tensorOf({id, std::int32_t(i)});
        const PortableTensor& made = branches[0]->at(branches[0]->outputs[i]);
        model().at(output).dims = made.dims;
        model().at(output).dtype = made.dtype;
        operation.outputs.push_back(output);
    }
    model().operations.push_back(std::move(operation));
}

} // namespace lapidary
