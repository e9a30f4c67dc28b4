// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "transforms/export/export_model.h"
#include "transforms/export/int8/measure_ranges.h"
#include "transforms/verify/verify_runs.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// All choices for the export of a model. Front ends fill it in; runExport() carries it
// out.
struct ExportPlan {
    ExportInterface interface;
    ExportTarget target = ExportTarget::Tflite;
    WeightFormat weights = WeightFormat::Float32;
    std::optional<RangeSource> ranges; // if set, the model computes in 8 bits
    QuantizedEnds ends = QuantizedEnds::Float;
    bool reducesRange = false; // of weights, to 7 bits; ONNX
    std::int64_t opset = 13;   // of ONNX
    std::string description;   // who made the file: "Lapidary 1.0"
};

// An input or output of the file.
struct ExportedEnd {
    std::string name;
    DType dtype = DType::Float;
    std::vector<std::int64_t> dims;
};

// The result of an export.
struct ExportReport {
    std::optional<EncodedModel> file; // nothing if nodes were refused
    std::vector<ExportedEnd> inputs;
    std::vector<ExportedEnd> outputs;
    std::map<std::string, std::size_t> operators; // of the file, by the format's names
    std::map<std::string, std::size_t> merged;    // operations that others compute as well
    std::map<std::string, std::size_t> dropped;   // ops that only pass their input on
    std::vector<std::string> notes;
    std::vector<ExportRefusal> refused;
    std::optional<ExportInterface> cut; // if nodes were refused: a part that can be exported

    // Filled in by runCheckedExport(). If the file could not be compared, a note says why.
    std::optional<Verification> check;
};

// Exports a graph of TensorFlow's ops, or of a file in the other format. The errors are those of
// exportModel() and of measureRanges().
Result<ExportReport> runExport(const GraphPtr& model, const ExportPlan& plan, const Job& job);
// Inputs and outputs keep the names that the file of the other format has for them.
Result<ExportReport> runExport(const GraphEntry& model, const ExportPlan& plan, const Job& job);

// Does the same, and runs the model and the file on the same inputs: the pictures that the ranges
// come from, else random ones. For a file with 8-bit inputs and outputs the tensors between them
// are compared. `path` is that of the model.
Result<ExportReport> runCheckedExport(const GraphEntry& model, const std::filesystem::path& path,
                                      const ExportPlan& plan, const Job& job);

// Returns the intermediate tensor whose error is the largest share of its values; null if none was
// compared.
const VerifiedPair* worstLayer(const Verification& check);

} // namespace lapidary
