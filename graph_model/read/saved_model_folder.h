// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"
#include "graph_model/read/model_file.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lapidary {

// The file of a folder from which a model can be read, or the reason why there is none.
struct FolderContent {
    std::filesystem::path modelFile; // empty: none
    bool isSavedModel = false;
    Problem problem; // only if there is none
};
FolderContent lookIntoFolder(const std::filesystem::path& folder);

// Checks the files beside saved_model.pb: variables and assets. Names that lead out of the folder
// are reported and never opened.
Problems checkSavedModelFolder(const std::filesystem::path& folder, const ModelFile& file,
                               bool needsVariables);

} // namespace lapidary
