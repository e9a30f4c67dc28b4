// SPDX-License-Identifier: Apache-2.0
//   e[l][o] = noise at the outputs when only layer l has form o
//   for each lambda: the form of each layer with the least bytes[l][o] + lambda * e[l][o]
//
// Noises of layers nearly add, so that no search over combinations is needed. Sensitivity takes one
// run of all probes for each layer and form; a few plans are then built and measured for real, and
// only these are offered.
#include "transforms/accuracy/autopilot.h"

#include "graph_model/write/gzip_size.h"
#include "graph_model/write/write_model.h"
#include "transforms/accuracy/accuracy_base.h"
#include "transforms/accuracy/expected_loss.h"
#include "transforms/accuracy/plan_search.h"
#include "transforms/accuracy/sensitivity.h"
#include "transforms/match/glob.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>

namespace lapidary {
namespace {

// Holds for whatever range pictures are usually fed in.
constexpr const char* equalizing =
    "drop_dead_channels(input_min=-255, input_max=255) equalize_layers";
constexpr const char* finishing = "merge_duplicate_nodes strip_unused_nodes";
constexpr const char* shortening = "obfuscate_names";
constexpr double leastOfferedDb = 10; // below, predictions mean nothing

using Clock = std::chrono::steady_clock;

struct Candidate {
    std::size_t variant = 0;
    FormPlan plan;
};

// The graph before weights change, and what its layers cost.
struct Variant {
    bool isEqualized = false;
    GraphPtr graph;
    std::vector<std::string> names; // of layers
    std::vector<FormCosts> costs;
    std::int64_t bytes = 0; // with all layers in float
};

class Search {
public:
    Search(const GraphEntry& entry, const std::filesystem::path& path, AccuracyBase base,
           const AutopilotOptions& options, const Job& job)
        : m_entry(entry)
        , m_path(path)
        , m_base(std::move(base))
        , m_options(options)
        , m_job(job)
        , m_begin(Clock::now())
    {
    }

    Result<Autopilot> run()
    {
        m_tensors = measuredTensors(*m_entry.graph, m_base.fitted.outputs);
        for (std::size_t i = 0; i < m_tensors.size(); ++i)
            if (!m_base.graph->find(parseInput(m_tensors[i]).node).isValid())
                m_tensors[i] = m_base.fitted.outputs[i]; // folded away
        ASSIGN_OR_RETURN(auto meter,
                         NoiseMeter::make(m_entry, m_path, m_tensors, m_options.probes, m_job));
        m_meter = std::move(meter);
        const std::string encoded = encodeGraphDef(*m_entry.graph);
        m_found.bytes = std::int64_t(encoded.size());
        ASSIGN_OR_RETURN(const std::uint64_t compressed, gzipSize(encoded, m_job));
        m_found.gzipBytes = std::int64_t(compressed);
        m_found.inputs = m_base.fitted.inputs;
        m_found.outputs = m_base.fitted.outputs;
        if (m_options.top1) {
            ASSIGN_OR_RETURN(m_found.top1, m_options.top1(m_entry, m_job));
        }
        RETURN_IF_ERROR(addVariants());
        RETURN_IF_ERROR(verifyAll());
        choose();
        m_found.seconds = elapsed();
        return std::move(m_found);
    }

private:
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - m_begin).count(); }

    bool isOver() { return elapsed() > m_options.seconds || m_job.cancelled(); }

    Status addVariants()
    {
        RETURN_IF_ERROR(addVariant(m_base.graph, false));
        const auto equalized = afterSteps(m_base.graph, equalizing, m_base.fitted, m_job);
        if (!equalized)
            return equalized.error();
        if (*equalized == m_base.graph)
            return Done{};
        return addVariant(*equalized, true);
    }

    bool isKept(std::string_view name) const
    {
        return std::ranges::any_of(m_options.kept,
                                   [&](const std::string& glob) { return fitsGlob(name, glob); });
    }

    Status addVariant(const GraphPtr& graph, bool isEqualized)
    {
        Variant variant{isEqualized, graph, {}, {}, 0};
        ASSIGN_OR_RETURN(const GraphPtr shortened,
                         afterSteps(graph, shortening, m_base.fitted, m_job));
        const std::string encoded = encodeGraphDef(*shortened);
        variant.bytes = std::int64_t(encoded.size());
        if (isCompressed()) {
            ASSIGN_OR_RETURN(const std::uint64_t compressed, gzipSize(encoded, m_job));
            variant.bytes = std::int64_t(compressed);
        }
        std::vector<LayerForm> forms;
        std::ranges::copy_if(allLayerForms(), std::back_inserter(forms), [&](LayerForm form) {
            return isCompressed() || !isForCompression(form);
        });
        ASSIGN_OR_RETURN(const auto noises, layerNoises(graph, *m_meter, forms, m_job));
        m_found.evaluations += noises.size();
        for (const LayerNoise& noise : noises) {
            const std::string name(graph->node(noise.layer.product).name());
            if (isKept(name))
                continue;
            if (variant.names.empty() || variant.names.back() != name) {
                variant.names.push_back(name);
                variant.costs.push_back({{bytesOf(*graph, noise.layer, LayerForm::Float)}, {0}});
                m_forms[name] = {LayerForm::Float};
            }
            variant.costs.back().bytes.push_back(bytesOf(*graph, noise.layer, noise.form));
            variant.costs.back().noise.push_back(noise.noise.ratio);
            m_forms[name].push_back(noise.form);
        }
        if (variant.names.empty())
            return Error{ErrorCode::InvalidArgument, "every layer is kept in float: nothing is "
                                                     "left to make smaller"};
        m_variants.push_back(std::move(variant));
        return Done{};
    }

    bool isCompressed() const { return m_options.mostGzipBytes.has_value(); }

    // Those that are to be few.
    std::int64_t bytesOf(const Graph& graph, const Layer& layer, LayerForm form) const
    {
        return isCompressed() ? formGzipBytes(graph, layer, form) : formBytes(graph, layer, form);
    }
    std::int64_t sizeOf(const AutopilotPoint& point) const
    {
        return isCompressed() ? point.gzipBytes : point.bytes;
    }

    // The plans of a variant, with the bytes of whole files.
    std::vector<Candidate> plansOf(std::size_t number) const
    {
        const Variant& variant = m_variants[number];
        std::int64_t others = variant.bytes;
        for (const FormCosts& layer : variant.costs)
            others -= layer.bytes.front();
        std::vector<Candidate> plans;
        for (FormPlan& plan : searchPlans(variant.costs)) {
            plan.bytes += others;
            plans.push_back({number, std::move(plan)});
        }
        return plans;
    }

    // Plans of all variants, of which none is beaten in both bytes and predicted noise. Those from
    // the first one on that is good enough for anything are not worth their bytes.
    std::vector<Candidate> candidates() const
    {
        std::vector<Candidate> all;
        for (std::size_t v = 0; v < m_variants.size(); ++v)
            for (Candidate& one : plansOf(v))
                if (Noise{one.plan.noise, {}}.sqnrDb() >= leastOfferedDb)
                    all.push_back(std::move(one));
        std::ranges::stable_sort(all, {}, [](const Candidate& c) { return c.plan.bytes; });
        std::vector<Candidate> best;
        for (Candidate& one : all) {
            if (!best.empty() && (one.plan.noise >= best.back().plan.noise ||
                                  Noise{best.back().plan.noise, {}}.sqnrDb() >= enoughDb()))
                continue;
            best.push_back(std::move(one));
        }
        return best;
    }

    double enoughDb() const
    {
        constexpr double usual = 60;
        constexpr double margin = 6;
        return std::max(usual, m_options.leastDb.value_or(0) + margin);
    }

    Status verifyAll()
    {
        constexpr std::size_t most = 12;
        const std::vector<Candidate> all = candidates();
        std::vector<FormPlan> plans;
        for (const Candidate& one : all)
            plans.push_back(one.plan);
        std::vector<std::size_t> tried = evenlyByBytes(plans, most);
        for (const std::size_t i : tried)
            if (const auto done = tryPoint(all[i]); !done || !*done)
                return done ? Status(Done{}) : Status(done.error());
        return refine(all, tried);
    }

    // The smallest plan that holds lies between the largest that does not and the first that does.
    Status refine(const std::vector<Candidate>& all, std::vector<std::size_t>& tried)
    {
        constexpr int most = 6;
        for (int i = 0; i < most; ++i) {
            std::size_t low = 0;
            std::size_t high = all.size();
            for (std::size_t k = 0; k < tried.size(); ++k)
                if (holdsAccuracy(*m_tried[k]))
                    high = std::min(high, tried[k]);
            for (const std::size_t plan : tried)
                if (plan < high)
                    low = std::max(low, plan);
            if (high >= all.size() || high - low < 2)
                return Done{};
            tried.push_back((low + high) / 2);
            if (const auto done = tryPoint(all[tried.back()]); !done || !*done)
                return done ? Status(Done{}) : Status(done.error());
        }
        return Done{};
    }

    // False: the time is over.
    Result<bool> tryPoint(const Candidate& candidate)
    {
        if (isOver()) {
            m_found.isStopped = true;
            if (m_tried.empty() && m_job.cancelled())
                return cancelledError();
            if (!m_tried.empty())
                return false;
        }
        auto point = build(candidate);
        if (!point && point.error().code == ErrorCode::Cancelled && !m_tried.empty()) {
            m_found.isStopped = true;
            return false;
        }
        RETURN_IF_ERROR(point);
        if (m_options.onPoint)
            m_options.onPoint(*point);
        m_tried.push_back(std::make_unique<AutopilotPoint>(*std::move(point)));
        return true;
    }

    Recipe recipeOf(const Candidate& candidate, const NamedForms& layers) const
    {
        Recipe recipe = m_base.fitted.recipe;
        const auto append = [&](std::string_view steps) {
            if (auto more = parseRecipe(steps, RecipeSyntax::Strict))
                recipe.insert(recipe.end(), more->begin(), more->end());
        };
        if (m_variants[candidate.variant].isEqualized)
            append(equalizing);
        const Recipe steps = formSteps(layers);
        recipe.insert(recipe.end(), steps.begin(), steps.end());
        append(finishing);
        return recipe;
    }

    Result<AutopilotPoint> build(const Candidate& candidate)
    {
        const Variant& variant = m_variants[candidate.variant];
        AutopilotPoint point;
        point.isEqualized = variant.isEqualized;
        point.predictedDb = Noise{candidate.plan.noise, {}}.sqnrDb();
        for (std::size_t l = 0; l < variant.names.size(); ++l)
            point.layers.emplace_back(variant.names[l],
                                      m_forms.at(variant.names[l])[candidate.plan.forms[l]]);
        point.recipe = recipeOf(candidate, point.layers);
        const RecipeRun run =
            runRecipe(m_entry.graph, point.recipe, m_found.inputs, m_found.outputs, m_job);
        if (!run.ok())
            return Error{run.faultCode, run.fault};
        const GraphPtr named = run.result(m_entry.graph);
        ASSIGN_OR_RETURN(point.noise, m_meter->of(named, m_job));
        ++m_found.evaluations;
        ASSIGN_OR_RETURN(const GraphPtr shortened,
                         afterSteps(named, shortening, m_base.fitted, m_job));
        ASSIGN_OR_RETURN(const Recipe last, parseRecipe(shortening, RecipeSyntax::Strict));
        point.recipe.insert(point.recipe.end(), last.begin(), last.end());
        point.encoded = encodeGraphDef(*shortened);
        point.bytes = std::int64_t(point.encoded.size());
        RETURN_IF_ERROR(reopen(named, point));
        ASSIGN_OR_RETURN(const std::uint64_t compressed, gzipSize(point.encoded, m_job));
        point.gzipBytes = std::int64_t(compressed);
        setLoss(point);
        return point;
    }

    void setLoss(AutopilotPoint& point) const
    {
        if (m_found.top1 && point.top1) {
            point.loss = *m_found.top1 - *point.top1;
            return;
        }
        point.isEstimated = m_options.probes.samples.empty() || !point.noise.top1;
        point.loss = point.isEstimated ? expectedLoss(point.noise.sqnrDb()) : 1 - *point.noise.top1;
    }

    // What was encoded has to compute what was measured.
    Status reopen(const GraphPtr& named, AutopilotPoint& point) const
    {
        ASSIGN_OR_RETURN(const auto file, readModelBytes(point.encoded, "the result", m_job));
        if (file.isRefused() || file.graphs.empty())
            return Error{ErrorCode::Internal, "the result cannot be read again"};
        ProbePlan few = m_options.probes;
        few.count = 2;
        GraphEntry measured = m_entry;
        measured.graph = named;
        ASSIGN_OR_RETURN(const auto meter,
                         NoiseMeter::make(measured, m_path, m_found.outputs, few, m_job));
        ASSIGN_OR_RETURN(const Noise noise, meter.of(file.graphs.front().graph, m_job));
        constexpr double rounding = 1e-10;
        if (!(noise.ratio <= rounding))
            return Error{ErrorCode::Internal, "the result computes something else once written"};
        if (m_options.top1) {
            ASSIGN_OR_RETURN(point.top1, m_options.top1(file.graphs.front(), m_job));
        }
        return Done{};
    }

    bool holdsAccuracy(const AutopilotPoint& point) const
    {
        if (m_options.leastDb)
            return point.noise.sqnrDb() >= *m_options.leastDb;
        constexpr double rounding = 1e-9;
        return point.loss <= m_options.mostLoss + rounding;
    }

    bool holdsSize(const AutopilotPoint& point) const
    {
        return sizeOf(point) <= mostSize().value_or(std::numeric_limits<std::int64_t>::max());
    }

    std::optional<std::int64_t> mostSize() const
    {
        return isCompressed() ? m_options.mostGzipBytes : m_options.mostBytes;
    }

    void choose()
    {
        std::ranges::stable_sort(m_tried, {}, [&](const auto& point) { return sizeOf(*point); });
        for (auto& point : m_tried)
            m_found.points.push_back(std::move(*point));
        const std::vector<AutopilotPoint>& points = m_found.points;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (m_found.front.empty() ||
                points[i].noise.ratio < points[m_found.front.back()].noise.ratio)
                m_found.front.push_back(i);
        if (points.empty()) {
            m_found.why = "no form of the layers keeps what the model computes";
            return;
        }
        for (const std::size_t i : m_found.front) {
            if (!holdsAccuracy(points[i]) || !holdsSize(points[i]))
                continue;
            // The smallest; with a size, the best that keeps to it.
            if (!m_found.holdsBudget || mostSize())
                m_found.chosen = i;
            m_found.holdsBudget = true;
        }
        if (m_found.holdsBudget) {
            m_found.why = mostSize() ? "the most accurate file of that size"
                                     : "the smallest file that holds the accuracy";
            return;
        }
        chooseNearest();
    }

    // With a size: the most accurate that keeps to it, or else the smallest. Without: the most
    // accurate.
    void chooseNearest()
    {
        m_found.chosen = mostSize() ? m_found.front.front() : m_found.front.back();
        for (const std::size_t i : m_found.front)
            if (mostSize() && holdsSize(m_found.points[i]))
                m_found.chosen = i;
        m_found.why = !holdsSize(m_found.points[*m_found.chosen])
                          ? "no file is that small; this is the smallest"
                          : "no file holds the accuracy; this is the most accurate one";
    }

    const GraphEntry& m_entry;
    const std::filesystem::path& m_path;
    AccuracyBase m_base;
    const AutopilotOptions& m_options;
    const Job& m_job;
    Clock::time_point m_begin;
    std::vector<std::string> m_tensors;
    std::optional<NoiseMeter> m_meter;
    std::vector<Variant> m_variants;
    std::map<std::string, std::vector<LayerForm>> m_forms; // by layer, as its costs list them
    std::vector<std::unique_ptr<AutopilotPoint>> m_tried;
    Autopilot m_found;
};

} // namespace

Result<Autopilot> runAutopilot(const GraphEntry& entry, const std::filesystem::path& path,
                               std::vector<std::string> inputs, std::vector<std::string> outputs,
                               const AutopilotOptions& options, const Job& job)
{
    ASSIGN_OR_RETURN(auto base, accuracyBase(entry, std::move(inputs), std::move(outputs), job));
    return Search(entry, path, std::move(base), options, job).run();
}

} // namespace lapidary
