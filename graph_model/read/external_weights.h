// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"
#include "graph_model/onnx/onnx_model.h"
#include "graph_model/read/constant_values.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// Files beside an ONNX model that contain its weights. No file outside of the model's folder is
// opened, regardless of the paths in the model.
class ExternalWeights {
public:
    explicit ExternalWeights(std::filesystem::path model)
        : m_model(std::move(model))
    {
    }

    // Returns the bytes of a constant, or nothing if they are not available, which is a problem
    // reported once for each file. Files that are opened are added to `values`.
    std::optional<std::string_view> bytesOf(const OnnxTensor& tensor, std::uint64_t needed,
                                            ConstantValues& values);
    Problems takeProblems() { return std::move(m_problems); }

private:
    Result<BufferPtr> open(const std::string& name, ConstantValues& values) const;
    void report(const std::string& name, std::string message);

    std::filesystem::path m_model;
    std::map<std::string, BufferPtr> m_files; // null: cannot be opened
    Problems m_problems;
};

} // namespace lapidary
