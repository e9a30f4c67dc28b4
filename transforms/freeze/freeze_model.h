// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "graph_model/write/checked_source.h"
#include "transforms/freeze/freeze_variables.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// The model to freeze, and where the values of its variables are.
struct FreezeRequest {
    std::filesystem::path model; // the file or folder that the entry was read from
    // The prefix that a saver was given, "train/model-1000"; empty: the checkpoint that belongs to
    // the model.
    std::filesystem::path checkpoint;
    std::vector<std::string> outputs; // names of nodes or tensors; empty: those of the signature
    std::string signature;            // empty: the serving one, if outputs are empty too
    // Nodes that give variables their value after the checkpoint was read; the model's own init
    // operation is among them if `outputs` need what it sets.
    std::vector<std::string> initializers;
    FreezeChoice choice;
    bool checksLater = false; // the caller checks FrozenModel::unchecked
    bool fillsTables = true;  // in graphs without functions; freeze_graph does not
};

// The source of the value of one variable.
struct VariableSource {
    enum class Kind : std::uint8_t {
        Checkpoint,  // a variable of the checkpoint
        SlicedPart,  // a part of one
        Initializer, // computed by a node that an initializer runs
        Missing,
    };
    NodeId variable; // of the model's graph
    Kind kind = Kind::Missing;
    std::string key;              // of the checkpoint, or the tensor that is assigned
    std::string part;             // "0,3:-", as checkpoints write slices
    DType dtype = DType::Invalid; // as stored
    Shape shape;
    std::string fault; // why it has no value: it is missing, or of another type or shape
};

struct FrozenModel {
    FrozenGraph frozen;
    std::vector<std::string> inputs;  // of the signature; empty if there is none
    std::vector<std::string> outputs; // names of the nodes that the result computes
    // Large values that stay mapped from the checkpoint if FreezeRequest::checksLater is set: the
    // next reader compares their checksums.
    std::vector<UncheckedBytes> unchecked;
};

// Makes one graph that computes the outputs without variables. Functions that the outputs
// need are inlined, and If, Case and While replaced by TensorFlow 1's control flow. Errors
// name the variable that has no value, the output that does not exist, or the available
// signatures.
Result<FrozenModel> freezeModel(const GraphEntry& entry, const FreezeRequest& request,
                                const Job& job);

// Returns "froze 3 variables of 5; the outputs do not need the others"if `of` is 5, the number that
// could have been frozen.
std::string frozenText(const FrozenModel& model, std::size_t of);

// Returns the variables that the outputs need, in the order of the graph, with their sources. Reads
// no values. Errors are those of freezeModel() that concern the request as a whole.
Result<std::vector<VariableSource>> variableSources(const GraphEntry& entry,
                                                    const FreezeRequest& request, const Job& job);

} // namespace lapidary
