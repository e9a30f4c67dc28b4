// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "graph_model/ops/op_registry.h"

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {

// The ops that a graph may use: those of the registry and the functions of its library. Caches
// look-ups, since a graph has many nodes of few ops.
class OpTable {
public:
    explicit OpTable(const FunctionLibrary* library);
    ~OpTable();

    // Returns null if the op is neither registered nor a function.
    const OpSpec* find(std::string_view op);
    // Returns the position of a function in the library, or -1.
    int functionIndex(std::string_view name) const;
    bool hasLibrary() const { return !m_functions.empty(); }
    // Returns the signature of the function at that position, even if a registered op has its name.
    const OpSpec* signatureOf(std::size_t function) const;
    bool isFunction(const OpSpec* spec) const;

private:
    struct Signature;
    std::vector<std::unique_ptr<Signature>> m_functions;
    std::unordered_map<std::string_view, int> m_functionByName;
    std::unordered_map<std::string_view, const OpSpec*> m_found;
};

} // namespace lapidary
