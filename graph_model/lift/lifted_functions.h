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
    // In place of the function with that name; `body` has TensorFlow's ops.
    void add(const Function& function, GraphPtr body);
    // A function of a new name.
    void add(const std::string& name, std::span<const DType> arguments,
             std::span<const DType> results, GraphPtr body);
    FunctionPtr find(std::string_view name) const { return m_library->find(name); }
    // Null where there are none.
    std::shared_ptr<const FunctionLibrary> library() const;

private:
    void keep(std::shared_ptr<Function> function);

    std::shared_ptr<FunctionLibrary> m_library = std::make_shared<FunctionLibrary>();
};

} // namespace lapidary
