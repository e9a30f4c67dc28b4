// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

// The functions of a lifted graph in the making: those of the file with lifted bodies, and those
// that its loops need beside them.
class LiftedFunctions {
public:
    // Of a file with these; null where it has none.
    explicit LiftedFunctions(const FunctionLibrary* source)
        : m_source(source)
    {
    }

    // In place of the function with that name; `body` has TensorFlow's ops.
    void add(const Function& function, GraphPtr body);
    // A function of a new name.
    void add(const std::string& name, std::span<const DType> arguments,
             std::span<const DType> results, GraphPtr body);
    // One that is not lifted yet is returned as the file has it: inputs and outputs are the same.
    FunctionPtr find(std::string_view name) const;
    std::size_t size() const { return m_library->functions.size(); }
    // Null where there are none.
    std::shared_ptr<const FunctionLibrary> library() const;

private:
    void keep(std::shared_ptr<Function> function);

    const FunctionLibrary* m_source;
    std::shared_ptr<FunctionLibrary> m_library = std::make_shared<FunctionLibrary>();
};

} // namespace lapidary
