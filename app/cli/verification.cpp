#include "app/cli/verification.h"

#include "app/cli/exit_codes.h"
#include "graph_model/base/printable.h"
#include "transforms/diff/graph_diff.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace lapidary {
namespace {

// The tensor of `b` that stands for "name:port" of `a`.
std::string counterpartOf(const std::string& tensor, const Graph& a, const Graph& b,
                          const std::vector<NodeId>& counterparts)
{
    const Input parsed = parseInput(tensor);
    if (b.find(parsed.node).isValid())
        return tensor;
    const NodeId id = a.find(parsed.node);
    if (!id.isValid() || !counterparts[id.value].isValid())
        return "";
    return std::string(b.node(counterparts[id.value]).name()) + ":" + std::to_string(parsed.port);
}

constexpr const char* usualSource = "random:1";

RunSettings settingsOfFirst(const VerifySettings& settings)
{
    RunSettings run = settings.run;
    run.fuse = false; // fused nodes have no values of their own
    run.feeds = {usualSource};
    for (const std::string& input : settings.inputs)
        run.feeds.push_back(input + "=" + usualSource);
    run.feeds.insert(run.feeds.end(), settings.run.feeds.begin(), settings.run.feeds.end());
    return run;
}

// The other graph gets the first one's values.
RunSettings settingsOfSecond(const RunSettings& first)
{
    RunSettings run = first;
    run.feeds.clear();
    run.fetches.clear();
    run.shapes.clear();
    run.onlyGivenInputs = true;
    return run;
}

Json number(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json optionalNumber(const std::optional<double>& value)
{
    return value ? number(*value) : Json(nullptr);
}

Json pairJson(const VerifiedPair& pair)
{
    const TensorAgreement& agreement = pair.agreement;
    return {{"a", pair.a},
            {"b", pair.b},
            {"max_abs", number(agreement.maxAbs)},
            {"max_rel", number(agreement.maxRel)},
            {"mse", number(agreement.meanSquared)},
            {"sqnr_db", number(agreement.sqnrDb)},
            {"cosine", number(agreement.cosine)},
            {"saturated", number(agreement.saturated)},
            {"top1", optionalNumber(agreement.top1)},
            {"top5", optionalNumber(agreement.top5)},
            {"output", pair.isOutput},
            {"within", pair.isWithin}};
}

std::string shown(const char* form, double value)
{
    char text[64];
    std::snprintf(text, sizeof text, form, value);
    return text;
}

std::string pairText(const VerifiedPair& pair)
{
    const TensorAgreement& agreement = pair.agreement;
    std::string text = printable(pair.a);
    if (pair.a != pair.b)
        text += " and " + printable(pair.b);
    if (agreement.maxAbs == 0)
        return text + ": the same numbers";
    text += shown(": max abs %.3g", agreement.maxAbs) + shown(", max rel %.3g", agreement.maxRel) +
            shown(", mse %.3g", agreement.meanSquared) + shown(", SQNR %.1f dB", agreement.sqnrDb) +
            shown(", cosine %.6f", agreement.cosine);
    if (agreement.top1)
        text += shown(", top-1 %.1f %%", *agreement.top1 * 100);
    if (agreement.top5)
        text += shown(", top-5 %.1f %%", *agreement.top5 * 100);
    return text;
}

// The same op may be missing in both graphs, for the same nodes.
void addMissing(std::vector<MissingKernel>& all, const std::vector<MissingKernel>& more)
{
    for (const MissingKernel& kernel : more) {
        const auto known = std::ranges::find(all, kernel.op, &MissingKernel::op);
        if (known == all.end()) {
            all.push_back(kernel);
            continue;
        }
        for (const std::string& node : kernel.nodes)
            if (std::ranges::find(known->nodes, node) == known->nodes.end())
                known->nodes.push_back(node);
    }
}

Json missingJson(const std::vector<MissingKernel>& missing)
{
    Json list = Json::array();
    for (const MissingKernel& kernel : missing)
        list.push_back({{"op", kernel.op}, {"nodes", kernel.nodes}});
    return list;
}

} // namespace

int verificationCode(const Verification& verification, const Console& console)
{
    if (!verification.missing.empty()) {
        console.complain("cannot be run: no kernel for " + missingText(verification.missing) +
                         "; name outputs before them with --outputs");
        return exit_code::failed;
    }
    return verification.isSame() ? exit_code::done : exit_code::found;
}

void addVerifyOptions(VerbCall& call, VerifySettings& settings)
{
    CLI::App& options = call.options();
    settings.run.reportsMissing = true;
    addFeedOptions(options, settings.run, usualSource);
    options
        .add_option("--abs", settings.tolerance.abs,
                    "largest difference that is taken for equal, with --rel")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    options
        .add_option("--rel", settings.tolerance.rel, "that much of a tensor's largest magnitude")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

Result<Verification> verifyEntries(const GraphEntry& a, const std::string& pathA,
                                   const GraphEntry& b, const std::string& pathB,
                                   const VerifySettings& settings, const Job& job)
{
    const auto diff = diffGraphs(*a.graph, *b.graph, job);
    if (!diff)
        return diff.error();
    const std::vector<NodeId>& counterparts = diff.value().counterparts;
    const RunSettings firstSettings = settingsOfFirst(settings);
    auto first = prepareRun(a, pathA, firstSettings, job);
    if (!first)
        return Error{first.error().code, "the first graph: " + first.error().message};

    Verification unrun;
    unrun.missing = std::move(first.value().missing);
    RunSettings second = settingsOfSecond(firstSettings);
    std::vector<std::pair<std::string, Value>> values;
    for (const auto& [tensor, value] : first.value().request.feeds) {
        const std::string name = counterpartOf(tensor, *a.graph, *b.graph, counterparts);
        if (name.empty())
            continue; // nothing in b reads it any more
        second.feeds.push_back(name + "=given");
        values.emplace_back(name, value);
    }
    for (const std::string& tensor : first.value().request.fetches) {
        second.fetches.push_back(counterpartOf(tensor, *a.graph, *b.graph, counterparts));
        if (second.fetches.back().empty())
            return Error{ErrorCode::NotFound, "the second graph has nothing that stands for the "
                                              "output " +
                                                  tensor + "; name the outputs with --outputs"};
    }
    auto other = prepareRun(b, pathB, second, job);
    if (!other)
        return Error{other.error().code, "the second graph: " + other.error().message};
    addMissing(unrun.missing, other.value().missing);
    if (!unrun.missing.empty())
        return unrun;
    other.value().request.feeds = std::move(values);
    return verifyRuns({*a.graph, std::move(first.value().session), first.value().request},
                      {*b.graph, std::move(other.value().session), other.value().request},
                      counterparts, settings.tolerance, job);
}

Json verificationJson(const Verification& verification)
{
    Json pairs = Json::array();
    for (const VerifiedPair& pair : verification.pairs)
        pairs.push_back(pairJson(pair));
    Json firstAbove = nullptr;
    if (verification.firstAbove) {
        const VerifiedPair& pair = verification.pairs[*verification.firstAbove];
        firstAbove = {{"a", pair.a}, {"b", pair.b}, {"max_abs", number(pair.agreement.maxAbs)}};
    }
    return {{"same", verification.isSame()},
            {"pairs", std::move(pairs)},
            {"first_above", std::move(firstAbove)},
            {"missing_kernels", missingJson(verification.missing)},
            {"incomparable", verification.incomparable},
            {"left_out", verification.leftOut}};
}

void printNodes(const Verification& verification, std::ostream& out)
{
    if (verification.pairs.empty())
        return;
    out << " SQNR dB   saturated      max abs     cosine   tensor\n";
    for (const VerifiedPair& pair : verification.pairs) {
        const TensorAgreement& agreement = pair.agreement;
        out << shown("%8.1f", agreement.sqnrDb) << shown("%10.3f %%", agreement.saturated * 100)
            << shown(" %12.4g", agreement.maxAbs) << shown(" %10.6f", agreement.cosine)
            << (pair.isWithin ? "   " : " * ") << printable(pair.a) << '\n';
    }
    out << "* above the tolerance\n\n";
}

void printVerification(const Verification& verification, std::ostream& out)
{
    if (!verification.missing.empty())
        return; // nothing was run
    std::size_t inner = 0;
    std::size_t above = 0;
    for (const VerifiedPair& pair : verification.pairs) {
        if (pair.isOutput)
            out << pairText(pair) << '\n';
        inner += pair.isOutput ? 0 : 1;
        above += pair.isOutput || pair.isWithin ? 0 : 1;
    }
    for (const std::string& text : verification.incomparable)
        out << printable(text) << ": not comparable\n";
    out << inner << " tensors on the way compared, " << above << " above the tolerance";
    if (verification.leftOut > 0)
        out << ", " << verification.leftOut << " nodes left out for want of memory";
    out << '\n';
    if (verification.firstAbove)
        out << "first: " << pairText(verification.pairs[*verification.firstAbove]) << '\n';
    out << (verification.isSame() ? "The graphs compute the same.\n"
                                  : "The graphs do not compute the same.\n");
}

} // namespace lapidary
