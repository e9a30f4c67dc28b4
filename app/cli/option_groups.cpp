// SPDX-License-Identifier: Apache-2.0
#include "app/cli/option_groups.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace lapidary {
namespace {

struct Heading {
    std::string_view title;
    // Long names without the leading dashes, with '-' for '_'.
    std::span<const std::string_view> names;
};

constexpr std::array<std::string_view, 20> runs{
    "feed",     "shape",   "fetch",       "target",     "signature",  "inputs",      "outputs",
    "init-ops", "samples", "images",      "input-mean", "input-std",  "labels",      "truth",
    "against",  "image",   "input-layer", "runs",       "checkpoint", "initializers"};
constexpr std::array<std::string_view, 11> limits{
    "threads", "backend", "memory-limit", "allow-files", "sandbox", "no-sandbox",
    "fuse",    "no-fuse", "time-limit",   "node-limit",  "depth"};
constexpr std::array<std::string_view, 6> judges{"verify",   "abs",        "rel",
                                                 "min-sqnr", "min-cosine", "min-top1"};
constexpr std::array<std::string_view, 32> tools{"in-graph",           "out-graph",
                                                 "output-as-text",     "graph",
                                                 "input-layer",        "input-layer-shape",
                                                 "input-layer-type",   "input-layer-values",
                                                 "output-layer",       "target-layer",
                                                 "max-num-runs",       "max-time",
                                                 "inference-delay",    "inter-benchmark-delay",
                                                 "num-threads",        "benchmark-name",
                                                 "output-prefix",      "show-sizes",
                                                 "show-run-order",     "run-order-limit",
                                                 "show-time",          "time-rows",
                                                 "show-memory",        "memory-rows",
                                                 "show-type",          "show-summary",
                                                 "show-flops",         "input-graph",
                                                 "input-meta-graph",   "input-saved-model-dir",
                                                 "checkpoint-version", "warmup-runs"};

constexpr std::array<Heading, 4> headings{{{"Flags of TensorFlow's tools", tools},
                                           {"Inputs and outputs", runs},
                                           {"Accuracy", judges},
                                           {"Limits", limits}}};

std::string longName(const CLI::Option& option)
{
    if (option.get_lnames().empty())
        return "";
    std::string name = option.get_lnames().back();
    std::ranges::replace(name, '_', '-');
    return name;
}

// Returns "N" for a number, whatever its bounds; empty if the type tells enough.
std::string plainType(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    if (type.find(':') == std::string::npos)
        return "";
    const bool isNumber =
        type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
    return isNumber ? "N" : type.substr(0, type.find(':'));
}

} // namespace

void groupOptions(CLI::App& options)
{
    constexpr std::size_t fewOptions = 14;
    const auto all = options.get_options();
    for (CLI::Option* option : all) {
        if (const std::string type = plainType(*option); !type.empty())
            option->option_text(type);
        const auto heading = std::ranges::find_if(headings, [&](const Heading& candidate) {
            return std::ranges::find(candidate.names, longName(*option)) != candidate.names.end();
        });
        if (all.size() > fewOptions && heading != headings.end() && !option->get_positional())
            option->group(std::string(heading->title));
    }
}

std::string readableHelp(const CLI::App& options)
{
    std::string text = options.help();
    for (const std::string_view mark : {"{plain}", "{false}"})
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
            text.erase(at, mark.size());
    return text;
}

} // namespace lapidary
