#include "tests/perf/reference_times.h"

#include <cstdio>
#include <filesystem>

#include <nlohmann/json.hpp>

namespace lapidary::perf {

std::vector<double> referenceMilliseconds(const std::string& script, const std::string& model,
                                          const std::string& feed, const Dims& dims,
                                          const std::string& fetch, int threads)
{
    if (script.empty())
        return {};
    const auto bench = std::filesystem::path(script).parent_path() / "reference_bench.py";
    std::string shape;
    for (const std::int64_t dim : dims)
        shape += (shape.empty() ? "" : ",") + std::to_string(dim);
    const std::string command = "'" + script + "' '" + bench.string() + "' run '" + model +
                                "' --feed '" + feed + "=float:" + shape + "' --fetch '" + fetch +
                                "' --threads " + std::to_string(threads) +
                                " --seconds 4 --runs 30 --no-cold 2>/dev/null";
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr)
        return {};
    std::string text;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
        text.append(buffer, count);
    pclose(pipe);
    const auto answer = nlohmann::json::parse(text, nullptr, false);
    if (!answer.is_object() || !answer.contains("min_ms"))
        return {};
    return {answer.value("min_ms", 0.0), answer.value("median_ms", 0.0)};
}

} // namespace lapidary::perf
