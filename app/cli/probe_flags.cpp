// SPDX-License-Identifier: Apache-2.0
#include "app/cli/probe_flags.h"

#include "transforms/pass/number_values.h"

#include <cmath>

#include <CLI/CLI.hpp>

namespace lapidary {
namespace {

Result<SeededRange> rangeOf(const std::string& text)
{
    if (text.empty())
        return SeededRange();
    const std::size_t comma = text.find(',');
    const auto low = floatValue(text.substr(0, comma));
    const auto high =
        comma == std::string::npos ? std::optional<float>() : floatValue(text.substr(comma + 1));
    if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || *low >= *high)
        return Error{ErrorCode::InvalidArgument,
                     "--input-range takes two numbers, LOW,HIGH, as in -1,1; not '" + text + "'"};
    return SeededRange{double(*low), double(*high)};
}

} // namespace

void addProbeOptions(CLI::App& options, ProbeFlags& flags)
{
    options.add_option("--inputs", flags.inputs, "names of the inputs; default: the likely ones")
        ->delimiter(',');
    options
        .add_option("--outputs", flags.outputs, "names of the outputs; default: the likely ones")
        ->delimiter(',');
    options.add_option("--probes", flags.probes, "how many random inputs to run; default: 16")
        ->check(CLI::Range(1, 100000));
    options.add_option("--seed", flags.seed, "seed of the random inputs; default: 1");
    options.add_option("--input-range", flags.range, "range of the random inputs; default: -1,1")
        ->type_name("LOW,HIGH");
    options.add_option("--samples", flags.samples,
                       "a folder of pictures, .npy or .npz files to feed instead; pixels are "
                       "scaled to --input-range");
    addFeedOptions(options, flags.run, "random numbers");
}

Result<ProbePlan> planOf(const ProbeFlags& flags)
{
    ProbePlan plan;
    plan.count = flags.probes;
    plan.seed = flags.seed;
    ASSIGN_OR_RETURN(plan.range, rangeOf(flags.range));
    plan.samples = flags.samples;
    ASSIGN_OR_RETURN(plan.run, planOf(flags.run));
    return plan;
}

} // namespace lapidary
