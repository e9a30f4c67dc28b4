// SPDX-License-Identifier: Apache-2.0
#include "app/cli/benchmark/benchmark_phases.h"

#include "graph_model/base/digits.h"
#include "graph_model/base/wire.h"
#include "graph_model/write/write_model.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <filesystem>
#include <thread>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

// Sleeps, but checks often enough whether the job is cancelled; returns false if it is.
bool sleepFor(double seconds, const Job& job)
{
    if (seconds <= 0)
        return !job.cancelled();
    const auto end =
        Clock::now() + std::chrono::nanoseconds(std::int64_t(std::min(seconds, 1e9) * 1e9));
    while (!job.cancelled() && Clock::now() < end)
        std::this_thread::sleep_for(
            std::min<Clock::duration>(end - Clock::now(), std::chrono::milliseconds(40)));
    return !job.cancelled();
}

std::int64_t nanosecondsSince(Clock::time_point begin)
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

Result<Series> runPhase(Session& session, const RunRequest& request, const PhaseLimits& limits,
                        RunProfile* profile, const SayLine& say, const Job& job)
{
    say("Running benchmark for max " + std::to_string(limits.maxRuns) + " iterations, max " +
        sixDigits(limits.maxSeconds) + " seconds " + (profile != nullptr ? "with" : "without") +
        " detailed stat logging, with " + sixDigits(limits.sleepSeconds) +
        "s sleep between inferences");
    Series micros;
    std::int64_t total = 0; // including the time for its statistics
    for (std::int64_t i = 0; limits.maxRuns <= 0 || i < limits.maxRuns; ++i) {
        if (profile != nullptr)
            profile->begin();
        const auto begin = Clock::now();
        const auto answer =
            session.run(request, job, profile != nullptr ? profile->observer() : ObserveNode());
        const std::int64_t time = nanosecondsSince(begin);
        if (!answer) {
            say("Failed on run " + std::to_string(i));
            return answer.error();
        }
        if (profile != nullptr)
            profile->end(time);
        micros.add(time / 1000);
        total += nanosecondsSince(begin);
        if (limits.maxSeconds > 0 && double(total) / 1e9 > limits.maxSeconds)
            break;
        if (!sleepFor(limits.sleepSeconds, job))
            return cancelledError();
    }
    say(micros.text());
    say("");
    return micros;
}

std::string entryFile(const std::string& name, std::int64_t runs, double seconds, double throughput)
{
    const double count = double(std::max<std::int64_t>(runs, 1));
    std::string entry;
    WireWriter writer(entry);
    const auto number = [&](std::uint32_t field, double value) {
        appendVarint(entry, field << 3 | 1U);
        const auto bits = std::bit_cast<std::uint64_t>(value);
        for (int i = 0; i < 8; ++i)
            entry += char(bits >> (8 * i) & 0xFF);
    };
    writer.bytes(1, name);
    writer.varint(2, std::uint64_t(runs));
    number(3, -1.0 / count);
    number(4, seconds / count);
    number(5, throughput);
    std::string entries;
    WireWriter(entries).bytes(1, entry);
    return entries;
}

Status writeNew(const std::string& path, const std::string& bytes)
{
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored))
        return Error{ErrorCode::Io, path + ": is already there; results are never overwritten"};
    return writeFileAtomically(path, bytes);
}

} // namespace

Result<BenchmarkTimes> runPhases(Session& session, const RunRequest& request,
                                 const BenchmarkFlags& flags, RunProfile& profile,
                                 const SayLine& say, const Job& job)
{
    const auto maxSeconds = secondsFlag("max_time", flags.maxTime);
    const auto sleep = secondsFlag("inference_delay", flags.inferenceDelay);
    const auto between = secondsFlag("inter_benchmark_delay", flags.benchmarkDelay);
    for (const auto* seconds : {&maxSeconds, &sleep, &between})
        if (!*seconds)
            return seconds->error();
    if (flags.maxRuns <= 0 && maxSeconds.value() <= 0)
        return Error{ErrorCode::InvalidArgument,
                     "--max_num_runs and --max_time: one of them must be a limit"};
    BenchmarkTimes times;
    if (flags.warmupRuns > 0) {
        ASSIGN_OR_RETURN(auto warmup,
                         runPhase(session, request, {flags.warmupRuns, -1, -1}, nullptr, say, job));
        times.warmup = std::move(warmup);
    }
    const PhaseLimits limits{flags.maxRuns, maxSeconds.value(), sleep.value()};
    for (const bool isTraced : {false, true}) {
        if (!sleepFor(between.value(), job))
            return cancelledError();
        ASSIGN_OR_RETURN(auto phase, runPhase(session, request, limits,
                                              isTraced ? &profile : nullptr, say, job));
        (isTraced ? times.traced : times.plain) = std::move(phase);
    }
    return times;
}

std::string averagesText(const BenchmarkTimes& times, int warmupRuns)
{
    const auto average = [](const Series& series) {
        return std::to_string(series.count() == 0 ? 0 : series.sum() / series.count());
    };
    return "Average inference timings in us: Warmup: " +
           (warmupRuns > 0 ? average(times.warmup) : "0") + ", no stats: " + average(times.plain) +
           ", with stats: " + average(times.traced);
}

Status writeResultFiles(const BenchmarkFlags& flags, const BenchmarkTimes& times,
                        double sessionSeconds, const Value* firstInput, const RunProfile& profile)
{
    if (flags.name.empty() || flags.outputPrefix.empty())
        return Done{};
    const auto write = [&](const std::string& postfix, std::int64_t runs, double seconds,
                           double throughput) {
        const std::string name = flags.name + (postfix.empty() ? "" : "_" + postfix);
        std::string file;
        for (const char c : name)
            file += c == '/' ? "__" : std::string(1, c);
        return writeNew(flags.outputPrefix + file, entryFile(name, runs, seconds, throughput));
    };
    const double warmup = double(times.warmup.sum()) / 1e6;
    const double plain = double(times.plain.sum()) / 1e6;
    const double bytes = firstInput != nullptr ? double(firstInput->byteCount()) : 0;
    const auto runs = times.plain.count();
    const double throughput = plain > 0 ? bytes * double(runs) / plain / (1024.0 * 1024.0) : -1;
    const double first = flags.warmupRuns > 0 ? warmup / flags.warmupRuns : 0;
    for (const Status& status :
         {write("", runs, plain, throughput), write("meta-init", 1, sessionSeconds, -1),
          write("meta-first-inference", std::max(flags.warmupRuns, 0), warmup, -1),
          write("meta-init-plus-first-inference", 1, sessionSeconds + first, -1)})
        if (!status)
            return status;
    const auto traced = times.traced.count();
    for (const auto& type : profile.statistics().types())
        if (Status status =
                write(type.type, traced, double(type.micros) * double(traced) / 1e6, -1);
            !status)
            return status;
    return Done{};
}

} // namespace lapidary
