// SPDX-License-Identifier: Apache-2.0
#include "transforms/freeze/freeze_model.h"

#include "graph_model/base/text.h"
#include "graph_model/graph/stored_variables.h"
#include "graph_model/interface/no_outputs.h"
#include "graph_model/interface/served_signature.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/freeze/classic_graph.h"
#include "transforms/freeze/filled_tables.h"
#include "transforms/freeze/text_tables.h"
#include "transforms/freeze/variable_values.h"
#include "transforms/pass/edit_chain.h"

#include <algorithm>

namespace lapidary {
namespace {

std::string nodeOf(std::string_view tensor)
{
    return std::string(parseInput(tensor).node);
}

// Returns the signature of that name; without a name, the one that other commands use, too.
Result<const Signature*> chosenSignature(const GraphEntry& entry, const std::string& wanted)
{
    const std::vector<const Signature*> usable = usableSignatures(entry);
    if (wanted.empty() && !usable.empty())
        return usable.front();
    const auto found = std::ranges::find(entry.signatures, wanted, &Signature::name);
    if (found != entry.signatures.end())
        return &*found;
    std::vector<std::string> names;
    for (const Signature* signature : usable)
        names.push_back(signature->name);
    if (names.empty())
        return noOutputs(*entry.graph, "the model has no signature" +
                                           (wanted.empty() ? "" : ", so not " + wanted) +
                                           " that names its outputs");
    return Error{ErrorCode::InvalidArgument,
                 "the model has no signature " + wanted + "; it has " + listed(names)};
}

// Returns the nodes of tensors such as "a:0" and "b" in the order given, each once.
Result<std::vector<NodeId>> nodesOf(const Graph& graph, const std::vector<std::string>& tensors)
{
    std::vector<NodeId> nodes;
    std::vector<bool> isListed(graph.size(), false);
    for (const std::string& tensor : tensors) {
        const NodeId id = graph.find(nodeOf(tensor));
        if (!id.isValid())
            return Error{ErrorCode::NotFound, "output " + tensor + " is not in the graph"};
        if (!isListed[id.value])
            nodes.push_back(id);
        isListed[id.value] = true;
    }
    return nodes;
}

// Returns the origin of a node of a changed graph.
NodeId originOf(const Lineage& lineage, NodeId id)
{
    const std::vector<NodeId>& origins = lineage.origins[id.value];
    return origins.empty() ? NodeId() : origins.front();
}

// Adds the parts of a tensor of a signature: a sparse tensor has three, "indices:0, values:0,
// shape:0".
void addParts(std::vector<std::string>& to, const std::string& tensors)
{
    for (std::size_t start = 0; start < tensors.size();) {
        const std::size_t end = std::min(tensors.find(", ", start), tensors.size());
        to.push_back(tensors.substr(start, end - start));
        start = end + 2;
    }
}

// The tensors that are kept, and the nodes that compute them.
struct Kept {
    std::vector<std::string> inputs; // of the signature
    std::vector<std::string> tensors;
    std::vector<NodeId> nodes;
};

Result<Kept> keptOf(const GraphEntry& entry, const FreezeRequest& request)
{
    Kept kept;
    kept.tensors = request.outputs;
    if (kept.tensors.empty() || !request.signature.empty()) {
        ASSIGN_OR_RETURN(const Signature* signature, chosenSignature(entry, request.signature));
        for (const SignatureTensor& input : signature->inputs)
            addParts(kept.inputs, input.tensor);
        for (const SignatureTensor& output : signature->outputs)
            if (request.outputs.empty())
                addParts(kept.tensors, output.tensor);
    }
    ASSIGN_OR_RETURN(kept.nodes, nodesOf(*entry.graph, kept.tensors));
    return kept;
}

std::vector<std::string> interfaceOf(const Kept& kept)
{
    std::vector<std::string> names = kept.tensors;
    names.insert(names.end(), kept.inputs.begin(), kept.inputs.end());
    return names;
}

std::vector<NodeId> successorsOf(const std::vector<NodeId>& nodes, const EditResult& edit)
{
    std::vector<NodeId> successors;
    for (const NodeId id : nodes)
        if (const NodeId now = edit.lineage.successor[id.value]; now.isValid())
            successors.push_back(now);
    return successors;
}

// An edit of the model's graph.
struct Filled {
    EditResult edit;
    std::size_t readers = 0; // number of nodes that now wait for their tables
};

// Fills the tables of an edit of the model's graph with constants: the graph's own, and those in
// text files of the model.
Result<Filled> withTables(EditResult edit, const GraphEntry& entry, const Kept& kept,
                          const FreezeRequest& request, const Job& job)
{
    std::vector<NodeId> outputs = successorsOf(kept.nodes, edit);
    EditChain chain(entry.graph);
    RETURN_IF_ERROR(chain.apply(std::move(edit)));
    ASSIGN_OR_RETURN(EditResult texts, withTextTables(chain.graph(), entry, request.model, job));
    outputs = successorsOf(outputs, texts);
    RETURN_IF_ERROR(chain.apply(std::move(texts)));
    ASSIGN_OR_RETURN(const std::size_t readers,
                     chain.apply(withFilledTables(chain.graph(), outputs)));
    return Filled{std::move(chain).finish(), readers};
}

// Returns the classic graph of the outputs. If functions are inlined, those of the model's init
// operation are, too, so that tables are filled as that would do it.
Result<EditResult> classicModel(const GraphEntry& entry, const Kept& kept,
                                const FreezeRequest& request, const Job& job)
{
    const std::vector<std::string> interface = interfaceOf(kept);
    ASSIGN_OR_RETURN(EditResult classic, classicPart(entry.graph, kept.nodes, interface, job));
    const NodeId init = entry.graph->find(nodeOf(entry.loading.initOp));
    if (classic.graph == entry.graph && request.fillsTables) {
        ASSIGN_OR_RETURN(Filled filled, withTables(std::move(classic), entry, kept, request, job));
        return std::move(filled.edit);
    }
    if (classic.graph == entry.graph || !init.isValid() || !hasTables(*classic.graph) ||
        !fillsTables(*entry.graph, init))
        return classic;
    std::vector<NodeId> roots = kept.nodes;
    roots.push_back(init);
    auto prepared = classicPart(entry.graph, roots, interface, job);
    if (!prepared && job.cancelled())
        return cancelledError();
    if (!prepared)
        return classic;
    ASSIGN_OR_RETURN(Filled filled, withTables(*std::move(prepared), entry, kept, request, job));
    return filled.readers > 0 ? std::move(filled.edit) : std::move(classic);
}

// Freezes the classic graph that was made from the model's graph. Its variables have their old
// names.
Result<FrozenGraph> freezeClassic(const EditResult& classic, const Kept& kept,
                                  VariableValues& values, const FreezeRequest& request,
                                  const GraphPtr& base, const Job& job)
{
    const auto valueOf = [&](NodeId id) -> Result<AttrBytes> {
        const Node& node = classic.graph->node(id);
        const NodeId origin = base->find(node.name());
        if (!origin.isValid())
            return Error{ErrorCode::Unsupported, std::string(node.name()) +
                                                     ": this variable belongs to a function, so no "
                                                     "checkpoint has it; pass it to the function"};
        return values.read(origin);
    };
    const std::vector<NodeId> outputs = successorsOf(kept.nodes, classic);
    auto frozen = freezeVariables(classic.graph, outputs, request.choice, valueOf, job);
    if (frozen || frozen.error().code != ErrorCode::Unsupported)
        return frozen;
    const std::string call = callThatStays(classic.graph, job);
    return call.empty() ? frozen
                        : Error{ErrorCode::Unsupported, frozen.error().message + " (" + call + ")"};
}

} // namespace

Result<FrozenModel> freezeModel(const GraphEntry& entry, const FreezeRequest& request,
                                const Job& job)
{
    ASSIGN_OR_RETURN(const Kept kept, keptOf(entry, request));
    FrozenModel model;
    model.inputs = kept.inputs;
    for (const NodeId id : kept.nodes)
        model.outputs.emplace_back(entry.graph->node(id).name());
    VariableValues values(entry, request, job);
    RETURN_IF_ERROR(values.open());
    ASSIGN_OR_RETURN(const EditResult classic, classicModel(entry, kept, request, job));
    if (classic.graph == entry.graph) {
        const auto valueOf = [&](NodeId id) { return values.read(id); };
        ASSIGN_OR_RETURN(model.frozen,
                         freezeVariables(entry.graph, kept.nodes, request.choice, valueOf, job));
        model.unchecked = values.takeUnchecked();
        return model;
    }
    ASSIGN_OR_RETURN(FrozenGraph frozen,
                     freezeClassic(classic, kept, values, request, entry.graph, job));
    model.unchecked = values.takeUnchecked();
    EditChain chain(entry.graph);
    RETURN_IF_ERROR(chain.apply(classic));
    RETURN_IF_ERROR(chain.apply(std::move(frozen.edit)));
    RETURN_IF_ERROR(chain.apply(withoutIdleWaits(chain.graph())));
    model.frozen.edit = std::move(chain).finish();
    for (const NodeId id : frozen.variables)
        model.frozen.variables.push_back(originOf(classic.lineage, id));
    for (const NodeId id : frozen.kept)
        model.frozen.kept.push_back(originOf(classic.lineage, id));
    return model;
}

Result<std::vector<VariableSource>> variableSources(const GraphEntry& entry,
                                                    const FreezeRequest& request, const Job& job)
{
    ASSIGN_OR_RETURN(const Kept kept, keptOf(entry, request));
    VariableValues values(entry, request, job);
    RETURN_IF_ERROR(values.open());
    const std::vector<bool> isNeeded = keptNodes(*entry.graph, {}, kept.nodes);
    std::vector<VariableSource> sources;
    for (std::uint32_t i = 0; i < entry.graph->size(); ++i)
        if (isNeeded[i] && isStoredVariable(entry.graph->node(NodeId{i}).op()))
            sources.push_back(values.sourceOf(NodeId{i}));
    return sources;
}

std::string frozenText(const FrozenModel& model, std::size_t of)
{
    const std::size_t count = model.frozen.variables.size();
    return "froze " + countedVariables(count) +
           (count < of ? " of " + std::to_string(of) + "; the outputs do not need the others" : "");
}

} // namespace lapidary
