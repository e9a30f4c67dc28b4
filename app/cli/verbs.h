// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "app/cli/verb_list.h"

#include <span>
#include <string>
#include <string_view>

namespace lapidary {

struct Verb {
    std::string_view name;
    std::string_view synopsis; // "freeze FILE -o OUT": the name and what it cannot do without
    std::string_view summary;  // one sentence, shown in --help
    std::string_view example;  // a whole command, shown in --help
    int (*run)(const Verb& verb, std::span<const std::string> arguments, Console& console);
    std::string_view chapter = {}; // of the handbook, without ".md"; empty where none says more
    bool runsGraphs = false;       // then it calls startGuarded() (guard.h)
    bool needsWindow = false;      // the part of the program that links Qt answers instead of run()
};

// The verbs of the folder, sorted by the names of their files.
std::span<const Verb* const> listedVerbs();

// A tool of TensorFlow that this program stands in for when it is called by the tool's name: flags,
// text and exit codes are the tool's.
struct ReplacedTool {
    std::string_view name;
    int (*run)(std::string_view calledAs, std::span<const std::string> arguments, Console& console);
    bool runsGraphs = false;
};
namespace tools {
extern const ReplacedTool benchmarkModel;
extern const ReplacedTool compareGraphs;
extern const ReplacedTool convertGraphdefMemmappedFormat;
extern const ReplacedTool freezeGraph;
extern const ReplacedTool graphToDot;
extern const ReplacedTool importPbToTensorboard;
extern const ReplacedTool labelImage;
extern const ReplacedTool optimizeForInference;
extern const ReplacedTool printSelectiveRegistrationHeader;
extern const ReplacedTool stripUnused;
extern const ReplacedTool summarizeGraph;
extern const ReplacedTool transformGraph;
} // namespace tools

} // namespace lapidary
