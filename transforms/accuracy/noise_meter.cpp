// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/noise_meter.h"

#include "runner/setup/prepare_run.h"
#include "transforms/accuracy/noise_sketch.h"
#include "transforms/samples/samples.h"
#include "transforms/samples/smooth_picture.h"
#include "transforms/verify/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace lapidary {
namespace {

// Makes the values of probe `i`, in the order of the request.
Result<std::vector<std::pair<std::string, Value>>> probe(PreparedRun& prepared, std::size_t i,
                                                         const Job& job)
{
    std::vector<std::pair<std::string, Value>> feeds = prepared.request.feeds;
    for (std::size_t k = 0; k < feeds.size(); ++k) {
        const auto* random = std::get_if<RandomFeed>(&prepared.sources[k].source);
        if (random == nullptr)
            continue;
        RandomFeed source = *random;
        source.seed += i;
        ASSIGN_OR_RETURN(feeds[k].second, makeFeed(prepared.sources[k].target, source,
                                                   prepared.session.pool(), job));
        if (i % 2 == 1)
            smoothPicture(feeds[k].second);
    }
    return feeds;
}

// Returns the samples of the plan for the inputs of the run.
Result<Samples> samplesFor(const Graph& graph, const PreparedRun& prepared, const ProbePlan& plan)
{
    std::vector<std::string> inputs;
    for (const auto& [tensor, value] : prepared.request.feeds)
        inputs.push_back(tensor);
    return Samples::make(graph, inputs, {plan.samples, plan.range});
}

bool isFinite(const Value& value)
{
    return std::ranges::all_of(value.as<float>(), [](float x) { return std::isfinite(x); });
}

using NamedValues = std::vector<std::pair<std::string, Value>>;

void setFeeds(NamedValues& feeds, const NamedValues& values)
{
    for (auto& [tensor, value] : feeds)
        if (const auto found = std::ranges::find(values, tensor, &NamedValues::value_type::first);
            found != values.end())
            value = found->second;
}

class NoiseSums {
public:
    void add(const Value& right, const Value& other)
    {
        if (right.dims() != other.dims() || other.dtype() != DType::Float) {
            m_difference = std::numeric_limits<double>::infinity();
            return;
        }
        const auto a = right.as<float>();
        const auto b = other.as<float>();
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double difference = double(b[i]) - double(a[i]);
            m_signal += double(a[i]) * double(a[i]);
            m_difference += std::isfinite(difference) ? difference * difference
                                                      : std::numeric_limits<double>::infinity();
            m_sketch.add(difference);
        }
        if (right.rank() == 2)
            m_classes.add(right, other);
    }

    SketchedNoise result() const
    {
        SketchedNoise result;
        result.noise.ratio = m_difference == 0 ? 0 : m_difference / m_signal;
        if (!m_classes.isEmpty())
            result.noise.top1 = m_classes.result().top1;
        if (std::isfinite(result.noise.ratio))
            result.sketch = m_sketch.numbers(m_signal);
        return result;
    }

private:
    double m_signal = 0;
    double m_difference = 0;
    NoiseSketch m_sketch;
    AgreementSums m_classes;
};

} // namespace

double Noise::sqnrDb() const
{
    return ratio == 0 ? std::numeric_limits<double>::infinity() : -10 * std::log10(ratio);
}

std::vector<std::string> measuredTensors(const Graph& graph,
                                         const std::vector<std::string>& outputs)
{
    constexpr int farthest = 8;
    std::vector<std::string> tensors;
    for (const std::string& output : outputs) {
        std::string tensor = output;
        NodeId id = graph.find(parseInput(output).node);
        for (int i = 0; i < farthest && id.isValid() && parseInput(output).port == 0; ++i) {
            const Node& node = graph.node(id);
            const bool isSoftmax = node.op() == "Softmax";
            const bool hides = isSoftmax || node.op() == "ArgMax" || node.op() == "ArgMin";
            if ((!hides && node.op() != "Identity" && node.op() != "Reshape" &&
                 node.op() != "Squeeze") ||
                node.inputs().empty())
                break;
            const Input& from = node.inputs()[0];
            if (hides)
                tensor = from.text;
            id = isSoftmax || from.port != 0 ? NodeId() : graph.find(from.node);
        }
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

Result<NoiseMeter> NoiseMeter::make(const GraphEntry& right, const std::filesystem::path& path,
                                    const std::vector<std::string>& tensors, const ProbePlan& plan,
                                    const Job& job)
{
    NoiseMeter meter;
    meter.m_entry = right;
    meter.m_path = path;
    meter.m_plan = plan.run;
    meter.m_plan.session.drawsAlike = true;
    meter.m_plan.fetches = tensors;
    meter.m_plan.targets.clear();
    meter.m_plan.session.decodesWeights = true; // so that running the file again gives the same
    meter.m_plan.otherInputs = RandomFeed{plan.seed, plan.range};
    ASSIGN_OR_RETURN(auto prepared, prepareRun(right, path, meter.m_plan, job));
    meter.m_entry.graph = nullptr;
    std::optional<Samples> samples;
    if (!plan.samples.empty()) {
        ASSIGN_OR_RETURN(samples, samplesFor(*right.graph, prepared, plan));
    }
    const bool isRandom = std::ranges::any_of(prepared.sources, [](const auto& source) {
        return std::holds_alternative<RandomFeed>(source.source);
    });
    const std::size_t count = samples ? samples->size() : isRandom ? plan.count : 1;
    for (std::size_t i = 0; i < count; ++i) {
        ASSIGN_OR_RETURN(auto feeds, samples ? samples->feeds(i, job) : probe(prepared, i, job));
        prepared.request.feeds = feeds;
        ASSIGN_OR_RETURN(auto answer, prepared.session.run(prepared.request, job));
        for (std::size_t k = 0; k < answer.size(); ++k) {
            if (answer[k].dtype() != DType::Float)
                return Error{ErrorCode::Unsupported,
                             tensors[k] + " is not float, so its noise cannot be measured"};
            if (!isFinite(answer[k]))
                return Error{ErrorCode::InvalidArgument,
                             tensors[k] +
                                 " holds NaN or infinity on random inputs: give other inputs"};
        }
        meter.m_feeds.push_back(std::move(feeds));
        meter.m_right.push_back(std::move(answer));
    }
    // Other graphs are fed the same values, and nothing else.
    meter.m_plan.feeds.clear();
    meter.m_plan.shapes.clear();
    meter.m_plan.otherInputs.reset();
    for (const auto& [tensor, value] : meter.m_feeds.front())
        meter.m_plan.feeds.push_back({tensor, FedLater{}});
    return meter;
}

Result<PreparedRun> NoiseMeter::preparedFor(const GraphPtr& graph, RunPlan plan,
                                            const Job& job) const
{
    GraphEntry entry = m_entry;
    entry.graph = graph;
    // Inputs that no longer have a reader are not fed.
    std::erase_if(plan.feeds, [&](const RunPlan::Feed& feed) {
        return !graph->find(parseInput(feed.tensor).node).isValid();
    });
    return prepareRun(entry, m_path, plan, job);
}

Result<PreparedRun> NoiseMeter::prepared(const GraphPtr& graph, std::vector<std::string> tensors,
                                         const Job& job) const
{
    RunPlan plan = m_plan;
    plan.fetches = std::move(tensors);
    ASSIGN_OR_RETURN(auto prepared, preparedFor(graph, std::move(plan), job));
    setFeeds(prepared.request.feeds, m_feeds.front());
    return prepared;
}

Result<KnownTensors> NoiseMeter::know(const GraphPtr& graph,
                                      const std::vector<std::string>& tensors, const Job& job) const
{
    constexpr std::size_t mostBytes = std::size_t(512) << 20;
    RunPlan plan = m_plan;
    plan.fetches = tensors;
    ASSIGN_OR_RETURN(auto prepared, preparedFor(graph, std::move(plan), job));
    KnownTensors known{tensors, {}};
    for (const Feeds& feeds : m_feeds) {
        setFeeds(prepared.request.feeds, feeds);
        ASSIGN_OR_RETURN(auto values, prepared.session.run(prepared.request, job));
        std::size_t bytes = 0;
        Feeds& kept = known.values.emplace_back();
        for (std::size_t i = 0; i < values.size(); ++i) {
            bytes += values[i].byteCount();
            kept.emplace_back(tensors[i], std::move(values[i]));
        }
        if (bytes * m_feeds.size() > mostBytes)
            return KnownTensors();
    }
    return known;
}

Result<Noise> NoiseMeter::of(const GraphPtr& graph, const Job& job) const
{
    ASSIGN_OR_RETURN(SketchedNoise measured, measure(graph, m_plan, job, nullptr));
    return measured.noise;
}

Result<Noise> NoiseMeter::of(const GraphPtr& graph, std::vector<std::string> tensors,
                             const Job& job) const
{
    RunPlan plan = m_plan;
    plan.fetches = std::move(tensors);
    ASSIGN_OR_RETURN(SketchedNoise measured, measure(graph, std::move(plan), job, nullptr));
    return measured.noise;
}

Result<SketchedNoise> NoiseMeter::of(const GraphPtr& graph, const Job& job,
                                     const KnownTensors& known,
                                     std::span<const std::string> given) const
{
    RunPlan plan = m_plan;
    for (const std::string& tensor : given)
        if (std::ranges::find(plan.feeds, tensor, &RunPlan::Feed::tensor) == plan.feeds.end())
            plan.feeds.push_back({tensor, FedLater{}});
    return measure(graph, std::move(plan), job, given.empty() ? nullptr : &known);
}

Result<SketchedNoise> NoiseMeter::measure(const GraphPtr& graph, RunPlan plan, const Job& job,
                                          const KnownTensors* known) const
{
    ASSIGN_OR_RETURN(auto prepared, preparedFor(graph, std::move(plan), job));
    NoiseSums sums;
    for (std::size_t i = 0; i < m_feeds.size(); ++i) {
        if (known != nullptr)
            setFeeds(prepared.request.feeds, known->values[i]);
        setFeeds(prepared.request.feeds, m_feeds[i]);
        ASSIGN_OR_RETURN(const auto answer, prepared.session.run(prepared.request, job));
        for (std::size_t k = 0; k < answer.size(); ++k)
            sums.add(m_right[i][k], answer[k]);
    }
    return sums.result();
}

} // namespace lapidary
