// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/repro_script.h"

#include "graph_model/base/sha256.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"

#include <algorithm>
#include <system_error>

#include <fnmatch.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view checkpointParameter = "input_checkpoint";

// The beginning of the script. It contains no file name, since a name could end the line.
constexpr std::string_view head = R"sh(#!/bin/sh
# Makes a transformed graph again, from the file that it was made of, and checks the SHA-256 of both.
#     sh THIS_FILE [INPUT [OUTPUT]]
# INPUT and OUTPUT stand for other places than those below; LAPIDARY names the program to run.
# Written by Lapidary )sh";
constexpr std::string_view tools = R"sh(
set -eu
lapidary=${LAPIDARY:-lapidary}

fail() {
    echo "$0: $1" >&2
    exit 1
}

sha256() {
    if command -v sha256sum >/dev/null; then
        sha256sum <"$1" | cut -c 1-64
    else
        shasum -a 256 <"$1" | cut -c 1-64
    fi
}

# check SHA256 FILE
check() {
    [ -r "$2" ] || fail "$2: cannot be read"
    [ "$(sha256 "$2")" = "$1" ] || fail "$2: is another file than the one used; its SHA-256 is not $1"
}
)sh";
constexpr std::string_view ending = R"sh(
[ "$(sha256 "$part")" = "$wanted" ] ||
    fail "another graph was made, which was not kept; its SHA-256 is not $wanted"
mv "$part" "$output"
trap - EXIT
echo "$output: made again, SHA-256 $wanted"
)sh";

fs::path wholePath(const fs::path& path)
{
    std::error_code failed;
    fs::path whole = fs::absolute(path, failed).lexically_normal();
    return failed ? path : whole;
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ",") + word;
    return text;
}

// Returns the options after the input's name, one to an element, without the output.
std::vector<std::string> options(const Reproduction& made, const std::string& recipe)
{
    std::vector<std::string> words;
    if (made.graphNumber)
        words.push_back("--meta-graph=" + std::to_string(*made.graphNumber));
    if (!made.inputs.empty())
        words.push_back("--inputs=" + shellQuoted(joined(made.inputs)));
    if (!made.outputs.empty())
        words.push_back("--outputs=" + shellQuoted(joined(made.outputs)));
    words.push_back("--transforms=" + shellQuoted(recipe));
    if (made.isText)
        words.emplace_back("--output_as_text");
    return words;
}

// Names checkpoints by their whole path, so that the script may be run anywhere.
Recipe withWholePaths(const Recipe& recipe)
{
    Recipe whole;
    for (const RecipeStep& step : recipe) {
        RecipeStep& copy = whole.emplace_back(RecipeStep{step.pass, {}});
        for (const auto& [name, value] : step.parameters.entries())
            copy.parameters.add(name,
                                name == checkpointParameter ? wholePath(value).string() : value);
    }
    return whole;
}

// Writes a line for each file of a checkpoint, which is named by its prefix or a pattern of its
// files.
Status addCheckpoint(const fs::path& prefix, std::string& text, const Job& job)
{
    std::error_code fault;
    const std::string name = prefix.filename().string();
    std::vector<fs::path> files;
    for (fs::directory_iterator at(prefix.parent_path(), fault), end; !fault && at != end;
         at.increment(fault)) {
        const std::string file = at->path().filename().string();
        std::error_code unknown;
        if (at->is_regular_file(unknown) &&
            (file == name || file == name + ".index" || file.starts_with(name + ".data-") ||
             fnmatch(name.c_str(), file.c_str(), 0) == 0))
            files.push_back(at->path());
    }
    if (fault || files.empty())
        return Error{ErrorCode::NotFound, prefix.string() + ": there is no such checkpoint"};
    std::ranges::sort(files);
    for (const fs::path& file : files) {
        ASSIGN_OR_RETURN(const auto digest, fileSha256(file, job));
        text += "check " + digest + " " + shellQuoted(file.string()) + "\n";
    }
    return Done{};
}

Result<std::string> checks(const Reproduction& made, const Recipe& recipe, const Job& job)
{
    ASSIGN_OR_RETURN(const auto inputs, fileDigests(made.input, job));
    std::string text;
    for (const FileDigest& file : inputs)
        text += "check " + file.sha256 + " \"$input\"" +
                (file.name.empty() ? "" : "/" + shellQuoted(file.name)) + "\n";
    for (const RecipeStep& step : recipe)
        for (const std::string& prefix : step.parameters.all(checkpointParameter))
            RETURN_IF_ERROR(addCheckpoint(prefix, text, job));
    return text;
}

// Looks for the files at their old paths, then in the script's folder and the current one.
std::string places(const Reproduction& made)
{
    const fs::path input = wholePath(made.input);
    const fs::path result = wholePath(made.result);
    return "\ninput=" + shellQuoted(input.string()) +
           "\n[ -e \"$input\" ] || input=$(dirname \"$0\")/" +
           shellQuoted(input.filename().string()) +
           "\ninput=${1:-\"$input\"}\noutput=" + shellQuoted(result.string()) +
           "\n[ -d \"$(dirname \"$output\")\" ] || output=" +
           shellQuoted(result.filename().string()) + "\noutput=${2:-\"$output\"}\n";
}

} // namespace

std::string shellQuoted(std::string_view word)
{
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string transformCommand(const Reproduction& made)
{
    std::string text = "lapidary transform " + shellQuoted(made.input.string());
    for (const std::string& word : options(made, printRecipe(made.recipe)))
        text += " " + word;
    return text + " -o " + shellQuoted(made.result.string());
}

Result<std::string> reproScript(const Reproduction& made, const Job& job)
{
    const Recipe recipe = withWholePaths(made.recipe);
    ASSIGN_OR_RETURN(const auto checked, checks(made, recipe, job));
    std::string steps;
    for (const RecipeStep& step : recipe)
        steps += "\n        " + printRecipe({step});
    std::string text(head);
    text += made.version + "\n" + std::string(tools) + places(made) +
            "wanted=" + made.resultSha256 + "\n\n" + checked +
            "if [ -e \"$output\" ] && [ \"$output\" -ef \"$input\" ]; then\n"
            "    fail \"$output: is the input itself\"\nfi\n\npart=$output.part$$\n"
            "trap 'rm -f \"$part\"' EXIT\ntrap 'exit 1' HUP INT TERM\n"
            "\"$lapidary\" transform \"$input\" \\\n";
    for (const std::string& word : options(made, steps))
        text += "    " + word + " \\\n";
    text += "    -o \"$part\"\n" + std::string(ending);
    if (text.find('\0') != std::string::npos)
        return Error{ErrorCode::Unsupported,
                     "a name in the recipe holds a zero byte, which no script can hold"};
    return text;
}

Status writeReproScript(const fs::path& path, std::string_view script)
{
    RETURN_IF_ERROR(writeFileAtomically(path, script));
    std::error_code ignored; // if it fails, "sh FILE" still runs the script
    const fs::perms read = fs::status(path, ignored).permissions();
    fs::perms run = fs::perms::owner_exec;
    if ((read & fs::perms::group_read) != fs::perms::none)
        run |= fs::perms::group_exec;
    if ((read & fs::perms::others_read) != fs::perms::none)
        run |= fs::perms::others_exec;
    fs::permissions(path, run, fs::perm_options::add, ignored);
    return Done{};
}

Result<std::string> graphSha256(const Graph& graph, bool asText, const Job& job)
{
    if (asText) {
        ASSIGN_OR_RETURN(const auto text, graphDefText(graph));
        return sha256Of(text);
    }
    Sha256 digest;
    const Status added = graphDefSource(graph)([&](std::string_view bytes) -> Status {
        if (job.cancelled())
            return cancelledError();
        digest.add(bytes);
        return Done{};
    });
    RETURN_IF_ERROR(added);
    return digest.finish();
}

} // namespace lapidary
