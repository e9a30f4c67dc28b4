// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/boxed_runs.h"

#include <string_view>

namespace lapidary {

// The first argument of a program that is called to run a graph for another process of it, followed
// by the files of the message and of the graphs.
inline constexpr std::string_view boxedWorkFlag = "--boxed-work";
// Before a share of the work in a line of standard error.
inline constexpr std::string_view progressWord = "progress ";
// Before the numbers of a RunningScore, likewise.
inline constexpr std::string_view scoreWord = "score ";
// Before what a search has found so far without its points, and before one more point (wordOf()).
inline constexpr std::string_view searchWord = "search ";
inline constexpr std::string_view pointWord = "point ";

// The work itself, in whatever process this is.
Result<Verification> verifyHere(const VerifyTask& task, const Job& job);

} // namespace lapidary
