// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_flags.h"

#include "graph_model/base/text.h"
#include "graph_model/interface/interface_flags.h"
#include "runner/guard/machine_memory.h"
#include "runner/int8/back_end.h"

#include <charconv>

namespace lapidary {
namespace {

Error wrongFlag(const std::string& flag, const std::string& value, const std::string& why)
{
    return {ErrorCode::InvalidArgument, flag + ' ' + value + ": " + why};
}

Status takeFeeds(const std::vector<std::string>& feeds, RunPlan& plan)
{
    for (const std::string& feed : feeds) {
        const std::size_t equals = feed.find('=');
        const bool isNamed = equals != std::string::npos;
        auto source = parseFeedSource(isNamed ? std::string_view(feed).substr(equals + 1) : feed);
        if (!source)
            return wrongFlag("--feed", feed, source.error().message);
        if (isNamed)
            plan.feeds.push_back({feed.substr(0, equals), *std::move(source)});
        else
            plan.otherInputs = *std::move(source);
    }
    return Done{};
}

Status takeShapes(const std::vector<std::string>& shapes, RunPlan& plan)
{
    for (const std::string& text : shapes) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos)
            return wrongFlag("--shape", text, "write NAME=1,224,224,3");
        auto shape = parseShape(text.substr(equals + 1));
        if (!shape)
            return wrongFlag("--shape", text, shape.error().message);
        plan.shapes.emplace_back(text.substr(0, equals), *std::move(shape));
    }
    return Done{};
}

void addResourceOptions(CLI::App& options, RunFlags& flags, const std::string& memoryLimit)
{
    options.add_option("--threads", flags.threads, "how many threads to use")
        ->check(CLI::Range(1, 1024));
    addBackEndOption(options, flags.backEnd);
    options
        .add_option(
            memoryLimit, flags.memoryLimit,
            "memory that a run may allocate; default: three quarters of the machine's memory")
        ->type_name("BYTES");
    options
        .add_option("--node-limit", flags.nodeLimit,
                    "how many nodes a run may execute, so that an endless loop ends with an error")
        ->check(CLI::Range(std::uint64_t(1), std::uint64_t(1) << 62))
        ->capture_default_str()
        ->type_name("N");
    addGuardOptions(options, flags.guard);
}

std::optional<std::uint64_t> memoryLimitOf(const RunFlags& flags)
{
    return flags.memoryLimit.empty() ? usualMemoryLimit() : parseByteCount(flags.memoryLimit);
}

} // namespace

Result<RunPlan> planOf(const RunFlags& flags)
{
    const auto limit = memoryLimitOf(flags);
    if (!limit)
        return wrongFlag("--memory-limit", flags.memoryLimit, "write bytes, or 512M, or 4G");
    if (!flags.backEnd.empty())
        if (const auto backEnd = int8::chooseBackEnd(flags.backEnd); !backEnd)
            return backEnd.error().within("--backend");
    RunPlan plan;
    RETURN_IF_ERROR(takeFeeds(flags.feeds, plan));
    RETURN_IF_ERROR(takeShapes(flags.shapes, plan));
    plan.fetches = flags.fetches;
    plan.targets = flags.targets;
    plan.signature = flags.signature;
    plan.session.threads = flags.threads;
    plan.session.memoryLimit = *limit;
    plan.session.maxNodeRuns = flags.nodeLimit;
    plan.session.allowFiles = flags.allowFiles;
    plan.session.fuse = flags.fuse;
    plan.session.backEnd = flags.backEnd;
    return plan;
}

BoxGrants grantsOf(const RunFlags& flags, const std::string& model)
{
    BoxGrants grants{.allFiles = flags.allowFiles, .memory = memoryLimitOf(flags).value_or(0)};
    if (!model.empty())
        grantModel(model, grants);
    grantFeeds(flags.feeds, grants);
    return grants;
}

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
    const std::string names =
        listed(int8::backEnds(), [](const int8::BackEnd* backEnd) { return backEnd->name; });
    options
        .add_option(
            "--backend", name,
            "library for 8-bit convolutions and matrix products; the results are the same: " +
                names + "; default: the fastest available")
        ->type_name("NAME");
}

void addResourceOptions(CLI::App& options, RunFlags& flags)
{
    addResourceOptions(options, flags, "--memory-limit,--memory_limit");
}

void addFeedOptions(CLI::App& options, RunFlags& flags, const std::string& rest,
                    const std::string& memoryLimit)
{
    options
        .add_option(
            "--feed", flags.feeds,
            "NAME=FILE|image:FILE[:MEAN:STD]|value:NUMBERS|zeros|ones|random[:SEED[:LOW:HIGH]]; "
            "without NAME= for all other inputs (default: " +
                rest + ")")
        ->type_name("NAME=SOURCE");
    options.add_option("--shape", flags.shapes, "the shape of an input: NAME=1,224,224,3")
        ->type_name("NAME=SIZES");
    addResourceOptions(options, flags, memoryLimit);
    options.add_flag("--allow-files,--allow_files", flags.allowFiles,
                     "let the graph read and write files outside its own folder");
}

void addRunOptions(VerbCall& call, RunFlags& flags, bool originalSpelling)
{
    CLI::App& options = call.options();
    addFeedOptions(options, flags, "zeros",
                   originalSpelling ? "--memory-limit,--memory_limit" : "--memory-limit");
    options
        .add_option("--fetch", flags.fetches,
                    "tensors to fetch, separated by commas; default: the likely outputs")
        ->delimiter(',')
        ->type_name("NAME");
    options
        .add_option("--target", flags.targets,
                    "nodes to run without fetching their values, separated by commas")
        ->delimiter(',')
        ->type_name("NODE");
    options.add_option("--signature", flags.signature,
                       "use the inputs and outputs of this signature");
    options.add_flag(
        "--fuse,!--no-fuse", flags.fuse,
        "fuse convolutions and matrix products with the ops that follow them; on by default");
}

} // namespace lapidary
