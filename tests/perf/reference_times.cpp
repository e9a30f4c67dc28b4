#include "tests/perf/reference_times.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <nlohmann/json.hpp>

namespace lapidary::perf {
namespace {

std::string outputOf(const std::string& command)
{
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr)
        return "";
    std::string text;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
        text.append(buffer, count);
    pclose(pipe);
    return text;
}

} // namespace

std::string sharedFolder()
{
    if (const char* folder = std::getenv("LAPIDARY_SHARED"))
        return folder;
    return (std::filesystem::path(LAPIDARY_SOURCE_DIR).parent_path() / "shared").string();
}

std::string referenceScript(const std::string& given)
{
    const std::string script = given.empty() ? sharedFolder() + "/tools/reference.sh" : given;
    std::error_code ignored;
    return std::filesystem::exists(script, ignored) ? script : "";
}

ReferenceTimes referenceTimes(const std::string& script, const std::string& model,
                              const std::vector<std::string>& feeds,
                              const std::vector<std::string>& fetches, int threads, double seconds)
{
    if (script.empty())
        return {};
    const auto bench = std::filesystem::path(script).parent_path() / "reference_bench.py";
    std::string command = "'" + script + "' '" + bench.string() + "' run '" + model + "'";
    for (const std::string& feed : feeds)
        command += " --feed '" + feed + "'";
    command += " --fetch";
    for (const std::string& fetch : fetches)
        command += " '" + fetch + "'";
    command += " --threads " + std::to_string(threads) + " --seconds " + std::to_string(seconds) +
               " --runs 1000 --no-cold 2>/dev/null";
    const auto answer = nlohmann::json::parse(outputOf(command), nullptr, false);
    if (!answer.is_object() || !answer.contains("min_ms"))
        return {};
    return {{answer.value("min_ms", 0.0), answer.value("median_ms", 0.0)},
            answer.value("import_ms", 0.0) + answer.value("first_ms", 0.0)};
}

} // namespace lapidary::perf
