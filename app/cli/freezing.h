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
    bool fillsTables = true; // what the model's loader would fill

    // The file or folder that is read.
    const std::string& model() const;
};

// A model whose variables were frozen, with what it was made from.
struct FreezeOutcome {
    GraphPtr before;
    FileFormat format = FileFormat::Unknown;
    FrozenModel model;
    std::string damage; // what to say of a damaged file; else empty
    std::string taken;  // which of several graphs was taken though its tags are others; else empty
};

// Reads and freezes the model that the flags name; writes nothing. Of several graphs without tags
// in the flags it takes the one whose only tag is "serve", or else the only one with "serve" among
// its tags. Errors name the file or the flag's value. `checksLater`: the caller handles
// FrozenModel::unchecked.
Result<FreezeOutcome> freezeAsAsked(const FreezeFlags& flags, const Job& job,
                                    bool checksLater = false);

// Names the tables that nothing in the frozen graph fills any more, and says what to do; empty if
// there are none.
std::string lostFillers(const FreezeOutcome& outcome);

// Returns the rights that a boxed process needs for it: the folders of the model and its
// checkpoint, memory.
BoxGrants grantsOf(const FreezeFlags& flags);

// Tells whether a checkpoint of this prefix or pattern is there.
bool hasCheckpoint(const std::string& prefix);

// The outputs of modelInterface(entry, "") as a flag takes them, "a:0,b:0", where no signature says
// which they are; else empty.
std::string likelyOutputs(const GraphEntry& entry, const Result<ModelInterface>& interface);

// The command that freezes a model with the values of a checkpoint, to end a sentence with; words
// in capitals are the user's. `outputs`: "a,b"; empty: those of its signature.
std::string freezeHint(const std::string& path, const std::string& outputs);

} // namespace lapidary
