// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/prepare_run.h"

#include "graph_model/base/text.h"
#include "graph_model/graph/dialect.h"
#include "graph_model/interface/input_setting.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/lift/file_names.h"
#include "graph_model/lift/lift_graph.h"
#include "graph_model/ops/op_traits.h"
#include "runner/checkpoint/load_variables.h"
#include "runner/guard/out_of_memory.h"
#include "runner/guard/run_guard.h"
#include "runner/int8/back_end.h"
#include "runner/setup/model_interface.h"
#include "runner/setup/nodes_behind.h"
#include "runner/setup/required_batch.h"

#include <algorithm>
#include <set>
#include <span>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using Source = PreparedRun::Source;

// The requested back end must be able to run even if nothing needs it.
Result<std::string> backEndFor(const Graph& graph, const std::string& asked)
{
    const bool needsOne = std::ranges::any_of(graph.nodes(), [](const NodePtr& node) {
        return node->op() == "QuantizedConv2D" || node->op() == "QuantizedMatMul";
    });
    if (asked.empty() && !needsOne)
        return std::string();
    const auto backEnd = int8::chooseBackEnd(asked);
    if (!backEnd)
        return Error{backEnd.error().code, backEnd.error().message, ErrorReason::BackEnd, asked};
    return needsOne ? std::string((*backEnd)->name) : std::string();
}

fs::path modelFolder(const fs::path& path)
{
    std::error_code ignored;
    if (path == "-")
        return ".";
    if (fs::is_directory(path, ignored))
        return path;
    const fs::path parent = path.parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

// The sources of inputs, found by tensor.
class SourceList {
public:
    void add(Source source)
    {
        m_places.emplace(source.target.tensor, m_sources.size());
        m_sources.push_back(std::move(source));
    }

    // Returns null if nothing feeds the tensor yet.
    Source* find(const std::string& tensor)
    {
        const auto place = m_places.find(tensor);
        return place == m_places.end() ? nullptr : &m_sources[place->second];
    }

    std::vector<Source> take() && { return std::move(m_sources); }

private:
    std::vector<Source> m_sources;
    std::unordered_map<std::string, std::size_t> m_places;
};

using Names = std::unordered_set<std::string>;

bool hasDefault(const Graph& graph, const std::string& tensor)
{
    const NodeId node = graph.find(parseInput(tensor).node);
    return node.isValid() && graph.node(node).op() == "PlaceholderWithDefault";
}

bool isSetting(const Graph& graph, const FeedTarget& target)
{
    const Input tensor = parseInput(target.tensor);
    return inputSetting(graph, {graph.find(tensor.node), tensor.port}).has_value();
}

// Returns whether an op reads the text as a message, such as a tf.Example. Random words are not a
// message; an empty text is a message without fields.
bool isReadAsMessage(const Graph& graph, NodeId input)
{
    return std::ranges::any_of(graph.consumers(input), [&](const Consumer& reader) {
        const std::string_view op = graph.node(reader.node).op();
        return !reader.isControl() &&
               (op.starts_with("ParseExample") || op.starts_with("ParseSingleExample") ||
                op.starts_with("ParseSequenceExample") ||
                op.starts_with("ParseSingleSequenceExample"));
    });
}

// Returns the part of a source for all inputs that applies to one: numbers have a range, texts have
// none.
FeedSource sourceFor(const Graph& graph, NodeId input, const FeedTarget& target,
                     const FeedSource& all)
{
    const auto* random = std::get_if<RandomFeed>(&all);
    if (random == nullptr || target.dtype != DType::String)
        return all;
    if (std::holds_alternative<std::vector<RequiredFeature>>(target.form))
        return all;
    if (isPlain(target.form) && input.isValid() && isReadAsMessage(graph, input))
        return ConstantFeed{};
    RandomFeed words = *random;
    words.range.reset();
    return words;
}

// A setting is one number unless the graph says more.
Source likelySource(const Graph& graph, FeedTarget target, const FeedSource& other)
{
    const Input tensor = parseInput(target.tensor);
    const NodeId node = graph.find(tensor.node);
    const auto setting = inputSetting(graph, {node, tensor.port});
    if (!setting) {
        FeedSource source = sourceFor(graph, node, target, other);
        return {std::move(target), std::move(source)};
    }
    if (target.shape.unknownRank)
        target.shape = Shape{};
    return {std::move(target), ConstantFeed{setting->value}, setting->reason};
}

bool isWhole(const Shape& shape)
{
    return !shape.unknownRank && std::ranges::none_of(shape.dims, [](auto dim) { return dim < 0; });
}

// Drops inputs without a given size that no fetched tensor needs: none depends on them, or only
// through fed tensors.
void dropHidden(const Graph& graph, std::vector<std::string> wanted, const RunPlan& plan,
                const Names& named, std::vector<Source>& sources)
{
    wanted.insert(wanted.end(), plan.targets.begin(), plan.targets.end());
    if (wanted.empty())
        return;
    const std::vector<bool> isNeeded = nodesBehind(graph, wanted, {named.begin(), named.end()});
    std::erase_if(sources, [&](const Source& source) {
        const NodeId node = graph.find(parseInput(source.target.tensor).node);
        return !isWhole(source.target.shape) && node.isValid() && !isNeeded[node.value] &&
               !named.contains(source.target.tensor);
    });
}

Error noNode(const std::string& tensor)
{
    return {ErrorCode::NotFound,
            "the input " + tensor + ": no node is named " + std::string(parseInput(tensor).node)};
}

// Adds the likely inputs first, then those that only the plan names; a later source replaces an
// earlier one.
Result<std::vector<Source>> sourcesOf(const Graph& graph, const RunPlan& plan,
                                      ModelInterface likely)
{
    SourceList list;
    const FeedSource other = plan.otherInputs.value_or(ConstantFeed{});
    for (FeedTarget& target : likely.inputs)
        if (plan.otherInputs || isSetting(graph, target))
            list.add(likelySource(graph, std::move(target), other));
    Names named;
    for (const std::string& input : plan.inputs) {
        const std::string tensor = withPort(input);
        if (!graph.find(parseInput(tensor).node).isValid())
            return noNode(tensor);
        named.insert(tensor);
        if (plan.otherInputs && list.find(tensor) == nullptr)
            list.add(likelySource(graph, feedTarget(graph, tensor), *plan.otherInputs));
    }
    for (const RunPlan::Feed& feed : plan.feeds) {
        const std::string tensor = withPort(feed.tensor);
        if (!graph.find(parseInput(tensor).node).isValid())
            return noNode(tensor);
        named.insert(tensor);
        if (list.find(tensor) == nullptr)
            list.add({feedTarget(graph, tensor), {}});
        Source* const known = list.find(tensor);
        known->source = feed.source;
        known->setting = {};
        if (feed.dtype != DType::Invalid)
            known->target.dtype = feed.dtype;
    }
    for (const auto& [name, shape] : plan.shapes) {
        Source* const source = list.find(withPort(name));
        if (source == nullptr)
            return Error{ErrorCode::NotFound,
                         "a shape is given for " + withPort(name) + ", which is not fed"};
        source->target.shape = shape;
    }
    std::vector<Source> sources = std::move(list).take();
    std::erase_if(sources, [&](const Source& source) {
        return hasDefault(graph, source.target.tensor) && !named.contains(source.target.tensor);
    });
    const bool isAsked = !plan.fetches.empty() || !plan.targets.empty();
    dropHidden(graph, isAsked ? plan.fetches : likely.outputs, plan, named, sources);
    return sources;
}

// Returns whether the value gets its sizes from the input that it is made for.
bool takesSizes(const FeedSource& source)
{
    return std::holds_alternative<ConstantFeed>(source) ||
           std::holds_alternative<RandomFeed>(source);
}

// Gives inputs whose first size is open the one that the graph requires, if it is not 1. A value
// that has its own sizes decides by itself.
Status settleBatch(const Graph& graph, const RunRequest& request, std::vector<Source>& sources,
                   const Job& job)
{
    std::vector<std::pair<Endpoint, Shape>> inputs;
    std::set<std::string> fed;
    for (const Source& source : sources) {
        if (!takesSizes(source.source))
            return Done{};
        const Input tensor = parseInput(source.target.tensor);
        if (const NodeId node = graph.find(tensor.node); node.isValid())
            inputs.emplace_back(Endpoint{node, tensor.port}, source.target.shape);
        fed.insert(source.target.tensor);
    }
    std::vector<std::string> wanted = request.fetches;
    wanted.insert(wanted.end(), request.targets.begin(), request.targets.end());
    ASSIGN_OR_RETURN(const std::int64_t batch,
                     requiredBatch(graph, inputs, nodesBehind(graph, wanted, fed), job));
    for (Source& source : sources)
        if (Shape& shape = source.target.shape;
            batch > 1 && !shape.unknownRank && !shape.dims.empty() && shape.dims.front() < 0)
            shape.dims.front() = batch;
    return Done{};
}

std::vector<std::string> tensorsOf(const std::vector<FeedTarget>& inputs)
{
    std::vector<std::string> tensors;
    std::ranges::transform(inputs, std::back_inserter(tensors), &FeedTarget::tensor);
    return tensors;
}

// Returns the plan with the nodes that the file's names of tensors refer to.
RunPlan withNodeNames(const GraphEntry& entry, RunPlan plan)
{
    const FileNames names(entry);
    for (RunPlan::Feed& feed : plan.feeds)
        feed.tensor = names.tensor(feed.tensor);
    for (std::string& tensor : plan.inputs)
        tensor = names.tensor(tensor);
    for (auto& [tensor, shape] : plan.shapes)
        tensor = names.tensor(tensor);
    for (std::string& tensor : plan.fetches)
        tensor = names.tensor(tensor);
    return plan;
}

// Adds the other inputs without sizes to the subject of an input's error, so that the remedy can be
// worded for all of them at once.
template <class ValueOf>
Error withOthers(Error error, std::span<const Source> later, const ValueOf& valueOf)
{
    for (const Source& source : later)
        if (const auto made = valueOf(source);
            !made && made.error().reason == ErrorReason::MissingSize)
            error.subject += ' ' + made.error().subject;
    return error;
}

std::string nodeNames(const std::vector<std::string>& nodes)
{
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, nodes.size()); ++i)
        text += (i == 0 ? "" : ", ") + (nodes[i].empty() ? "without a name" : nodes[i]);
    if (nodes.size() > most)
        text += " and " + std::to_string(nodes.size() - most) + " more";
    return text;
}

// Returns the likely inputs without which the request has missing kernels, and with which it has
// none; empty if there are no such inputs. Those of a signature may lead to the outputs even if a
// pipeline in the graph does not depend on them.
std::vector<std::string> inputsBeforeMissing(const GraphEntry& entry, const Session& session,
                                             RunRequest request)
{
    const Graph& graph = *entry.graph;
    std::vector<std::string> wanted = request.fetches;
    wanted.insert(wanted.end(), request.targets.begin(), request.targets.end());
    std::set<std::string> fed;
    for (const auto& [tensor, value] : request.feeds)
        fed.insert(tensor);
    const std::vector<bool> isNeeded = nodesBehind(graph, wanted, fed);
    std::vector<NodeId> outputs;
    for (const std::string& tensor : wanted)
        outputs.push_back(graph.find(parseInput(tensor).node));
    std::vector<std::string> more;
    for (const ChosenTensor& input : inputsInPlace(graph, guessInterface(entry), outputs))
        if (isNeeded[input.node.value] && !fed.contains(input.tensor)) {
            more.push_back(input.tensor);
            request.feeds.emplace_back(input.tensor, Value());
        }
    return session.missingKernels(request).empty() ? more : std::vector<std::string>();
}

Error missingError(const GraphEntry& entry, const PreparedRun& prepared)
{
    const std::vector<std::string> more =
        inputsBeforeMissing(entry, prepared.session, prepared.request);
    const std::string way =
        more.empty() ? "" : ", and none is missing with " + listed(more) + " fed, too";
    return {ErrorCode::Unsupported, "cannot be run: " + missingText(prepared.missing) + way,
            ErrorReason::MissingKernel, prepared.missing.front().op};
}

} // namespace

std::string missingText(const std::vector<MissingKernel>& missing)
{
    std::string text;
    std::string values;
    for (const MissingKernel& kernel : missing) {
        if (isConstWithoutValue(kernel.op)) {
            values = "no values of " + nodeNames(kernel.nodes) + ", which are not in the file";
            continue;
        }
        text += (text.empty() ? "no kernel for " : "; ") + std::string(opWords(kernel.op)) +
                (isFunctionArgument(kernel.op) ? ", which a caller must pass (" : " (") +
                nodeNames(kernel.nodes) + ")";
    }
    return text + (text.empty() || values.empty() ? "" : "; ") + values;
}

bool isConstWithoutValue(std::string_view op)
{
    return op.ends_with(".Const");
}

Result<PreparedRun> prepareRun(const GraphEntry& entry, const fs::path& path, const RunPlan& plan,
                               const Job& job)
{
    if (dialectOf(*entry.graph) != Dialect::TensorFlow) {
        const RunPlan named = withNodeNames(entry, plan);
        GraphEntry own = entry;
        ASSIGN_OR_RETURN(own.graph,
                         liftGraph(entry.graph, job, CodedOperators::AsRuntime, named.shapes));
        return prepareRun(own, path, named, job);
    }
    const std::int64_t heapBefore = heap::bytesInUse();
    ASSIGN_OR_RETURN(auto backEnd, backEndFor(*entry.graph, plan.session.backEnd));
    ASSIGN_OR_RETURN(auto likely, modelInterface(entry, plan.signature));
    std::string vain = plan.otherInputs
                           ? vainInputsText(likely.vainInputs, tensorsOf(likely.inputs))
                           : std::string();
    ASSIGN_OR_RETURN(auto sources, sourcesOf(*entry.graph, plan, likely));
    SessionOptions options = plan.session;
    options.folder = modelFolder(path).string();
    PreparedRun prepared{.graph = entry.graph,
                         .session = Session(entry.graph, std::move(options)),
                         .request = {},
                         .sources = std::move(sources),
                         .missing = {},
                         .backEnd = std::move(backEnd),
                         .vainInputs = std::move(vain)};
    RunRequest& request = prepared.request;
    std::ranges::transform(plan.fetches, std::back_inserter(request.fetches), withPort);
    request.targets = plan.targets;
    if (request.fetches.empty() && request.targets.empty())
        request.fetches = std::move(likely.outputs);
    RETURN_IF_ERROR(settleBatch(*entry.graph, request, prepared.sources, job));
    for (const Source& source : prepared.sources)
        request.feeds.emplace_back(source.target.tensor, Value());
    prepared.missing = prepared.session.missingKernels(request);
    if (!prepared.missing.empty() && plan.reportsMissing)
        return prepared;
    if (!prepared.missing.empty())
        return missingError(entry, prepared);
    const RunGuard guard(plan.session.memoryLimit, heapBefore, job);
    RETURN_IF_ERROR(withinMemory(
        "the variables", [&] { return loadVariables(prepared.session, entry, path, job); }));
    const auto valueOf = [&](const Source& from) {
        return withinMemory(from.target.tensor, [&] {
            return makeFeed(from.target, from.source, prepared.session.pool(), job);
        });
    };
    for (std::size_t i = 0; i < request.feeds.size(); ++i) {
        auto made = valueOf(prepared.sources[i]);
        if (!made && made.error().reason == ErrorReason::MissingSize)
            return withOthers(made.error(), std::span(prepared.sources).subspan(i + 1), valueOf);
        if (!made)
            return made.error();
        request.feeds[i].second = *std::move(made);
    }
    return prepared;
}

} // namespace lapidary
