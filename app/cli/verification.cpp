// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verification.h"

#include "app/base/exit_codes.h"
#include "app/cli/labeling_flags.h"
#include "graph_model/base/printable.h"
#include "runner/feeds/picture_files.h"
#include "runner/setup/prepare_run.h"
#include "transforms/pass/number_values.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <ostream>
#include <set>
#include <string_view>
#include <vector>

namespace lapidary {
namespace {

constexpr const char* usualSource = "random:1";

Json optionalNumber(const std::optional<double>& value)
{
    return value ? numberJson(*value) : Json(nullptr);
}

Json pairJson(const VerifiedPair& pair)
{
    const TensorAgreement& agreement = pair.agreement;
    Json json = {{"a", pair.a},
                 {"b", pair.b},
                 {"max_abs", numberJson(agreement.maxAbs)},
                 {"max_rel", numberJson(agreement.maxRel)},
                 {"mse", numberJson(agreement.meanSquared)},
                 {"sqnr_db", numberJson(agreement.sqnrDb)},
                 {"cosine", numberJson(agreement.cosine)},
                 {"saturated", numberJson(agreement.saturated)},
                 {"top1", optionalNumber(agreement.top1)},
                 {"top5", optionalNumber(agreement.top5)},
                 {"output", pair.isOutput},
                 {"within", pair.isWithin},
                 {"undone", pair.isUndone},
                 {"grade", gradeName(pair.grade)}};
    if (pair.codes) {
        json["scale"] = numberJson(pair.codes->scale);
        json["zero_point"] = pair.codes->zeroPoint;
    }
    if (agreement.notFiniteA + agreement.notFiniteB > 0) {
        json["not_finite_a"] = agreement.notFiniteA;
        json["not_finite_b"] = agreement.notFiniteB;
    }
    if (agreement.rows > 0) {
        json["rows"] = agreement.rows;
        json["classes"] = agreement.classes;
    }
    return json;
}

std::string shown(const char* form, double value)
{
    char text[64];
    std::snprintf(text, sizeof text, form, value);
    return text;
}

// Returns three digits, or words for a number that is not finite.
std::string figure(double value)
{
    if (std::isnan(value))
        return "not a number";
    return std::isinf(value) ? (value > 0 ? "infinite" : "-infinite") : shown("%.3g", value);
}

std::string countText(std::int64_t count, const std::string& one)
{
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

// Returns "; of 10 elements 5 are not finite in the first graph, 7 in the second".
std::string notFiniteText(const TensorAgreement& agreement)
{
    if (agreement.notFiniteA + agreement.notFiniteB == 0)
        return "";
    return "; of " + countText(agreement.elements, "element") + " " +
           std::to_string(agreement.notFiniteA) + " are not finite in the first graph, " +
           std::to_string(agreement.notFiniteB) + " in the second";
}

std::string classesText(const TensorAgreement& agreement)
{
    if (!agreement.top1)
        return "";
    std::string text = shown(", top-1 %.1f %%", *agreement.top1 * 100);
    if (agreement.top5)
        text += shown(", top-5 %.1f %%", *agreement.top5 * 100);
    return text + " of " + countText(agreement.rows, "row") +
           (agreement.classes == 1 ? " (always one class: not meaningful)" : "");
}

std::string pairText(const VerifiedPair& pair)
{
    const TensorAgreement& agreement = pair.agreement;
    std::string text = printable(pair.a);
    if (pair.a != pair.b)
        text += " and " + printable(pair.b);
    if (agreement.maxAbs == 0)
        return text + ": the same " + (agreement.hasTexts ? "texts" : "numbers") +
               notFiniteText(agreement);
    if (!agreement.hasFloats)
        return text + ": " + std::string(gradeName(pair.grade)) +
               shown(", %.1f %% of ", agreement.equal * 100) +
               countText(agreement.elements, "element") + " are equal" +
               (agreement.hasTexts ? "" : ", max abs " + figure(agreement.maxAbs));
    const bool hasDecibels = std::isfinite(agreement.sqnrDb);
    return text + ": " + std::string(gradeName(pair.grade)) + ", SQNR " +
           (hasDecibels ? shown("%.1f dB", agreement.sqnrDb) : figure(agreement.sqnrDb)) +
           ", cosine " +
           (std::isnan(agreement.cosine) ? figure(agreement.cosine)
                                         : shown("%.6f", agreement.cosine)) +
           classesText(agreement) + ", max abs " + figure(agreement.maxAbs) + ", max rel " +
           figure(agreement.maxRel) + ", mse " + figure(agreement.meanSquared) +
           notFiniteText(agreement);
}

Json pairName(const Verification& verification, const std::optional<std::size_t>& at)
{
    if (!at)
        return nullptr;
    const VerifiedPair& pair = verification.pairs[*at];
    return {{"a", pair.a},
            {"b", pair.b},
            {"max_abs", numberJson(pair.agreement.maxAbs)},
            {"sqnr_db", numberJson(pair.agreement.sqnrDb)}};
}

Json missingJson(const std::vector<MissingKernel>& missing)
{
    Json list = Json::array();
    for (const MissingKernel& kernel : missing)
        list.push_back({{"op", kernel.op}, {"nodes", kernel.nodes}});
    return list;
}

// Returns one picture, or all those in a folder.
Result<std::vector<PictureFeed>> picturesOf(const VerifyFlags& flags)
{
    std::vector<PictureFeed> pictures;
    std::error_code ignored;
    if (flags.images.empty())
        return pictures;
    if (!std::filesystem::is_directory(flags.images, ignored))
        return std::vector<PictureFeed>{{flags.images, flags.mean, flags.std}};
    ASSIGN_OR_RETURN(const auto files, picturesIn(flags.images));
    for (const std::string& file : files)
        pictures.push_back(
            {(std::filesystem::path(flags.images) / file).string(), flags.mean, flags.std});
    return pictures;
}

bool isQuantized(const Node& node)
{
    const std::string_view op = node.op();
    return op.starts_with("Quantize") || op.starts_with("Dequantize") ||
           op.starts_with("FakeQuant");
}

bool isBroken(const Verification& verification, bool acceptsLoss)
{
    return acceptsLoss ? verification.grade() == Grade::Broken : !verification.isSame();
}

} // namespace

bool acceptsSmallLoss(const VerifyFlags& flags, const Graph& a, const Graph& b)
{
    if (flags.hasLimits() || flags.hasTolerance())
        return flags.hasLimits();
    const auto count = [](const Graph& graph) {
        return std::ranges::count_if(graph.nodes(),
                                     [](const NodePtr& node) { return isQuantized(*node); });
    };
    return count(b) > count(a);
}

int verificationCode(const Verification& verification, bool acceptsLoss, const Console& console)
{
    if (!verification.missing.empty()) {
        console.complain("cannot be run: " + missingText(verification.missing) +
                         "; name outputs before them with --outputs");
        return exit_code::failed;
    }
    return isBroken(verification, acceptsLoss) ? exit_code::found : exit_code::done;
}

namespace {

std::string asTolerance(const std::string& text)
{
    const auto number = floatValue(text);
    return number && *number >= 0
               ? ""
               : text + " is not a tolerance; give a number that is not negative";
}

} // namespace

void addVerifyOptions(VerbCall& call, VerifyFlags& flags)
{
    CLI::App& options = call.options();
    addFeedOptions(options, flags.run, usualSource);
    options
        .add_option("--abs", flags.abs,
                    "absolute tolerance; a difference may be up to --abs plus --rel (1e-05)")
        ->check(asTolerance);
    options
        .add_option("--rel", flags.rel,
                    "tolerance relative to the tensor's largest magnitude (1e-04)")
        ->check(asTolerance);
    options.add_option("--min-sqnr,--min_sqnr", flags.minSqnr,
                       "least SQNR of an output in dB, below which it is broken (10); if any --min "
                       "is given, a small loss exits with 0");
    options.add_option("--min-cosine,--min_cosine", flags.minCosine,
                       "least cosine similarity of an output (0.95)");
    options
        .add_option("--min-top1,--min_top1", flags.minTop1,
                    "least share of rows with the same top class (0.5)")
        ->check(CLI::Range(0.0, 1.0));
    options
        .add_option("--samples", flags.samples,
                    "how many inputs to run; default: 32, fewer for large graphs, but at least 8")
        ->check(CLI::Range(1, 1'000'000));
    options.add_option("--images", flags.images,
                       "a picture, or a folder of pictures to feed one by one");
    addPixelOptions(options, flags.mean, flags.std);
}

BoxGrants grantsOf(const VerifyFlags& flags, const std::string& model)
{
    BoxGrants grants = grantsOf(flags.run, model);
    if (!flags.images.empty())
        grants.readable.emplace_back(flags.images);
    return grants;
}

Result<VerifyPlan> planOf(const VerifyFlags& flags)
{
    RunFlags run = flags.run;
    run.feeds.insert(run.feeds.begin(), usualSource); // for inputs that no flag names
    ASSIGN_OR_RETURN(RunPlan runPlan, planOf(run));
    runPlan.inputs = flags.inputs;
    VerifyPlan plan{.run = std::move(runPlan), .options = {}, .pictures = {}};
    ASSIGN_OR_RETURN(plan.pictures, picturesOf(flags));
    VerifyOptions& options = plan.options;
    options.tolerance.abs = flags.abs.value_or(options.tolerance.abs);
    options.tolerance.rel = flags.rel.value_or(options.tolerance.rel);
    options.limits.minSqnrDb = flags.minSqnr.value_or(options.limits.minSqnrDb);
    options.limits.minCosine = flags.minCosine.value_or(options.limits.minCosine);
    options.limits.minTop1 = flags.minTop1.value_or(options.limits.minTop1);
    if (flags.minTop1)
        options.limits.fewestRows = 1;
    constexpr double unlimited = std::numeric_limits<double>::max();
    if (flags.samples)
        options.samples = {.most = *flags.samples, .seconds = unlimited, .operations = unlimited};
    return plan;
}

Json verificationJson(const Verification& verification, bool acceptsLoss, const std::string& reason)
{
    Json pairs = Json::array();
    for (const VerifiedPair& pair : verification.pairs)
        pairs.push_back(pairJson(pair));
    return {{"same", verification.isSame()},
            {"grade", gradeName(verification.grade())},
            {"accepted", verification.missing.empty() && !isBroken(verification, acceptsLoss)},
            {"reason", reason.empty() ? Json(nullptr) : Json(reason)},
            {"samples", verification.samples},
            {"pairs", std::move(pairs)},
            {"first_above", pairName(verification, verification.firstAbove)},
            {"first_large", pairName(verification, verification.firstLarge)},
            {"missing_kernels", missingJson(verification.missing)},
            {"incomparable", verification.incomparable},
            {"left_out", verification.leftOut}};
}

namespace {

// Returns the rows to print. An output is also compared as an inner tensor, on the first input
// alone; one row for it is enough.
std::vector<const VerifiedPair*> rowsOf(const Verification& verification)
{
    std::set<std::string_view> outputs;
    for (const VerifiedPair& pair : verification.pairs)
        if (pair.isOutput)
            outputs.insert(pair.a);
    std::vector<const VerifiedPair*> rows;
    for (const VerifiedPair& pair : verification.pairs)
        if (pair.isOutput || !outputs.contains(pair.a))
            rows.push_back(&pair);
    return rows;
}

} // namespace

void printNodes(const Verification& verification, std::ostream& out)
{
    if (verification.pairs.empty())
        return;
    out << " SQNR dB   saturated      max abs     cosine   tensor\n";
    for (const VerifiedPair* row : rowsOf(verification)) {
        const VerifiedPair& pair = *row;
        const TensorAgreement& agreement = pair.agreement;
        out << shown("%8.1f", agreement.sqnrDb) << shown("%10.3f %%", agreement.saturated * 100)
            << shown(" %12.4g", agreement.maxAbs) << shown(" %10.6f", agreement.cosine)
            << (pair.isWithin   ? "   "
                : pair.isUndone ? " ~ "
                                : " * ")
            << printable(pair.a) << '\n';
    }
    out << "* above the tolerance; ~ above it, but undone by the nodes that read it, as after a "
           "fold\n\n";
}

namespace {

void printInner(const Verification& verification, std::ostream& out)
{
    std::int64_t inner = 0;
    std::int64_t above = 0;
    std::int64_t undone = 0;
    for (const VerifiedPair* row : rowsOf(verification)) {
        const VerifiedPair& pair = *row;
        inner += pair.isOutput ? 0 : 1;
        above += pair.isOutput || pair.isWithin || pair.isUndone ? 0 : 1;
        undone += pair.isUndone ? 1 : 0;
    }
    out << countText(inner, "tensor") << " on the way compared, " << above
        << " above the tolerance";
    if (undone > 0)
        out << ", and " << undone << " undone by the nodes that read them, as after a fold";
    if (verification.leftOut > 0)
        out << ", " << countText(std::int64_t(verification.leftOut), "node")
            << " skipped for lack of memory";
    out << '\n';
}

std::string verdictText(const Verification& verification, bool acceptsLoss)
{
    switch (verification.grade()) {
    case Grade::Same: return "The graphs compute the same.";
    case Grade::SmallLoss:
        return acceptsLoss ? "Small loss: the graphs compute nearly the same."
                           : "Small loss. The graphs do not compute the same.";
    case Grade::Broken: break;
    }
    return "Broken. The graphs do not compute the same.";
}

} // namespace

void printVerification(const Verification& verification, bool acceptsLoss, std::ostream& out)
{
    if (!verification.missing.empty())
        return; // nothing was run
    out << "on " << countText(std::int64_t(verification.samples), "input")
        << (verification.isStopped ? ", cut short by the time; --samples runs more" : "") << '\n';
    for (const VerifiedPair& pair : verification.pairs)
        if (pair.isOutput)
            out << pairText(pair) << '\n';
    for (const std::string& text : verification.incomparable)
        out << printable(text) << ": not comparable\n";
    printInner(verification, out);
    if (verification.firstAbove)
        out << "first: " << pairText(verification.pairs[*verification.firstAbove]) << '\n';
    if (verification.firstLarge && verification.firstLarge != verification.firstAbove)
        out << "first large loss: " << pairText(verification.pairs[*verification.firstLarge])
            << '\n';
    out << verdictText(verification, acceptsLoss) << '\n';
}

} // namespace lapidary
