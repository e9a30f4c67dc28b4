// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"

#include <span>
#include <string>
#include <string_view>

namespace lapidary {

struct Verb {
    std::string_view name;
    std::string_view synopsis; // "freeze FILE -o OUT": the name and the required arguments
    std::string_view summary;  // one sentence, shown in --help
    std::string_view example;  // a whole command, shown in --help
    int (*run)(const Verb& verb, std::span<const std::string> arguments, Console& console);
    std::string_view chapter = {}; // of the handbook, without ".md"; empty: none
    bool runsGraphs = false;       // it must call startGuarded() (guard.h)
    bool needsWindow = false;      // the part of the program that links Qt answers instead of run()
};

// Returns the verbs of the folder, sorted by the names of their files.
std::span<const Verb* const> listedVerbs();

} // namespace lapidary
