// SPDX-License-Identifier: Apache-2.0
#include "app/cli/guard.h"

#include "app/base/exit_codes.h"
#include "app/cli/interrupt.h"
#include "app/cli/run_flags.h"
#include "runner/box/box.h"
#include "transforms/pass/pass.h"

#include <csignal>
#include <filesystem>
#include <variant>

#include <CLI/CLI.hpp>

namespace lapidary {
namespace {

int codeOf(const BoxEnd& end, const Console& console)
{
    if (end.signal == 0)
        return end.exitCode;
    if (end.isCancelled)
        return exit_code::cancelled;
    if (end.signal == SIGPIPE) { // the reader of the output has ended, which is not an error
        std::signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    console.complain(endSentence(end));
    return exit_code::failed;
}

} // namespace

void addGuardOptions(CLI::App& options, GuardFlags& flags)
{
    options
        .add_option("--time-limit", flags.seconds,
                    "stop with an error after this many seconds; default: no limit")
        ->check(CLI::Range(0.001, 1e9))
        ->type_name("SECONDS");
    options.add_flag("--sandbox,!--no-sandbox", flags.isBoxed,
                     "run the graph in a process without network and other programs, which can use "
                     "only the model's folder and the files named here; on by default");
}

std::optional<int> startGuarded(const GuardFlags& flags, const BoxGrants& grants,
                                const Console& console)
{
    // If the job cannot be interrupted, this is not the program but a test that calls it: a process
    // of many threads, which must not fork.
    if (flags.isBoxed && console.interrupt != nullptr) {
        const auto side = enterBox(grants, std::chrono::duration<double>(flags.seconds));
        if (!side) {
            console.complain(side.error().message + "; --no-sandbox runs the graph without one");
            return exit_code::failed;
        }
        if (side->end)
            return codeOf(*side->end, console);
        for (const std::string& what : side->missing)
            console.complain("this system cannot restrict " + what +
                             "; the sandbox leaves it open");
    }
    if (console.interrupt != nullptr)
        console.interrupt->start(flags.seconds);
    return {};
}

void grantFeeds(std::span<const std::string> feeds, BoxGrants& grants)
{
    for (const std::string& feed : feeds) {
        const std::size_t equals = feed.find('=');
        const auto source = parseFeedSource(
            std::string_view(feed).substr(equals == std::string::npos ? 0 : equals + 1));
        if (!source)
            continue; // planOf() reports this
        if (const auto* file = std::get_if<FileFeed>(&*source))
            grants.readable.emplace_back(file->path);
        else if (const auto* picture = std::get_if<PictureFeed>(&*source))
            grants.readable.emplace_back(picture->path);
    }
}

void grantRecipe(const Recipe& recipe, BoxGrants& grants)
{
    for (const RecipeStep& step : recipe) {
        const Pass* pass = findPass(step.pass);
        if (pass == nullptr)
            continue; // running the recipe reports this
        for (const ParameterSpec& spec : pass->parameters) {
            if (spec.role != ParameterRole::File)
                continue;
            for (const std::string& path : step.parameters.all(spec.name)) {
                std::error_code fault;
                if (std::filesystem::is_regular_file(path, fault))
                    grants.readable.emplace_back(path);
                else
                    grantModel(path, grants); // the folder with all files of a checkpoint
            }
        }
    }
}

} // namespace lapidary
