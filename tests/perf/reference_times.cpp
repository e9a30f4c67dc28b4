// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/reference_times.h"

#include "tests/source_folder.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <nlohmann/json.hpp>

namespace lapidary::perf {
namespace {

using nlohmann::json;

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

// Returns the output of reference_bench.py beside `script` in that mode; discarded if there is
// none.
json benchAnswer(const std::string& script, const std::string& mode, const std::string& model,
                 const std::string& words)
{
    if (script.empty())
        return {};
    const auto bench = std::filesystem::path(script).parent_path() / "reference_bench.py";
    return json::parse(outputOf("'" + script + "' '" + bench.string() + "' " + mode + " '" + model +
                                "'" + words + " 2>/dev/null"),
                       nullptr, false);
}

} // namespace

std::string sharedFolder()
{
    if (const char* folder = std::getenv("LAPIDARY_SHARED"))
        return folder;
    return (sourceFolder().parent_path() / "shared").string();
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
    std::string words;
    for (const std::string& feed : feeds)
        words += " --feed '" + feed + "'";
    words += " --fetch";
    for (const std::string& fetch : fetches)
        words += " '" + fetch + "'";
    words += " --threads " + std::to_string(threads) + " --seconds " + std::to_string(seconds) +
             " --runs 1000 --no-cold";
    const json answer = benchAnswer(script, "run", model, words);
    if (!answer.is_object() || !answer.contains("min_ms"))
        return {};
    return {{answer.value("min_ms", 0.0), answer.value("median_ms", 0.0)},
            answer.value("import_ms", 0.0) + answer.value("first_ms", 0.0)};
}

double referenceTransformMs(const std::string& script, const std::string& model,
                            const std::string& inputs, const std::string& outputs,
                            const std::string& transforms)
{
    const json answer = benchAnswer(script, "transform", model,
                                    " --inputs '" + inputs + "' --outputs '" + outputs +
                                        "' --transforms '" + transforms + "' --runs 7");
    return answer.is_object() ? answer.value("call_min_ms", 0.0) : 0;
}

} // namespace lapidary::perf
