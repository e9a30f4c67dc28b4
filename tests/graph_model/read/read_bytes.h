// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "tests/catch.h"

#include <string>
#include <utility>

namespace lapidary {

// Reads a file from memory.
inline ModelFile readBytes(std::string bytes, const ReadOptions& options = {})
{
    Result<ModelFile> file = readModelBytes(std::move(bytes), "test", Job(), options);
    REQUIRE(file.ok());
    return *std::move(file);
}

// Finds what the reader complains of, without the problems of the graph itself.
inline ModelFile readUnchecked(std::string bytes)
{
    return readBytes(std::move(bytes), {.check = false});
}

} // namespace lapidary
