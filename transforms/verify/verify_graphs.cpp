// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/verify_graphs.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/lift/lift_graph.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/tensor/narrow_float.h"
#include "runner/execute/missing_kernels.h"
#include "runner/setup/model_interface.h"
#include "runner/setup/prepare_run.h"
#include "transforms/diff/graph_diff.h"
#include "transforms/layers/layer.h"
#include "transforms/verify/end_names.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <variant>

namespace lapidary {
namespace {

using Source = PreparedRun::Source;

// The corresponding tensors of two graphs.
class Counterparts {
public:
    // `endNames`: what the first file calls its outputs. `nodes`: by node of `a`, its
    // counterpart in the graph of `second`.
    Counterparts(const Graph& a, const EndNames& endNames, const GraphEntry& second,
                 const std::vector<NodeId>& nodes)
        : m_a(a)
        , m_endNames(endNames)
        , m_b(*second.graph)
        , m_nodes(nodes)
    {
        for (const Signature& signature : second.signatures)
            for (const auto* ends : {&signature.inputs, &signature.outputs})
                for (const SignatureTensor& end : *ends)
                    if (!end.tensor.empty())
                        m_ofKey.emplace(end.key, end.tensor);
    }

    const Graph& second() const { return m_b; }

    // Returns the tensor of the second graph that corresponds to "name:port" of the first; empty if
    // there is none. Exported files have tensors with names such as "call:1".
    std::string of(const std::string& tensor) const
    {
        if (const auto known = m_ofKey.find(tensor); known != m_ofKey.end())
            return std::string(known->second);
        const Input parsed = parseInput(tensor);
        if (m_b.find(parsed.node).isValid())
            return tensor;
        const auto name = m_endNames.find(tensor);
        const auto named =
            m_ofKey.find(name == m_endNames.end() ? tensorAsFlag(tensor) : name->second);
        if (named != m_ofKey.end())
            return std::string(named->second);
        const NodeId id = m_a.find(parsed.node);
        if (!id.isValid() || !m_nodes[id.value].isValid())
            return "";
        return tensorName(m_b, {m_nodes[id.value], parsed.port});
    }

private:
    const Graph& m_a;
    const EndNames& m_endNames;
    const Graph& m_b;
    const std::vector<NodeId>& m_nodes;
    std::unordered_map<std::string_view, std::string_view> m_ofKey; // tensor by key of a signature
};

// Returns the feeds of a run by name.
std::unordered_map<std::string_view, Value*> feedsByName(RunRequest& request)
{
    std::unordered_map<std::string_view, Value*> feeds;
    for (auto& [tensor, value] : request.feeds)
        feeds.emplace(tensor, &value);
    return feeds;
}

// Makes the plan of the second graph. It gets the first one's values once both are prepared.
Result<RunPlan> planOfSecond(const RunPlan& plan, const PreparedRun& first, const Graph& a,
                             const Counterparts& counterparts)
{
    RunPlan second = plan;
    second.feeds.clear();
    second.inputs.clear();
    second.fetches.clear();
    second.shapes.clear();
    second.otherInputs.reset();
    for (const auto& feed : first.request.feeds) {
        const std::string name = counterparts.of(feed.first);
        if (!name.empty()) // else no node of b reads it any more
            second.feeds.push_back({name, FedLater{}});
    }
    for (const std::string& tensor : first.request.fetches) {
        if (!a.find(parseInput(tensor).node).isValid())
            return Error{ErrorCode::NotFound, "the first graph: the output " + tensor +
                                                  ": no node is named " +
                                                  std::string(parseInput(tensor).node)};
        if (counterparts.second().size() == 0)
            return Error{ErrorCode::NotFound, "the second graph has no nodes"};
        second.fetches.push_back(counterparts.of(tensor));
        if (second.fetches.back().empty())
            return Error{ErrorCode::NotFound,
                         "the second graph has no counterpart of the output " + tensor,
                         ErrorReason::NoCounterpart, tensor};
    }
    return second;
}

void giveValues(const PreparedRun& first, PreparedRun& second, const Counterparts& counterparts)
{
    const auto feeds = feedsByName(second.request);
    for (const auto& [tensor, value] : first.request.feeds) {
        const std::string name = counterparts.of(tensor);
        if (const auto feed = feeds.find(name); feed != feeds.end())
            *feed->second = value;
    }
}

template <class From, class To>
Result<Value> convertedTo(const Value& value, MemoryPool& pool)
{
    constexpr DType wanted = std::is_same_v<To, float> ? DType::Float : DType::Half;
    ASSIGN_OR_RETURN(Value made, Value::make(wanted, value.dims(), pool));
    std::ranges::transform(value.as<From>(), made.mutableAs<To>().begin(),
                           [](From x) { return To(float(x)); });
    return made;
}

// The types of a graph's half and float inputs. An exported graph may have floats where the other
// one has halves.
class InputTypes {
public:
    InputTypes(const Graph& graph, const RunRequest& request)
    {
        for (const auto& [tensor, value] : request.feeds)
            if (const DType dtype = feedTarget(graph, tensor).dtype;
                dtype == DType::Half || dtype == DType::Float)
                m_types.emplace(tensor, dtype);
    }

    // Converts values of the other graph to the types of this graph's inputs.
    Status fit(RunRequest& request, MemoryPool& pool) const
    {
        for (auto& [tensor, value] : request.feeds) {
            const auto known = m_types.find(tensor);
            if (known == m_types.end() || known->second == value.dtype())
                continue;
            if (value.dtype() == DType::Half) {
                ASSIGN_OR_RETURN(value, (convertedTo<Half, float>(value, pool)));
            } else if (value.dtype() == DType::Float) {
                ASSIGN_OR_RETURN(value, (convertedTo<float, Half>(value, pool)));
            }
        }
        return Done{};
    }

private:
    std::unordered_map<std::string, DType> m_types; // by input tensor
};

// Returns a map for nodes that draw random numbers and have a counterpart: from their names in
// `named`, one of the two graphs, to their names in the first graph.
std::map<std::string, std::string, std::less<>>
drawNames(const Graph& a, const std::vector<NodeId>& counterparts, const Graph& named)
{
    std::map<std::string, std::string, std::less<>> names;
    for (std::uint32_t i = 0; i < a.size(); ++i) {
        const OpSpec* op = counterparts[i].isValid() ? findOp(a.node(NodeId{i}).op()) : nullptr;
        if (op == nullptr ||
            std::ranges::find(op->attrs, "seed2", &AttrSpec::name) == op->attrs.end())
            continue;
        const NodeId id = &named == &a ? NodeId{i} : counterparts[i];
        names.emplace(named.node(id).name(), a.node(NodeId{i}).name());
    }
    return names;
}

// Returns the tensors that a plan feeds, as "name:port".
std::unordered_set<std::string> fedTensors(const RunPlan& plan)
{
    std::unordered_set<std::string> fed;
    for (const std::string& input : plan.inputs)
        fed.insert(withPort(input));
    for (const RunPlan::Feed& feed : plan.feeds)
        fed.insert(withPort(feed.tensor));
    return fed;
}

// Feeds both graphs the constant default of an input that only `a` has: passes that keep such an
// input make it a placeholder without a default.
Status feedDefaults(RunPlan& plan, const Graph& a, const Graph& b,
                    const std::vector<NodeId>& counterparts)
{
    MemoryPool pool(plan.session.memoryLimit);
    std::unordered_set<std::string> fed = fedTensors(plan);
    for (std::uint32_t i = 0; i < a.size(); ++i) {
        const NodeId id{i};
        const NodeId other = counterparts[i];
        if (a.node(id).op() != "PlaceholderWithDefault" || !other.isValid() ||
            b.node(other).op() != "Placeholder" || fed.contains(tensorName(a, {id, 0})))
            continue;
        const Endpoint from = dataInput(a, id, 0);
        if (!from.node.isValid() || a.node(from.node).op() != "Const")
            continue;
        const Node& constant = a.node(from.node);
        ASSIGN_OR_RETURN(const auto tensor, constant.tensor());
        ASSIGN_OR_RETURN(auto value, Value::ofTensor(tensor, constant.owner(), pool));
        plan.feeds.push_back({tensorName(a, {id, 0}), std::move(value)});
        fed.insert(plan.feeds.back().tensor);
    }
    return Done{};
}

// Returns whether an input is an image [?, height, width, 1 or 3], or a string, which the graph
// decodes.
bool takesPictures(const FeedTarget& target)
{
    const auto& dims = target.shape.dims;
    if (target.dtype == DType::String)
        return target.shape.unknownRank || dims.size() <= 1;
    const bool hasNumbers = target.dtype == DType::Float || target.dtype == DType::UInt8;
    return hasNumbers && (target.shape.unknownRank ||
                          (dims.size() == 4 && (dims[3] < 0 || dims[3] == 1 || dims[3] == 3)));
}

bool isRandom(const FeedSource& source)
{
    return std::holds_alternative<RandomFeed>(source);
}

// Returns the input into which the pictures are fed: the first one that takes pictures and has no
// other source than random numbers.
Result<std::string> pictureInput(const GraphEntry& entry, const RunPlan& plan)
{
    std::vector<FeedTarget> inputs;
    if (plan.otherInputs) {
        ASSIGN_OR_RETURN(auto likely, modelInterface(entry, plan.signature));
        inputs = std::move(likely.inputs);
    }
    for (const std::string& input : plan.inputs)
        inputs.push_back(feedTarget(*entry.graph, withPort(input)));
    std::set<std::string> taken;
    for (const RunPlan::Feed& feed : plan.feeds) {
        inputs.push_back(feedTarget(*entry.graph, withPort(feed.tensor)));
        if (!isRandom(feed.source))
            taken.insert(inputs.back().tensor);
    }
    const auto found = std::ranges::find_if(inputs, [&](const FeedTarget& input) {
        return takesPictures(input) && !taken.contains(input.tensor);
    });
    if (found == inputs.end())
        return Error{ErrorCode::InvalidArgument,
                     "no input takes pictures: float or uint8 of four sizes with 1 or 3 channels, "
                     "or string"};
    return found->tensor;
}

// The inputs' values, sample by sample.
class Samples {
public:
    // `picture` is the input for `pictures`.
    Samples(std::vector<Source> sources, const std::vector<PictureFeed>& pictures,
            std::string picture)
        : m_sources(std::move(sources))
        , m_pictures(pictures)
        , m_picture(std::move(picture))
    {
    }

    std::size_t count() const
    {
        constexpr std::size_t endless = std::numeric_limits<std::size_t>::max();
        if (!m_pictures.empty())
            return m_pictures.size();
        return std::ranges::any_of(m_sources, isRandom, &Source::source) ? endless : 1;
    }

    // Puts the values of sample `i` into the feeds of these names; inputs that are fed the same
    // every time keep their values.
    Status feed(std::size_t i, const std::vector<std::string>& names, RunRequest& request,
                MemoryPool& pool, const Job& job) const
    {
        const auto feeds = feedsByName(request);
        for (std::size_t k = 0; k < m_sources.size(); ++k) {
            const auto feed = feeds.find(names[k]);
            const auto source = sourceOf(k, i);
            if (feed == feeds.end() || !source)
                continue;
            ASSIGN_OR_RETURN(*feed->second, makeFeed(m_sources[k].target, *source, pool, job));
        }
        return Done{};
    }

private:
    std::optional<FeedSource> sourceOf(std::size_t input, std::size_t sample) const
    {
        if (!m_pictures.empty() && m_picture == m_sources[input].target.tensor)
            return FeedSource(m_pictures[sample]);
        if (!isRandom(m_sources[input].source))
            return {};
        auto random = std::get<RandomFeed>(m_sources[input].source);
        random.seed += sample;
        return FeedSource(random);
    }

    std::vector<Source> m_sources;
    const std::vector<PictureFeed>& m_pictures;
    std::string m_picture;
};

// Returns the sizes of `other` if they are all known and fit `open`, which leaves some unknown.
std::optional<Shape> sizesOf(const Shape& open, const Shape& other)
{
    const bool isOpen = open.unknownRank || std::ranges::find(open.dims, -1) != open.dims.end();
    if (!isOpen || other.unknownRank || std::ranges::find(other.dims, -1) != other.dims.end() ||
        (!open.unknownRank && open.dims.size() != other.dims.size()))
        return std::nullopt;
    for (std::size_t i = 0; i < open.dims.size(); ++i)
        if (open.dims[i] >= 0 && open.dims[i] != other.dims[i])
            return std::nullopt;
    return other;
}

// Takes sizes of inputs from the second graph if only that knows them, as a file that was exported
// with sizes does.
void takeSizes(RunPlan& plan, const GraphEntry& a, const Graph& b)
{
    std::unordered_set<std::string> known;
    for (const auto& [tensor, shape] : plan.shapes)
        known.insert(withPort(tensor));
    for (const RunPlan::Feed& feed : plan.feeds)
        known.insert(withPort(feed.tensor));
    std::vector<FeedTarget> inputs;
    if (const auto likely = modelInterface(a, plan.signature); likely && plan.otherInputs)
        inputs = likely->inputs;
    for (const std::string& input : plan.inputs)
        inputs.push_back(feedTarget(*a.graph, withPort(input)));
    for (const FeedTarget& input : inputs) {
        if (!b.find(parseInput(input.tensor).node).isValid() || !known.insert(input.tensor).second)
            continue;
        if (const auto sizes = sizesOf(input.shape, feedTarget(b, input.tensor).shape))
            plan.shapes.emplace_back(input.tensor, *sizes);
    }
}

// Feeds and fetches the inner tensors of the model at which a file begins and ends that was
// exported from a part of it. Its inputs and outputs have their names.
void takeEnds(RunPlan& plan, const GraphEntry& a, const GraphEntry& b)
{
    if (!plan.otherInputs || dialectOf(*b.graph) == Dialect::TensorFlow || b.signatures.size() != 1)
        return;
    const Signature& part = b.signatures.front();
    const std::unordered_set<std::string> fed = fedTensors(plan);
    for (const SignatureTensor& input : part.inputs) {
        const NodeId id = a.graph->find(parseInput(withPort(input.key)).node);
        if (!id.isValid() || isPlaceholder(a.graph->node(id).op()) ||
            fed.contains(withPort(input.key)))
            continue;
        plan.feeds.push_back({withPort(input.key), RandomFeed{}});
        plan.shapes.emplace_back(withPort(input.key), input.shape);
    }
    const auto likely = modelInterface(a, plan.signature);
    if (!plan.fetches.empty() || !likely)
        return;
    const auto isThere = [&](const std::string& output) {
        return b.graph->find(parseInput(output).node).isValid() ||
               std::ranges::find(part.outputs, tensorAsFlag(output), &SignatureTensor::key) !=
                   part.outputs.end();
    };
    if (std::ranges::all_of(likely->outputs, isThere))
        return;
    for (const SignatureTensor& output : part.outputs)
        if (a.graph->find(parseInput(withPort(output.key)).node).isValid())
            plan.fetches.push_back(withPort(output.key));
}

// The same op may be missing in both graphs, for the same nodes.
void addMissing(std::vector<MissingKernel>& all, const std::vector<MissingKernel>& more)
{
    MissingKernels both(all);
    for (const MissingKernel& kernel : more) {
        std::vector<std::string>& nodes = both.of(kernel.op).nodes;
        std::unordered_set<std::string> listed(nodes.begin(), nodes.end());
        for (const std::string& node : kernel.nodes)
            if (listed.insert(node).second)
                nodes.push_back(node);
    }
}

Result<Verification> verifyLifted(const VerifiedModel& a, const VerifiedModel& b,
                                  const EndNames& endNames, const VerifyPlan& plan, const Job& job)
{
    const Graph& graphA = *a.entry.graph;
    const Graph& graphB = *b.entry.graph;
    ASSIGN_OR_RETURN(const auto diff, diffGraphs(graphA, graphB, job));
    RunPlan runA = plan.run;
    runA.session.fuse = false;
    runA.session.drawsAlike = true;
    runA.session.drawNames = drawNames(graphA, diff.counterparts, graphA);
    runA.reportsMissing = true;
    std::string picture;
    if (!plan.pictures.empty()) {
        ASSIGN_OR_RETURN(picture, pictureInput(a.entry, plan.run));
        runA.feeds.push_back({picture, plan.pictures.front()});
    }
    RETURN_IF_ERROR(feedDefaults(runA, graphA, graphB, diff.counterparts));
    auto first = prepareRun(a.entry, a.path, runA, job);
    if (!first)
        return first.error().within("the first graph");
    const Counterparts counterparts(graphA, endNames, b.entry, diff.counterparts);
    ASSIGN_OR_RETURN(RunPlan runB, planOfSecond(runA, *first, graphA, counterparts));
    runB.session.drawNames = drawNames(graphA, diff.counterparts, graphB);
    auto second = prepareRun(b.entry, b.path, runB, job);
    if (!second)
        return second.error().within("the second graph");
    Verification unrun;
    unrun.missing = std::move(first->missing);
    addMissing(unrun.missing, second->missing);
    if (!unrun.missing.empty())
        return unrun;
    const InputTypes types(graphB, second->request);
    giveValues(*first, *second, counterparts);
    MemoryPool pool(runB.session.memoryLimit);
    RETURN_IF_ERROR(types.fit(second->request, pool));
    const Samples samples(first->sources, plan.pictures, picture);
    std::vector<std::string> namesA;
    std::vector<std::string> namesB;
    for (const Source& source : first->sources) {
        namesA.push_back(source.target.tensor);
        namesB.push_back(counterparts.of(namesA.back()));
    }
    VerifySide sideA{graphA, std::move(first->session), std::move(first->request)};
    VerifySide sideB{graphB, std::move(second->session), std::move(second->request)};
    VerifyOptions options = plan.options;
    options.samples.most = std::min(options.samples.most, samples.count());
    sideA.feed = [&](std::size_t i, RunRequest& request, MemoryPool& pool) {
        return samples.feed(i, namesA, request, pool, job);
    };
    sideB.feed = [&](std::size_t i, RunRequest& request, MemoryPool& pool) -> Status {
        RETURN_IF_ERROR(samples.feed(i, namesB, request, pool, job));
        return types.fit(request, pool);
    };
    return verifyRuns(std::move(sideA), std::move(sideB), diff.counterparts, options, job);
}

} // namespace

Result<Verification> verifyGraphs(const VerifiedModel& a, const VerifiedModel& b,
                                  const VerifyPlan& plan, const Job& job)
{
    VerifyPlan sized = plan;
    takeEnds(sized.run, a.entry, b.entry);
    takeSizes(sized.run, a.entry, *b.entry.graph);
    sized.options.layouts = layoutsOf(*a.entry.graph, *b.entry.graph);
    GraphEntry first = a.entry;
    GraphEntry second = b.entry;
    constexpr auto asRuntime = CodedOperators::AsRuntime;
    ASSIGN_OR_RETURN(first.graph, liftGraph(first.graph, job, asRuntime, sized.run.shapes));
    ASSIGN_OR_RETURN(second.graph, liftGraph(second.graph, job, asRuntime, sized.run.shapes));
    return verifyLifted({first, a.path}, {second, b.path}, endNamesInFile(a.entry), sized, job);
}

} // namespace lapidary
