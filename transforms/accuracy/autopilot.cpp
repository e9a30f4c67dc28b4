// SPDX-License-Identifier: Apache-2.0
//   e[l][o] = noise at the outputs when only layer l has form o
//   for each lambda: the form of each layer with the least bytes[l][o] + lambda * e[l][o]
//
// Noises of layers nearly add, so that no search over combinations is needed. Sensitivity takes one
// run of all probes, of what is behind the layer, for each layer and form; where the time does not
// suffice for all of them, the rest follows from the weights (form_noises.h). A few plans are then
// built and measured for real, and only these are offered.
#include "transforms/accuracy/autopilot.h"

#include "graph_model/write/gzip_size.h"
#include "graph_model/write/write_model.h"
#include "transforms/accuracy/autopilot_choice.h"
#include "transforms/accuracy/expected_loss.h"
#include "transforms/accuracy/form_noises.h"
#include "transforms/accuracy/kept_layers.h"
#include "transforms/accuracy/plan_search.h"
#include "transforms/accuracy/point_builder.h"
#include "transforms/accuracy/probe_count.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace lapidary {
namespace {

// Holds for whatever range pictures are usually fed in.
constexpr const char* equalizing =
    "drop_dead_channels(input_min=-255, input_max=255) equalize_layers";
constexpr const char* finishing = "merge_duplicate_nodes strip_unused_nodes";
constexpr double leastOfferedDb = 10;  // below, predictions mean nothing
constexpr double measuringShare = 0.5; // of the time; the rest is for files
constexpr std::size_t mostRefined = 6; // files that close in on the budget
constexpr double probingShare = 0.05;  // each probe is run for every layer and file

using Clock = std::chrono::steady_clock;

struct Candidate {
    std::size_t variant = 0;
    FormPlan plan;
};

// The graph before weights change, and what its layers cost.
struct Variant {
    bool isEqualized = false;
    GraphPtr graph;
    Recipe recipe; // that makes it
    std::vector<NoisyLayer> layers;
    std::vector<FormCosts> costs;
    std::int64_t bytes = 0; // with all layers in float

    LayerForm form(std::size_t layer, std::size_t choice) const
    {
        return choice == 0 ? LayerForm::Float : layers[layer].forms[choice - 1].form;
    }
};

void append(Recipe& recipe, std::string_view steps)
{
    if (auto more = parseRecipe(steps, RecipeSyntax::Strict))
        recipe.insert(recipe.end(), more->begin(), more->end());
}

// Tells how long things take, and whether one more of them fits.
class Deadline {
public:
    explicit Deadline(double seconds)
        : m_seconds(seconds)
    {
    }

    bool allowsOneMore() const { return elapsed() + m_longest <= m_seconds; }
    void begin() { m_begun = elapsed(); }
    void end() { m_longest = std::max(m_longest, elapsed() - m_begun); }
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - m_zero).count(); }

    // For things of another kind, from the same time on.
    Deadline until(double seconds) const
    {
        Deadline other = *this;
        other.m_seconds = seconds;
        other.m_longest = 0;
        return other;
    }

private:
    double m_seconds;
    double m_longest = 0;
    double m_begun = 0;
    Clock::time_point m_zero = Clock::now();
};

class Search {
public:
    Search(const GraphEntry& entry, const std::filesystem::path& path,
           const AutopilotOptions& options, const Job& job)
        : m_entry(entry)
        , m_path(path)
        , m_options(options)
        , m_job(job)
        , m_deadline(options.seconds)
    {
    }

    Result<Autopilot> run(std::vector<std::string> inputs, std::vector<std::string> outputs)
    {
        ASSIGN_OR_RETURN(m_base,
                         accuracyBase(m_entry, std::move(inputs), std::move(outputs), m_job));
        ASSIGN_OR_RETURN(m_kept, keptLayers(*m_entry.graph, *m_base.graph, m_options.kept));
        RETURN_IF_ERROR(measureOriginal());
        RETURN_IF_ERROR(addVariants());
        RETURN_IF_ERROR(measureLayers());
        RETURN_IF_ERROR(verifyAll());
        choosePoint(m_found, m_options);
        m_found.seconds = m_deadline.elapsed();
        return std::move(m_found);
    }

private:
    Status measureOriginal()
    {
        std::vector<std::string> tensors = measuredTensors(*m_entry.graph, m_base.fitted.outputs);
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (!m_base.graph->find(parseInput(tensors[i]).node).isValid())
                tensors[i] = m_base.fitted.outputs[i]; // folded away
        ProbePlan probes = m_options.probes;
        probes.count = affordableProbes(*m_base.graph, m_options, m_job);
        if (m_options.mayUseFewerProbes)
            probes.mostSeconds = probingShare * m_options.seconds;
        ASSIGN_OR_RETURN(auto meter, NoiseMeter::make(m_entry, m_path, tensors, probes, m_job));
        m_meter = std::move(meter);
        const std::string encoded = encodeGraphDef(*m_entry.graph);
        m_found.bytes = std::int64_t(encoded.size());
        ASSIGN_OR_RETURN(const std::uint64_t compressed, gzipSize(encoded, m_job));
        m_found.gzipBytes = std::int64_t(compressed);
        m_found.inputs = m_base.fitted.inputs;
        m_found.outputs = m_base.fitted.outputs;
        m_found.probes = m_meter->probes();
        if (m_options.top1) {
            ASSIGN_OR_RETURN(m_found.top1, m_options.top1(m_entry, m_job));
        }
        tell();
        return Done{};
    }

    void tell() const
    {
        if (m_options.onFound)
            m_options.onFound(m_found);
    }

    Status addVariants()
    {
        RETURN_IF_ERROR(addVariant(m_base.graph, m_base.fitted.recipe, false));
        ASSIGN_OR_RETURN(const GraphPtr equalized,
                         afterSteps(m_base.graph, equalizing, m_base.fitted, m_job));
        if (equalized == m_base.graph)
            return Done{};
        Recipe recipe = m_base.fitted.recipe;
        append(recipe, equalizing);
        return addVariant(equalized, std::move(recipe), true);
    }

    Status addVariant(const GraphPtr& graph, Recipe recipe, bool isEqualized)
    {
        Variant variant{isEqualized, graph, std::move(recipe), {}, {}, 0};
        ASSIGN_OR_RETURN(const GraphPtr shortened,
                         afterSteps(graph, shorteningSteps, m_base.fitted, m_job));
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
        variant.layers = noisyLayers(*graph, forms);
        std::erase_if(variant.layers, [&](const NoisyLayer& layer) {
            return std::ranges::find(m_kept, layer.name) != m_kept.end();
        });
        if (variant.layers.empty())
            return Error{ErrorCode::InvalidArgument, "every layer is kept in float: nothing is "
                                                     "left to make smaller"};
        m_variants.push_back(std::move(variant));
        return Done{};
    }

    // Form by form, so that every layer is measured in one of them before the time ends.
    Status measureLayers()
    {
        Deadline deadline = m_deadline.until(measuringShare * m_options.seconds);
        Deadline preparing = deadline;
        std::vector<LayerMeter> meters;
        for (const Variant& variant : m_variants) {
            LayerMeter& meter = meters.emplace_back(variant.graph, *m_meter);
            if (!preparing.allowsOneMore())
                continue; // nothing will be measured either
            preparing.begin();
            RETURN_IF_ERROR(meter.prepare(variant.layers, m_job));
            preparing.end();
        }
        const std::size_t forms = m_variants.front().layers.front().forms.size();
        for (std::size_t form = 0; form < forms; ++form)
            for (std::size_t v = 0; v < m_variants.size(); ++v)
                RETURN_IF_ERROR(measureForm(m_variants[v], form, meters[v], deadline));
        for (Variant& variant : m_variants) {
            estimateNoises(variant.layers, m_variants.front().layers);
            addCosts(variant);
        }
        return Done{};
    }

    Status measureForm(Variant& variant, std::size_t form, const LayerMeter& meter,
                       Deadline& deadline)
    {
        for (NoisyLayer& layer : variant.layers) {
            if (m_job.cancelled())
                return cancelledError();
            ++m_found.leftOut.ofMeasurements;
            if (!deadline.allowsOneMore()) {
                ++m_found.leftOut.measurements;
                continue;
            }
            deadline.begin();
            ASSIGN_OR_RETURN(const Noise noise, meter.of(layer, layer.forms[form].form, m_job));
            deadline.end();
            layer.forms[form].noise = noise.ratio;
            layer.forms[form].isMeasured = true;
            ++m_found.evaluations;
            m_job.progress(measuringShare * measuredShare());
        }
        return Done{};
    }

    double measuredShare() const
    {
        std::size_t all = 0;
        for (const Variant& variant : m_variants)
            all += variant.layers.size() * variant.layers.front().forms.size();
        return double(m_found.leftOut.ofMeasurements) / double(all);
    }

    void addCosts(Variant& variant) const
    {
        for (const NoisyLayer& layer : variant.layers) {
            FormCosts costs{{bytesOf(*variant.graph, layer.layer, LayerForm::Float)}, {0}};
            for (const FormNoise& one : layer.forms) {
                costs.bytes.push_back(bytesOf(*variant.graph, layer.layer, one.form));
                costs.noise.push_back(one.noise);
            }
            variant.costs.push_back(std::move(costs));
        }
    }

    bool isCompressed() const { return m_options.mostGzipBytes.has_value(); }

    // Those that are to be few.
    std::int64_t bytesOf(const Graph& graph, const Layer& layer, LayerForm form) const
    {
        return isCompressed() ? formGzipBytes(graph, layer, form) : formBytes(graph, layer, form);
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

    // The plan that will probably be chosen: the smallest that holds the accuracy; with a size, the
    // most accurate of that size.
    std::size_t likely(const std::vector<Candidate>& all) const
    {
        const auto most = mostSize(m_options);
        std::size_t choice = most ? 0 : all.size() - 1;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (most && all[i].plan.bytes <= *most)
                choice = i;
            AutopilotPoint point;
            point.noise.ratio = all[i].plan.noise;
            point.loss = expectedLoss(point.noise.sqnrDb());
            if (!most && holdsAccuracy(point, m_options))
                return i;
        }
        return choice;
    }

    // Some plans, evenly spread; the one that matters most first, so that a search that is stopped
    // has it.
    std::vector<std::size_t> planned(const std::vector<Candidate>& all) const
    {
        constexpr std::size_t most = 12;
        std::vector<FormPlan> plans;
        for (const Candidate& one : all)
            plans.push_back(one.plan);
        std::vector<std::size_t> order = evenlyByBytes(plans, most);
        if (order.empty())
            return order;
        const std::size_t first = likely(all);
        const auto nearest = std::ranges::min_element(
            order, {}, [&](std::size_t i) { return i > first ? i - first : first - i; });
        // Ends of the row, then what halves the gaps: any beginning of the order is spread out.
        std::vector<std::size_t> spread{first};
        std::erase(order, *nearest);
        while (!order.empty()) {
            const auto farthest = std::ranges::max_element(order, {}, [&](std::size_t i) {
                std::size_t gap = all.size();
                for (const std::size_t taken : spread)
                    gap = std::min(gap, i > taken ? i - taken : taken - i);
                return gap;
            });
            spread.push_back(*farthest);
            order.erase(farthest);
        }
        return spread;
    }

    Status verifyAll()
    {
        const std::vector<Candidate> all = candidates();
        const std::vector<std::size_t> order = planned(all);
        m_mostPoints = order.size() + mostRefined;
        std::vector<std::size_t> tried;
        for (const std::size_t i : order) {
            ASSIGN_OR_RETURN(const bool isDone, tryPoint(all[i]));
            if (!isDone) {
                m_found.leftOut.files = order.size() - tried.size();
                return Done{};
            }
            tried.push_back(i);
        }
        return refine(all, tried);
    }

    // The smallest plan that holds lies between the largest that does not and the first that does.
    Status refine(const std::vector<Candidate>& all, std::vector<std::size_t>& tried)
    {
        for (std::size_t i = 0; i < mostRefined; ++i) {
            std::size_t low = 0;
            std::size_t high = all.size();
            for (std::size_t k = 0; k < tried.size(); ++k)
                if (holdsAccuracy(m_found.points[k], m_options))
                    high = std::min(high, tried[k]);
            for (const std::size_t plan : tried)
                if (plan < high)
                    low = std::max(low, plan);
            if (high >= all.size() || high - low < 2)
                return Done{};
            tried.push_back((low + high) / 2);
            ASSIGN_OR_RETURN(const bool isDone, tryPoint(all[tried.back()]));
            if (!isDone)
                return Done{};
        }
        return Done{};
    }

    // False: the time is over.
    Result<bool> tryPoint(const Candidate& candidate)
    {
        const bool isFirst = m_found.points.empty();
        if (m_job.cancelled() && isFirst)
            return cancelledError();
        if (m_job.cancelled() || (!isFirst && !m_deadline.allowsOneMore())) {
            m_found.isStopped = true;
            return false;
        }
        m_deadline.begin();
        auto point = build(candidate);
        m_deadline.end();
        if (!point && point.error().code == ErrorCode::Cancelled && !isFirst) {
            m_found.isStopped = true;
            return false;
        }
        RETURN_IF_ERROR(point);
        ++m_found.evaluations;
        m_found.points.push_back(*std::move(point));
        tell();
        m_job.progress(measuringShare +
                       (1 - measuringShare) * double(m_found.points.size()) / double(m_mostPoints));
        return true;
    }

    Result<AutopilotPoint> build(const Candidate& candidate)
    {
        const Variant& variant = m_variants[candidate.variant];
        AutopilotPoint point;
        point.isEqualized = variant.isEqualized;
        point.predictedDb = Noise{candidate.plan.noise, {}}.sqnrDb();
        for (std::size_t l = 0; l < variant.layers.size(); ++l) {
            const std::size_t form = candidate.plan.forms[l];
            point.layers.emplace_back(variant.layers[l].name, variant.form(l, form));
            point.costs.push_back({variant.costs[l].bytes[form], variant.costs[l].noise[form]});
        }
        point.recipe = variant.recipe;
        const Recipe steps = formSteps(point.layers);
        point.recipe.insert(point.recipe.end(), steps.begin(), steps.end());
        append(point.recipe, finishing);
        return PointBuilder(m_entry, m_path, m_base.fitted, m_options, *m_meter)
            .build(std::move(point), variant.graph, variant.recipe.size(), m_found.top1, m_job);
    }

    const GraphEntry& m_entry;
    const std::filesystem::path& m_path;
    const AutopilotOptions& m_options;
    const Job& m_job;
    Deadline m_deadline;
    AccuracyBase m_base;
    std::vector<std::string> m_kept; // layers
    std::optional<NoiseMeter> m_meter;
    std::vector<Variant> m_variants;
    std::size_t m_mostPoints = 1;
    Autopilot m_found; // its points in the order in which they were tried
};

} // namespace

Result<Autopilot> runAutopilot(const GraphEntry& entry, const std::filesystem::path& path,
                               std::vector<std::string> inputs, std::vector<std::string> outputs,
                               const AutopilotOptions& options, const Job& job)
{
    return Search(entry, path, options, job).run(std::move(inputs), std::move(outputs));
}

} // namespace lapidary
