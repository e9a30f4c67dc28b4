// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/encoded_model.h"
#include "graph_model/portable/portable_model.h"
#include "transforms/export/base/export_refusal.h"
#include "transforms/export/base/export_target.h"
#include "transforms/export/base/stored_weights.h"
#include "transforms/export/int8/quantize_portable.h"
#include "transforms/export/lower/prepared_graph.h"
#include "transforms/verify/end_names.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Finds the ranges of a float model's tensors, for 8 bits.
using MeasureRanges = std::function<Result<TensorRanges>(const PortableModel& model)>;

struct ModelExportOptions {
    ExportTarget target = ExportTarget::Tflite;
    WeightFormat weights = WeightFormat::Float32;
    MeasureRanges measure; // if set, the model computes in 8 bits
    QuantizedEnds ends = QuantizedEnds::Float;
    bool reducesRange = false; // of weights, to 7 bits; ONNX
    std::int64_t opset = 13;   // of ONNX
    std::string description;   // who made the file: "Lapidary 1.0"
    // Inputs and outputs that get another name in the file than their tensor ("node:0") has.
    EndNames endNames;
};

// The result of an export. `file` has no value if nodes were refused.
struct ExportedModel {
    std::optional<EncodedModel> file;
    PortableModel model;                          // the model that the file holds
    std::map<std::string, std::size_t> operators; // of the file, by the format's names
    std::map<std::string, std::size_t> merged;    // kinds of operations that others compute too
    std::map<std::string, std::size_t> dropped;   // ops that only pass their input on
    std::vector<std::string> notes;
    std::vector<ExportRefusal> refused;
};

// Cuts, lowers, merges and writes a graph. Nodes without a counterpart are listed together in
// `refused`; errors are those of prepareExport(), and of models that do not fit into a file.
Result<ExportedModel> exportModel(const GraphPtr& graph, const ExportInterface& interface,
                                  const ModelExportOptions& options, const Job& job);

} // namespace lapidary
