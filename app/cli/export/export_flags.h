// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/guard.h"
#include "app/cli/labeling_flags.h"
#include "app/cli/verb_call.h"
#include "graph_model/read/model_file.h"
#include "runner/feeds/feed.h"
#include "transforms/export/export_plan.h"

#include <string>
#include <vector>

namespace lapidary {

// The flags of `export`, as they were written.
struct ExportFlags {
    std::string out;
    bool printsReference = false; // prints only the handbook's page of ops
    std::string format;           // "tflite", "onnx"; empty: by the extension of `out`
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::string signature;
    std::string checkpoint;          // with the variables; empty: the one that belongs to the model
    std::vector<std::string> shapes; // NAME=1,224,224,3
    std::vector<std::string> fixed;  // NAME=VALUE
    std::string weights = "float32";
    std::string loops = "auto";
    bool int8 = false;
    std::string images; // a folder of pictures, for the ranges
    std::string log;    // or the log of an 8-bit graph
    std::string ends = "float";
    bool reducesRange = false;
    Labeling labeling; // how pictures are fed
    std::int64_t opset = 13;
    bool checks = false; // runs the model and the file, and compares them
    GuardFlags guard;    // constants are computed, and pictures are run to measure ranges
};

void addExportOptions(VerbCall& call, ExportFlags& flags);

BoxGrants grantsOf(const ExportFlags& flags, const std::string& model);

// Returns the plan that the flags describe, without the interface. Errors name the flag.
Result<ExportPlan> exportPlanOf(const ExportFlags& flags);
// Completes inputs and outputs that the flags leave out from the model; inputs that control
// training are set to their values for inference, which `console` is told.
Result<ExportInterface> exportInterfaceOf(const ExportFlags& flags, const GraphEntry& entry,
                                          Console& console);

struct FixedSetting {
    std::string value;       // for --set
    std::string_view reason; // InputSetting::reason
};
// Returns nothing for an input that is data.
std::optional<FixedSetting> settingAsFlag(const Graph& graph, const FeedTarget& input);

// Reports the result of an export, as lines on `err` or as JSON on `out`.
void reportExport(const ExportReport& report, const ExportFlags& flags, const VerbCall& call,
                  Console& console);
// Reports the nodes that were refused, one per line, and the part that can be exported.
void reportRefusals(const ExportReport& report, const ExportFlags& flags, const VerbCall& call,
                    Console& console);

} // namespace lapidary
