#include "app/cli/run_setup.h"

#include "graph_model/interface/likely_choice.h"
#include "runner/checkpoint/load_variables.h"
#include "runner/int8/back_end.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

namespace lapidary {
namespace {

std::string withPort(const std::string& tensor)
{
    const Input parsed = parseInput(tensor);
    return parsed.isControl() ? tensor
                              : std::string(parsed.node) + ":" + std::to_string(parsed.port);
}

const Signature* findSignature(const GraphEntry& entry, const std::string& name)
{
    const auto found = std::ranges::find(entry.signatures, name, &Signature::name);
    return found == entry.signatures.end() ? nullptr : &*found;
}

std::string signatureNames(const GraphEntry& entry)
{
    std::string names;
    for (const Signature& signature : entry.signatures)
        names += (names.empty() ? "" : ", ") + signature.name;
    return names.empty() ? "none" : names;
}

// A signature may name one tensor by several keys.
std::vector<SignatureTensor> withoutRepeats(const std::vector<SignatureTensor>& tensors)
{
    std::vector<SignatureTensor> once;
    std::set<std::string> known;
    for (const SignatureTensor& tensor : tensors)
        if (known.insert(withPort(tensor.tensor)).second)
            once.push_back(tensor);
    return once;
}

std::vector<FeedTarget> targetsOf(const Graph& graph, const std::vector<SignatureTensor>& tensors)
{
    std::vector<FeedTarget> targets;
    for (const SignatureTensor& tensor : withoutRepeats(tensors)) {
        FeedTarget target = feedTarget(graph, withPort(tensor.tensor));
        if (target.dtype == DType::Invalid)
            target.dtype = tensor.dtype;
        if (target.shape.unknownRank)
            target.shape = tensor.shape;
        targets.push_back(std::move(target));
    }
    return targets;
}

struct Interface {
    std::vector<FeedTarget> inputs;
    std::vector<std::string> outputs;
};

// A file's only or default signature stands before guesses.
Result<Interface> likelyInterface(const GraphEntry& entry, const std::string& signatureName)
{
    const Signature* signature = findSignature(entry, signatureName);
    if (signature == nullptr && !signatureName.empty())
        return Error{ErrorCode::NotFound,
                     "no signature " + signatureName + "; there is " + signatureNames(entry)};
    if (signature == nullptr)
        signature = findSignature(entry, "serving_default");
    if (signature == nullptr && entry.signatures.size() == 1)
        signature = entry.signatures.data();
    Interface found;
    if (signature != nullptr) {
        found.inputs = targetsOf(*entry.graph, signature->inputs);
        for (const SignatureTensor& tensor : withoutRepeats(signature->outputs))
            found.outputs.push_back(withPort(tensor.tensor));
        return found;
    }
    const InterfaceChoice choice = likelyChoice(*entry.graph, guessInterface(entry));
    for (const ChosenTensor& input : choice.inputs) {
        FeedTarget target = feedTarget(*entry.graph, input.tensor);
        if (target.shape.unknownRank)
            target.shape = input.shape;
        found.inputs.push_back(std::move(target));
    }
    for (const ChosenTensor& output : choice.outputs)
        found.outputs.push_back(output.tensor);
    return found;
}

struct FeedPlan {
    std::map<std::string, std::string> sources; // by tensor with port
    std::string rest = "zeros";                 // for inputs without one
};

Result<FeedPlan> readFeeds(const std::vector<std::string>& feeds, const Graph& graph)
{
    FeedPlan plan;
    for (const std::string& feed : feeds) {
        const std::size_t equals = feed.find('=');
        if (equals == std::string::npos) {
            plan.rest = feed;
            continue;
        }
        const std::string tensor = withPort(feed.substr(0, equals));
        if (!graph.find(parseInput(tensor).node).isValid())
            return Error{ErrorCode::NotFound, "--feed " + feed + ": no node is named " +
                                                  std::string(parseInput(tensor).node)};
        plan.sources[tensor] = feed.substr(equals + 1);
    }
    return plan;
}

Result<std::map<std::string, Shape>> readShapes(const std::vector<std::string>& shapes)
{
    std::map<std::string, Shape> read;
    for (const std::string& text : shapes) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos)
            return Error{ErrorCode::InvalidArgument,
                         "--shape " + text + ": write NAME=1,224,224,3"};
        const auto shape = parseShape(text.substr(equals + 1));
        if (!shape)
            return Error{ErrorCode::InvalidArgument,
                         "--shape " + text + ": " + shape.error().message};
        read[withPort(text.substr(0, equals))] = shape.value();
    }
    return read;
}

// The one that was asked for must be able to run even where nothing needs it.
Result<std::string> backEndFor(const Graph& graph, const std::string& asked)
{
    const bool needsOne = std::ranges::any_of(graph.nodes(), [](const NodePtr& node) {
        return node->op() == "QuantizedConv2D" || node->op() == "QuantizedMatMul";
    });
    if (asked.empty() && !needsOne)
        return std::string();
    const auto backEnd = int8::chooseBackEnd(asked);
    if (!backEnd)
        return Error{backEnd.error().code, "--backend: " + backEnd.error().message};
    return needsOne ? std::string(backEnd.value()->name) : std::string();
}

// The inputs to feed: those with a source, and the likely ones.
Result<std::vector<FeedTarget>> inputsToFeed(const GraphEntry& entry, const FeedPlan& plan,
                                             const RunSettings& settings,
                                             std::vector<FeedTarget> likely)
{
    const auto shapes = readShapes(settings.shapes);
    if (!shapes)
        return shapes.error();
    std::vector<FeedTarget> inputs;
    if (!settings.onlyGivenInputs)
        inputs = std::move(likely);
    for (const auto& source : plan.sources)
        if (std::ranges::find(inputs, source.first, &FeedTarget::tensor) == inputs.end())
            inputs.push_back(feedTarget(*entry.graph, source.first));
    for (const auto& shape : shapes.value()) {
        const auto input = std::ranges::find(inputs, shape.first, &FeedTarget::tensor);
        if (input == inputs.end())
            return Error{ErrorCode::NotFound,
                         "--shape " + shape.first + ": no input that is fed has that name"};
        input->shape = shape.second;
    }
    return inputs;
}

std::string modelFolder(const std::string& path)
{
    std::error_code ignored;
    if (path == "-")
        return ".";
    if (std::filesystem::is_directory(path, ignored))
        return path;
    const auto parent = std::filesystem::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
}

// Placeholders with a default are only fed where a source was given.
bool isFedOnDemand(const Graph& graph, const FeedTarget& input, const FeedPlan& plan)
{
    const NodeId node = graph.find(parseInput(input.tensor).node);
    return node.isValid() && graph.node(node).op() == "PlaceholderWithDefault" &&
           plan.sources.count(input.tensor) == 0;
}

} // namespace

std::optional<std::uint64_t> parseByteCount(std::string_view text)
{
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc())
        return {};
    std::string_view unit(read.ptr, std::size_t(text.data() + text.size() - read.ptr));
    if (unit.ends_with('B') || unit.ends_with('b'))
        unit.remove_suffix(1);
    constexpr std::string_view units = "KMGT";
    if (unit.empty())
        return number;
    const std::size_t power = units.find(char(unit[0] & ~0x20));
    std::uint64_t bytes = 0;
    if (unit.size() > 1 || power == std::string_view::npos ||
        __builtin_mul_overflow(number, std::uint64_t(1) << (10 * (power + 1)), &bytes))
        return {};
    return bytes;
}

void addBackEndOption(CLI::App& options, std::string& name)
{
    std::string names;
    for (const int8::BackEnd* backEnd : int8::backEnds())
        names += (names.empty() ? "" : ", ") + std::string(backEnd->name);
    options
        .add_option("--backend", name,
                    "what computes 8-bit convolutions and products, all with the same sums: " +
                        names + "; the fastest that runs here")
        ->type_name("NAME");
}

void addFeedOptions(CLI::App& options, RunSettings& settings, const std::string& rest,
                    const std::string& memoryLimit)
{
    options
        .add_option("--feed", settings.feeds,
                    "NAME=FILE|image:FILE[:MEAN:STD]|zeros|ones|random[:SEED[:LOW:HIGH]]; without "
                    "NAME= for all inputs that have no source of their own (" +
                        rest + ")")
        ->type_name("NAME=SOURCE");
    options.add_option("--shape", settings.shapes, "the shape of an input: NAME=1,224,224,3")
        ->type_name("NAME=SIZES");
    options.add_option("--threads", settings.threads, "threads that may be used")
        ->check(CLI::Range(1, 1024));
    addBackEndOption(options, settings.backEnd);
    options.add_option(memoryLimit, settings.memoryLimit, "largest sum of all live tensors")
        ->type_name("BYTES");
    options.add_flag("--allow-files,--allow_files", settings.allowFiles,
                     "let the graph read and write files outside its own folder");
}

void addRunOptions(VerbCall& call, RunSettings& settings, bool originalSpelling)
{
    CLI::App& options = call.options();
    addFeedOptions(options, settings, "zeros",
                   originalSpelling ? "--memory-limit,--memory_limit" : "--memory-limit");
    options.add_option("--fetch", settings.fetches, "tensors to compute; the likely outputs")
        ->type_name("NAME");
    options.add_option("--target", settings.targets, "nodes to run without their values")
        ->type_name("NODE");
    options.add_option("--signature", settings.signature, "inputs and outputs of this signature");
    options.add_flag("--fuse,!--no-fuse", settings.fuse,
                     "compute convolutions and products and what follows them at once; on unless "
                     "--no-fuse is given");
}

std::string missingText(const std::vector<MissingKernel>& missing)
{
    constexpr std::size_t most = 8;
    std::string text;
    for (const MissingKernel& kernel : missing) {
        text += (text.empty() ? "" : "; ") + kernel.op + " (";
        for (std::size_t i = 0; i < std::min(most, kernel.nodes.size()); ++i)
            text += (i == 0 ? "" : ", ") + kernel.nodes[i];
        if (kernel.nodes.size() > most)
            text += " and " + std::to_string(kernel.nodes.size() - most) + " more";
        text += ")";
    }
    return text;
}

Result<PreparedRun> prepareRun(const GraphEntry& entry, const std::string& path,
                               const RunSettings& settings, const Job& job)
{
    const auto limit = parseByteCount(settings.memoryLimit);
    if (!limit)
        return Error{ErrorCode::InvalidArgument,
                     "--memory-limit " + settings.memoryLimit + ": write bytes, or 512M, or 4G"};
    auto backEnd = backEndFor(*entry.graph, settings.backEnd);
    if (!backEnd)
        return backEnd.error();
    const auto plan = readFeeds(settings.feeds, *entry.graph);
    if (!plan)
        return plan.error();
    auto likely = likelyInterface(entry, settings.signature);
    if (!likely)
        return likely.error();
    auto inputs = inputsToFeed(entry, plan.value(), settings, std::move(likely.value().inputs));
    if (!inputs)
        return inputs.error();
    PreparedRun prepared{Session(entry.graph, {.threads = settings.threads,
                                               .memoryLimit = *limit,
                                               .folder = modelFolder(path),
                                               .allowFiles = settings.allowFiles,
                                               .fuse = settings.fuse,
                                               .backEnd = settings.backEnd}),
                         {},
                         {},
                         std::move(backEnd).value()};
    RunRequest& request = prepared.request;
    for (const std::string& fetch : settings.fetches)
        request.fetches.push_back(withPort(fetch));
    request.targets = settings.targets;
    if (request.fetches.empty() && request.targets.empty())
        request.fetches = likely.value().outputs;
    for (const FeedTarget& input : inputs.value())
        if (!isFedOnDemand(*entry.graph, input, plan.value()))
            request.feeds.emplace_back(input.tensor, Value());
    prepared.missing = prepared.session.missingKernels(request);
    if (!prepared.missing.empty() && settings.reportsMissing)
        return prepared;
    if (!prepared.missing.empty())
        return Error{ErrorCode::Unsupported, "cannot be run: no kernel for " +
                                                 missingText(prepared.missing) +
                                                 "; fetch a tensor before them"};
    if (const Status loaded = loadVariables(prepared.session, entry, path, job); !loaded)
        return loaded.error();
    if (settings.onlyGivenInputs)
        return prepared;
    for (auto& [tensor, value] : request.feeds) {
        const auto input = std::ranges::find(inputs.value(), tensor, &FeedTarget::tensor);
        const auto source = plan.value().sources.find(tensor);
        auto made = makeFeed(
            *input, source == plan.value().sources.end() ? plan.value().rest : source->second,
            prepared.session.pool(), job);
        if (!made)
            return made.error();
        value = std::move(made).value();
    }
    return prepared;
}

} // namespace lapidary
