// SPDX-License-Identifier: Apache-2.0
//   e[l][o] = noise at the outputs when only layer l has form o
//   for each lambda: the form of each layer with the least bytes[l][o] + lambda * e[l][o]
//
// Noises of layers nearly add, so that no search over combinations is needed; the expected noise of
// a plan is the sum of the differences that its layers make, with their signs (noise_sketch.h).
// Files with one form for all layers come first: they need no measurement, and later sums are
// fitted to them. A few mixtures follow, chosen by the weights. Sensitivity then takes one run of
// all probes through the nodes after the layer, for each layer and form that there is time for
// (measuring_plan.h); the rest follows from the weights (form_noises.h). Every plan is built and
// measured for real, and only these are offered.
#include "transforms/accuracy/autopilot.h"

#include "graph_model/write/gzip_size.h"
#include "graph_model/write/write_model.h"
#include "transforms/accuracy/autopilot_choice.h"
#include "transforms/accuracy/deadline.h"
#include "transforms/accuracy/graph_timer.h"
#include "transforms/accuracy/kept_layers.h"
#include "transforms/accuracy/measuring_plan.h"
#include "transforms/accuracy/point_builder.h"
#include "transforms/accuracy/search_variant.h"
#include "transforms/accuracy/shortening_steps.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

namespace lapidary {
namespace {

// The range includes all ranges in which pictures are usually fed.
constexpr const char* equalizing =
    "drop_dead_channels(input_min=-255, input_max=255) equalize_layers";
constexpr const char* finishing = "merge_duplicate_nodes strip_unused_nodes";
constexpr double firstShare = 0.2;     // of the work: files before layers are measured
constexpr double measuringShare = 0.6; // of the time: no layer is measured later
constexpr std::size_t mostFirst = 6;   // mixtures before layers are measured
constexpr std::size_t mostPlanned = 12;
constexpr std::size_t mostRefined = 6; // files that close in on the budget

void append(Recipe& recipe, std::string_view steps)
{
    if (auto more = parseRecipe(steps, RecipeSyntax::Strict))
        recipe.insert(recipe.end(), more->begin(), more->end());
}

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
        const Status explored = explore();
        if (!explored && (explored.error().code != ErrorCode::Cancelled || m_found.points.empty()))
            return explored.error();
        m_found.isStopped = m_found.isStopped || !explored;
        predictAll();
        choosePoint(m_found, m_options);
        compressFront();
        m_found.seconds = m_deadline.elapsed();
        return std::move(m_found);
    }

private:
    Status measureOriginal()
    {
        std::vector<std::string> tensors = measuredTensors(*m_entry.graph, m_base.fitted.outputs);
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (!m_base.graph->find(parseInput(tensors[i]).node).isValid())
                tensors[i] = m_base.fitted.outputs[i]; // the tensor was folded away
        m_plan = measuringPlan(*m_base.graph, m_options, m_job);
        ProbePlan probes = m_options.probes;
        probes.count = m_plan.probes;
        ASSIGN_OR_RETURN(auto meter, NoiseMeter::make(m_entry, m_path, tensors, probes, m_job));
        m_meter = std::move(meter);
        m_encoded = encodeGraphDef(*m_entry.graph);
        m_found.bytes = std::int64_t(m_encoded.size());
        if (isCompressed()) {
            ASSIGN_OR_RETURN(const std::uint64_t compressed, gzipSize(m_encoded, m_job));
            m_found.gzipBytes = std::int64_t(compressed);
        }
        m_found.inputs = m_base.fitted.inputs;
        m_found.outputs = m_base.fitted.outputs;
        m_found.probes = m_meter->probes();
        if (m_options.top1) {
            ASSIGN_OR_RETURN(m_found.top1, m_options.top1(m_entry, m_job));
        }
        RETURN_IF_ERROR(timeOriginal());
        tell();
        return Done{};
    }

    Status timeOriginal()
    {
        if (!m_options.isTimed())
            return Done{};
        ASSIGN_OR_RETURN(auto timer, GraphTimer::make(m_entry.graph, *m_meter, m_job));
        m_timer = std::move(timer);
        m_found.nanoseconds = m_timer->nanoseconds();
        if (m_options.leastSpeedup)
            m_options.mostNanoseconds =
                std::int64_t(double(m_found.nanoseconds) / *m_options.leastSpeedup);
        return Done{};
    }

    void tell() const
    {
        if (m_options.onFound)
            m_options.onFound(m_found);
    }

    Status explore()
    {
        RETURN_IF_ERROR(addVariant(m_base.graph, m_base.fitted.recipe, false));
        RETURN_IF_ERROR(tryUniform(0));
        RETURN_IF_ERROR(tryPlans(mostFirst));
        RETURN_IF_ERROR(addEqualized());
        RETURN_IF_ERROR(measureLayers());
        ASSIGN_OR_RETURN(const std::size_t left, tryPlans(mostPlanned));
        m_found.leftOut.files += left;
        return refine();
    }

    Status addEqualized()
    {
        if (!m_deadline.allowsOneMore())
            return Done{};
        ASSIGN_OR_RETURN(const GraphPtr equalized,
                         afterSteps(m_base.graph, equalizing, m_base.fitted, m_job));
        if (equalized == m_base.graph)
            return Done{};
        Recipe recipe = m_base.fitted.recipe;
        append(recipe, equalizing);
        RETURN_IF_ERROR(addVariant(equalized, std::move(recipe), true));
        return tryUniform(m_variants.size() - 1);
    }

    Status addVariant(const GraphPtr& graph, Recipe recipe, bool isEqualized)
    {
        SearchVariant variant;
        variant.isEqualized = isEqualized;
        variant.graph = graph;
        variant.recipe = std::move(recipe);
        ASSIGN_OR_RETURN(
            const GraphPtr shortened,
            afterSteps(graph, printRecipe(shorteningSteps(*graph)), m_base.fitted, m_job));
        const std::string encoded = encodeGraphDef(*shortened);
        variant.bytes = std::int64_t(encoded.size());
        if (isCompressed()) {
            ASSIGN_OR_RETURN(const std::uint64_t compressed, gzipSize(encoded, m_job));
            variant.bytes = std::int64_t(compressed);
        }
        variant.layers = noisyLayers(*graph, formsToTry());
        std::erase_if(variant.layers, [&](const NoisyLayer& layer) {
            return std::ranges::find(m_kept, layer.name) != m_kept.end() ||
                   !suitsOp(layer.forms.front().form, graph->node(layer.layer.product).op());
        });
        if (variant.layers.empty())
            return Error{ErrorCode::InvalidArgument,
                         m_timer ? "no layer is left to compute in 8 bits"
                                 : "every layer is kept in float, so there is nothing to compress"};
        if (m_timer) {
            ASSIGN_OR_RETURN(variant.times, layerTimes(graph, variant.layers, *m_timer, m_job));
            ASSIGN_OR_RETURN(variant.bytes, m_timer->of(graph, m_meter->tensors(), m_job));
        }
        m_variants.push_back(std::move(variant));
        addCosts(m_variants.back(), m_variants.front(), goalOf(m_options));
        return Done{};
    }

    std::vector<LayerForm> formsToTry() const
    {
        if (m_timer)
            return {LayerForm::Run8};
        std::vector<LayerForm> forms;
        std::ranges::copy_if(allLayerForms(), std::back_inserter(forms), [&](LayerForm form) {
            return form != LayerForm::Run8 && (isCompressed() || !isForCompression(form));
        });
        return forms;
    }

    // Tries plans of the first variant as long as more bytes are worth it, and of others only those
    // in 8 bits.
    Status tryUniform(std::size_t number)
    {
        std::vector<VariantPlan> plans = uniformPlans(m_variants[number], number);
        const auto likely = plans.begin() + std::ptrdiff_t(likelyPlan(plans, m_options));
        if (m_tried.empty()) // try the likely choice first
            std::rotate(plans.begin(), likely, likely + 1);
        std::int64_t enough = std::numeric_limits<std::int64_t>::max();
        for (const VariantPlan& one : plans) {
            const LayerForm form = m_variants[number].form(0, one.plan.forms.front());
            constexpr int few = 8;
            if (one.plan.bytes > enough || (number > 0 && formBits(form) > few))
                continue;
            ASSIGN_OR_RETURN(const std::optional<Noise> noise, tryPlan(one));
            if (!noise) {
                ++m_found.leftOut.files;
                continue;
            }
            if (noise->sqnrDb() >= enoughDb(m_options))
                enough = std::min(enough, one.plan.bytes);
        }
        learn(0);
        return Done{};
    }

    // Computes the costs again from all measurements of layers and files.
    void learn(std::size_t better)
    {
        for (SearchVariant& variant : m_variants)
            addCosts(variant, m_variants[better], goalOf(m_options));
    }

    Status measureLayers()
    {
        Deadline deadline = m_deadline.until(measuringShare * m_options.seconds);
        const std::size_t better = betterVariant(m_variants);
        RETURN_IF_ERROR(measureVariant(m_variants[better], deadline));
        for (std::size_t v = 0; v < m_variants.size(); ++v)
            if (v != better)
                RETURN_IF_ERROR(measureVariant(m_variants[v], deadline));
        learn(better);
        m_isMeasured = true;
        return Done{};
    }

    // Measures form by form, so that every layer is measured in one of them before the time ends.
    Status measureVariant(SearchVariant& variant, Deadline& deadline)
    {
        const std::size_t forms = variant.layers.front().forms.size();
        LayerMeter meter(variant.graph, *m_meter);
        bool isPrepared = false;
        for (std::size_t form = 0; form < forms; ++form) {
            m_found.leftOut.ofMeasurements += variant.layers.size();
            if (m_plan.measurements < variant.layers.size() || !deadline.allowsOneMore()) {
                m_found.leftOut.measurements += variant.layers.size();
                continue;
            }
            m_plan.measurements -= variant.layers.size();
            if (!isPrepared)
                RETURN_IF_ERROR(meter.prepare(variant.layers, m_job));
            isPrepared = true;
            RETURN_IF_ERROR(measureForm(variant, form, meter, deadline));
        }
        return Done{};
    }

    Status measureForm(SearchVariant& variant, std::size_t form, const LayerMeter& meter,
                       Deadline& deadline)
    {
        for (NoisyLayer& layer : variant.layers) {
            if (m_job.cancelled())
                return cancelledError();
            if (!deadline.allowsOneMore()) {
                ++m_found.leftOut.measurements;
                continue;
            }
            deadline.begin();
            FormNoise& one = layer.forms[form];
            ASSIGN_OR_RETURN(SketchedNoise found, meter.of(layer, one.form, m_job));
            deadline.end();
            one.noise = found.noise.ratio;
            one.sketch = std::move(found.sketch);
            one.isMeasured = true;
            ++m_found.evaluations;
            m_job.progress(firstShare + (measuringShare - firstShare) * measuredShare());
        }
        return Done{};
    }

    double measuredShare() const
    {
        std::size_t all = 0;
        std::size_t measured = 0;
        for (const SearchVariant& variant : m_variants)
            for (const NoisyLayer& layer : variant.layers) {
                all += layer.forms.size();
                measured += std::size_t(std::ranges::count_if(
                    layer.forms, [](const FormNoise& one) { return one.isMeasured; }));
            }
        return double(measured) / double(all);
    }

    bool isCompressed() const { return m_options.mostGzipBytes.has_value(); }

    // Returns how many plans were left out for lack of time.
    Result<std::size_t> tryPlans(std::size_t most)
    {
        std::size_t left = 0;
        const std::vector<VariantPlan> all = bestPlans(m_variants, m_options);
        for (const std::size_t i : plansToTry(all, most, m_options)) {
            if (std::ranges::any_of(m_tried,
                                    [&](const Tried& one) { return one.candidate.isSame(all[i]); }))
                continue;
            ASSIGN_OR_RETURN(const std::optional<Noise> noise, tryPlan(all[i]));
            left += noise ? 0 : 1;
        }
        learn(betterVariant(m_variants));
        return left;
    }

    // Returns whether a point is beyond the wanted one; of plans sorted by size, all after it are,
    // too.
    bool isBeyond(const AutopilotPoint& point) const
    {
        if (m_timer) // its time was only estimated before
            return point.nanoseconds > *m_options.mostNanoseconds;
        return holdsAccuracy(point, m_options);
    }

    // The smallest acceptable plan is between the largest unacceptable one and the first acceptable
    // one; with a time limit, the most accurate plan that is fast enough is before the first that
    // is not.
    Status refine()
    {
        for (std::size_t i = 0; i < mostRefined; ++i) {
            const std::vector<VariantPlan> all = bestPlans(m_variants, m_options);
            std::size_t low = 0;
            std::size_t high = all.size();
            std::vector<std::size_t> tried;
            for (std::size_t k = 0; k < all.size(); ++k) {
                const auto one = std::ranges::find_if(
                    m_tried, [&](const Tried& t) { return t.candidate.isSame(all[k]); });
                if (one == m_tried.end())
                    continue;
                tried.push_back(k);
                if (one->point && isBeyond(m_found.points[*one->point]))
                    high = std::min(high, k);
            }
            for (const std::size_t plan : tried)
                if (plan < high)
                    low = std::max(low, plan);
            if (high >= all.size() || high - low < 2)
                return Done{};
            ASSIGN_OR_RETURN(const std::optional<Noise> noise, tryPlan(all[(low + high) / 2]));
            if (!noise)
                return Done{};
        }
        return Done{};
    }

    // Adds the point unless its noise is too large. Returns nothing when the time is over.
    Result<std::optional<Noise>> tryPlan(const VariantPlan& candidate)
    {
        const bool isFirst = m_tried.empty();
        if (m_job.cancelled())
            return cancelledError();
        if (!isFirst && !m_deadline.allowsOneMore()) {
            m_found.isStopped = true;
            return std::optional<Noise>();
        }
        m_deadline.begin();
        ASSIGN_OR_RETURN(AutopilotPoint point, build(candidate));
        m_deadline.end();
        ++m_found.evaluations;
        const Noise noise = point.noise;
        m_tried.push_back({candidate, {}});
        m_variants[candidate.variant].sums.push_back({candidate.plan.forms, noise.ratio});
        constexpr double most = mostFirst + mostPlanned + mostRefined;
        const double share = std::min(1.0, double(m_tried.size()) / most);
        m_job.progress(m_isMeasured ? measuringShare + (1 - measuringShare) * share
                                    : firstShare * share);
        if (noise.sqnrDb() < leastOfferedDb)
            return std::optional(noise);
        m_tried.back().point = m_found.points.size();
        m_found.points.push_back(std::move(point));
        tell();
        return std::optional(noise);
    }

    Result<AutopilotPoint> build(const VariantPlan& candidate)
    {
        const SearchVariant& variant = m_variants[candidate.variant];
        AutopilotPoint point;
        point.isEqualized = variant.isEqualized;
        for (std::size_t l = 0; l < variant.layers.size(); ++l)
            point.layers.emplace_back(variant.layers[l].name,
                                      variant.form(l, candidate.plan.forms[l]));
        predict(point, candidate);
        point.recipe = variant.recipe;
        const Recipe steps = formSteps(point.layers);
        point.recipe.insert(point.recipe.end(), steps.begin(), steps.end());
        append(point.recipe, finishing);
        ASSIGN_OR_RETURN(
            point, PointBuilder(m_base.fitted, m_options, *m_meter, m_timer ? &*m_timer : nullptr)
                       .build(std::move(point), variant.graph, variant.recipe.size(), m_found.top1,
                              m_job));
        if (isCompressed()) {
            ASSIGN_OR_RETURN(const std::uint64_t compressed, gzipSize(point.encoded, m_job));
            point.gzipBytes = std::int64_t(compressed);
        }
        return point;
    }

    // Predicts the noise of a point from what is now known about the layers.
    void predict(AutopilotPoint& point, const VariantPlan& candidate) const
    {
        const SearchVariant& variant = m_variants[candidate.variant];
        point.costs.clear();
        for (std::size_t l = 0; l < variant.layers.size(); ++l) {
            const std::size_t form = candidate.plan.forms[l];
            const std::int64_t bytes =
                m_timer ? formBytes(*variant.graph, variant.layers[l].layer, variant.form(l, form))
                        : variant.costs[l].bytes[form];
            point.costs.push_back({bytes, variant.costs[l].noise[form]});
        }
        point.predictedDb = Noise{noiseTogether(variant.layers, candidate.plan.forms), {}}.sqnrDb();
    }

    // Also predicts points that were found before the measurements.
    void predictAll()
    {
        for (const Tried& one : m_tried)
            if (one.point)
                predict(m_found.points[*one.point], one.candidate);
    }

    // Compresses files until the time is over: that takes longer than making and running them.
    void compressFront()
    {
        std::vector<std::pair<const std::string*, std::int64_t*>> files;
        const auto add = [&](std::size_t i) {
            files.emplace_back(&m_found.points[i].encoded, &m_found.points[i].gzipBytes);
        };
        if (m_found.chosen)
            add(*m_found.chosen); // it matters most
        files.emplace_back(&m_encoded, &m_found.gzipBytes);
        for (const std::size_t i : m_found.front)
            if (i != m_found.chosen)
                add(i);
        Deadline deadline = m_deadline.until(m_options.seconds);
        for (const auto& [bytes, size] : files) {
            constexpr double usual = 40e-9; // seconds a byte
            const double expected = deadline.elapsed() + usual * double(bytes->size());
            if (isCompressed() || m_job.cancelled() || !deadline.allowsOneMore() ||
                expected > m_options.seconds)
                return;
            deadline.begin();
            const auto compressed = gzipSize(*bytes, m_job);
            deadline.end();
            if (compressed)
                *size = std::int64_t(*compressed);
        }
    }

    struct Tried {
        VariantPlan candidate;
        std::optional<std::size_t> point; // the index of its point, if there is one
    };

    const GraphEntry& m_entry;
    const std::filesystem::path& m_path;
    AutopilotOptions m_options;
    const Job& m_job;
    Deadline m_deadline;
    AccuracyBase m_base;
    std::vector<std::string> m_kept; // names of layers
    MeasuringPlan m_plan;            // without what was measured already
    bool m_isMeasured = false;
    std::optional<NoiseMeter> m_meter;
    std::optional<GraphTimer> m_timer; // set if the goal is time
    std::vector<SearchVariant> m_variants;
    std::vector<Tried> m_tried;
    std::string m_encoded; // the file of the original
    Autopilot m_found;     // its points in the order in which they were tried
};

} // namespace

Result<Autopilot> runAutopilot(const GraphEntry& entry, const std::filesystem::path& path,
                               std::vector<std::string> inputs, std::vector<std::string> outputs,
                               const AutopilotOptions& options, const Job& job)
{
    return Search(entry, path, options, job).run(std::move(inputs), std::move(outputs));
}

} // namespace lapidary
