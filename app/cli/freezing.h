// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/box/grants.h"
#include "runner/setup/model_interface.h"
#include "transforms/freeze/freeze_model.h"

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The flags that the verb `freeze` and the tool freeze_graph have in common.
struct FreezeFlags {
    std::string graph;     // a GraphDef
    std::string metaGraph; // a MetaGraphDef; read instead of `graph`
    std::string savedModel;
    std::vector<std::string> tags; // of the SavedModel's graph; empty: "serve", else the only one
    std::string checkpoint;
    std::vector<std::string> outputs;
    std::vector<std::string> initializers;
    std::vector<std::string> only;
    std::vector<std::string> except;
    std::string signature;
    bool clearDevices = true;
    bool fillsTables = true; // with the values that the model's loader would insert

    // Returns the file or folder that is read.
    const std::string& model() const;
};

// A model with frozen variables, and the graph that it was made from.
struct FreezeOutcome {
    GraphPtr before;
    FileFormat format = FileFormat::Unknown;
    FrozenModel model;
    std::string damage; // a message about a damaged file; else empty
    std::string taken;  // a message if a graph with other tags was taken; else empty
};

// Reads and freezes the model that the flags name; writes nothing. If the flags have no tags and
// there are several graphs, it takes the one whose only tag is "serve", or else the only one with
// "serve" among its tags. Errors name the file or the flag's value. `checksLater`: the caller
// handles FrozenModel::unchecked.
Result<FreezeOutcome> freezeAsAsked(const FreezeFlags& flags, const Job& job,
                                    bool checksLater = false);

// Returns a message that names the tables that nothing in the frozen graph fills any more, and says
// what to do; empty if there are none.
std::string lostFillers(const FreezeOutcome& outcome);

// Returns the rights that a sandboxed process needs to freeze: the folders of the model and its
// checkpoint, memory.
BoxGrants grantsOf(const FreezeFlags& flags);

// Tells whether a checkpoint of this prefix or pattern exists.
bool hasCheckpoint(const std::string& prefix);

// Returns the outputs of modelInterface(entry, "") as the value of a flag, "a:0,b:0", if the model
// has no signatures; else an empty text.
std::string likelyOutputs(const GraphEntry& entry, const Result<ModelInterface>& interface);

// Returns the end of a sentence: the command that freezes a model with the values of a checkpoint.
// Words in capitals must be replaced by the user. `outputs`: "a,b"; empty: those of its signature.
std::string freezeHint(const std::string& path, const std::string& outputs);

} // namespace lapidary
