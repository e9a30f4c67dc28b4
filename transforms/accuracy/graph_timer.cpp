// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/graph_timer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace lapidary {
namespace {

constexpr int mostRounds = 5;
constexpr int turns = 2;              // runs of each graph in a round
constexpr double enoughSeconds = 1.5; // no round begins later, except the first two
constexpr std::int64_t notTimed = std::numeric_limits<std::int64_t>::max();

class Stopwatch {
public:
    std::int64_t nanoseconds() const
    {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::steady_clock::now() - m_begin)
            .count();
    }
    double seconds() const { return double(nanoseconds()) * 1e-9; }

private:
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

// Runs the graph and sets `least` to the time if that is less.
Status runTimed(PreparedRun& prepared, std::int64_t& least, const Job& job)
{
    const Stopwatch watch;
    RETURN_IF_ERROR(prepared.session.run(prepared.request, job));
    least = std::min(least, std::max<std::int64_t>(watch.nanoseconds(), 1));
    return Done{};
}

// The first run brings the weights into the order that the kernels want.
Status warmUp(PreparedRun& prepared, const Job& job)
{
    std::int64_t ignored = notTimed;
    return runTimed(prepared, ignored, job);
}

// Returns whether another round follows.
bool goesOn(int round, const Stopwatch& watch)
{
    return round < 2 || (round < mostRounds && watch.seconds() < enoughSeconds);
}

} // namespace

Result<GraphTimer> GraphTimer::make(const GraphPtr& original, const NoiseMeter& meter,
                                    const Job& job)
{
    GraphTimer timer(meter);
    ASSIGN_OR_RETURN(timer.m_original, meter.prepared(original, meter.tensors(), job));
    RETURN_IF_ERROR(warmUp(*timer.m_original, job));
    const Stopwatch watch;
    timer.m_nanoseconds = notTimed;
    for (int round = 0; goesOn(round, watch); ++round)
        for (int turn = 0; turn < turns; ++turn)
            RETURN_IF_ERROR(runTimed(*timer.m_original, timer.m_nanoseconds, job));
    return timer;
}

Result<std::int64_t> GraphTimer::of(const GraphPtr& graph, std::vector<std::string> tensors,
                                    const Job& job)
{
    ASSIGN_OR_RETURN(auto prepared, m_meter->prepared(graph, std::move(tensors), job));
    RETURN_IF_ERROR(warmUp(prepared, job));
    std::int64_t own = notTimed;
    std::int64_t original = notTimed;
    const Stopwatch watch;
    for (int round = 0; goesOn(round, watch); ++round)
        for (int turn = 0; turn < turns; ++turn) {
            RETURN_IF_ERROR(runTimed(*m_original, original, job));
            RETURN_IF_ERROR(runTimed(prepared, own, job));
        }
    return std::llround(double(own) * double(m_nanoseconds) / double(original));
}

Result<std::map<std::string, std::int64_t>> GraphTimer::nodesOf(const GraphPtr& graph,
                                                                const Job& job)
{
    ASSIGN_OR_RETURN(auto prepared, m_meter->prepared(graph, m_meter->tensors(), job));
    RETURN_IF_ERROR(warmUp(prepared, job));
    std::map<std::string, std::int64_t> least;
    const Stopwatch watch;
    for (int round = 0; goesOn(round, watch); ++round) {
        std::map<std::string, std::int64_t> now;
        RETURN_IF_ERROR(prepared.session.run(
            prepared.request, job, [&](const NodeRun& run, std::span<const Value> /*outputs*/) {
                now[std::string(run.definition->name())] += run.nanoseconds;
            }));
        for (const auto& [name, nanoseconds] : now)
            if (const auto [known, isNew] = least.emplace(name, nanoseconds); !isNew)
                known->second = std::min(known->second, nanoseconds);
    }
    return least;
}

} // namespace lapidary
