// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"

#include <span>
#include <string>
#include <string_view>

namespace lapidary {

struct Verb {
    std::string_view name;
    std::string_view summary; // one sentence, shown in --help
    std::string_view example; // a whole command, shown in --help
    int (*run)(const Verb& verb, std::span<const std::string> arguments, Console& console);
    bool runsGraphs = false; // then it calls startGuarded() (guard.h)
};

// Each in a file of its own name.
namespace verbs {
extern const Verb autopilot;
extern const Verb benchmark;
extern const Verb check;
extern const Verb compare;
extern const Verb convert;
extern const Verb device;
extern const Verb diff;
extern const Verb dot;
extern const Verb events;
extern const Verb evaluate;
extern const Verb exportModel;
extern const Verb find;
extern const Verb freeze;
extern const Verb interface;
extern const Verb kernels;
extern const Verb labelImage;
extern const Verb memmap;
extern const Verb optimize;
extern const Verb runGraph;
extern const Verb sensitivity;
extern const Verb shapes;
extern const Verb show;
extern const Verb strip;
extern const Verb summarize;
extern const Verb support;
extern const Verb transform;
extern const Verb verify;
} // namespace verbs

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
