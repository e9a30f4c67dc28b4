// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "app/cli/verb_list.h"

#include <span>
#include <string>
#include <string_view>

namespace lapidary {

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
