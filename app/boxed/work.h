// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/boxed_runs.h"
#include "runner/box/command_process.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace lapidary {

// The first argument of a program that another process of it calls to run a graph, followed by the
// files of the message and of the graphs.
inline constexpr std::string_view boxedWorkFlag = "--boxed-work";
// Precedes the finished share of the work in a line of standard error.
inline constexpr std::string_view progressWord = "progress ";
// Precedes the numbers of a RunningScore in such a line.
inline constexpr std::string_view scoreWord = "score ";
// Precede the results of a search so far, without its points, and one more point (wordOf()).
inline constexpr std::string_view searchWord = "search ";
inline constexpr std::string_view pointWord = "point ";

// Returns the program that runs graphs; empty: this process does. The caller may change it.
std::filesystem::path& helper();

// Returns the error of a process that ended without an answer. `said`: its standard error.
Error lostError(const CommandEnd& end, const std::string& said);

// Decodes an answer: its error, or its result converted by `read`.
template <class Read>
auto readAnswer(std::string_view bytes, const Read& read)
    -> Result<decltype(read(std::declval<const Message&>()))>
{
    using Answer = Result<decltype(read(std::declval<const Message&>()))>;
    auto answer = decodeMessage(bytes, [&](const Message& said) -> Answer {
        const auto error = said.find("error");
        return error == said.end() ? Answer(read(said.at("result"))) : Answer(errorOf(*error));
    });
    if (!answer)
        return answer.error();
    return *std::move(answer);
}

// Reads a graph that another process wrote.
Result<GraphPtr> readGraphOf(const std::string& file, const Job& job);

// Verifies two graphs in this process.
Result<Verification> verifyHere(const VerifyTask& task, const Job& job);

} // namespace lapidary
