// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/cold_start.h"

#include "graph_model/read/model_file.h"
#include "tests/perf/bench_models.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lapidary::perf {
namespace {

using Clock = std::chrono::steady_clock;

double anonymousMb()
{
    constexpr const char* what = "RssAnon:";
    std::ifstream file("/proc/self/status");
    std::string line;
    while (std::getline(file, line))
        if (line.starts_with(what))
            return std::atof(line.c_str() + std::string(what).size()) * 1024 / 1e6;
    return 0;
}

// Checks every half millisecond.
class PeakWatch {
public:
    PeakWatch()
        : m_thread([this] {
            while (!m_stop) {
                m_peak = std::max(m_peak, anonymousMb());
                std::this_thread::sleep_for(std::chrono::microseconds(500));
            }
        })
    {
    }
    double stop()
    {
        m_stop = true;
        m_thread.join();
        return m_peak;
    }

private:
    std::atomic<bool> m_stop{false};
    double m_peak = 0;
    std::thread m_thread;
};

double weightsMb(const std::string& file)
{
    const auto read = readModel(file, Job(), {.check = false});
    double bytes = 0;
    if (read && !read.value().graphs.empty())
        for (const NodePtr& node : read.value().graphs.front().graph->nodes())
            if (node->op() == "Const")
                if (const auto tensor = node->tensor())
                    bytes += double(tensor->elements()) * double(dtypeSize(tensor->dtype()));
    return bytes / 1e6;
}

} // namespace

int runCold(const std::string& file, const std::string& name)
{
    const auto model =
        std::ranges::find_if(benchModels(), [&](const BenchModel& m) { return m.name == name; });
    if (model == benchModels().end())
        return 1;
    auto runnable = openModel(file, *model, 1);
    if (!runnable || !runnable->session.run(runnable->request, Job()))
        return 1;
    std::printf("first\n");
    std::fflush(stdout);
    // Runs it again, now watching its memory, which takes time. The memory used so far is the
    // program's own: libraries and the code that they generated.
    runnable.reset();
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    PeakWatch watch; // the memory that it has before
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const double before = anonymousMb();
    runnable = openModel(file, *model, 1);
    constexpr int runs = 5;
    for (int i = 0; i < runs; ++i)
        static_cast<void>(runnable->session.run(runnable->request, Job()));
    const double peak = watch.stop();
    std::printf("%f %f %f %f\n", before, peak, weightsMb(file),
                double(runnable->session.pool().peakBytes()) / 1e6);
    return 0;
}

std::optional<ColdStart> coldStart(const std::string& program, const std::string& file,
                                   const std::string& model)
{
    const auto begin = Clock::now();
    const std::string command = "'" + program + "' --cold '" + file + "' '" + model + "'";
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr)
        return std::nullopt;
    char line[256] = "";
    ColdStart result;
    const bool isFirst = std::fgets(line, sizeof line, pipe) != nullptr;
    result.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    const bool isRead =
        isFirst && std::fscanf(pipe, "%lf %lf %lf %lf", &result.beforeMb, &result.peakMb,
                               &result.weightsMb, &result.liveMb) == 4;
    pclose(pipe);
    return isRead ? std::optional(result) : std::nullopt;
}

} // namespace lapidary::perf
