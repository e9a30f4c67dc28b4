// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "runner/execute/function_reference.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The effects of a node on variables, tables, queues and the like, beside its outputs; sets of them
// are combined with |. Others: random numbers, prints, assertions and unknown effects.
enum class Effects : std::uint8_t { None = 0, Reads = 1, Changes = 2, Others = 4, All = 7 };
constexpr Effects operator|(Effects a, Effects b)
{
    return Effects(std::uint8_t(a) | std::uint8_t(b));
}
constexpr Effects operator&(Effects a, Effects b)
{
    return Effects(std::uint8_t(a) & std::uint8_t(b));
}
// Returns whether it matters which of two comes first.
constexpr bool conflict(Effects a, Effects b)
{
    const auto has = [](Effects set, Effects some) { return (set & some) != Effects::None; };
    const Effects either = Effects::Reads | Effects::Changes;
    return (has(a, Effects::Changes) && has(b, either)) ||
           (has(b, Effects::Changes) && has(a, either)) ||
           (has(a, Effects::Others) && has(b, Effects::Others));
}

// Returns the functions to which a node passes its inputs, from the op's attributes: one for a
// call, one for each branch, condition and body of a loop. Empty if the node calls nothing.
std::vector<FunctionReference> calledBy(const Node& node, const FunctionLibrary& library);

// Derived properties of the functions of a library, computed on demand and cached.
class FunctionFacts {
public:
    // The library must outlive this.
    explicit FunctionFacts(const FunctionLibrary& library)
        : m_library(library)
    {
    }

    // Returns the effects of a node of the graph or of a body, with those of the functions that it
    // calls.
    Effects effectsOf(const Node& node) { return of(node, 0).effects; }
    // Returns how many nodes replace this one when all calls are inlined; no more than `mostNodes`,
    // also if calls are nested deeper than `deepest`.
    std::uint64_t sizeOf(const Node& node) { return of(node, 0).size; }
    // Returns "f > g > f" if the function calls itself, directly or through others; else an empty
    // string.
    std::string recursion(std::string_view function) const;

    static constexpr std::uint64_t mostNodes = 1 << 20;
    static constexpr int deepest = 400;

private:
    struct Facts {
        Effects effects = Effects::None;
        std::uint64_t size = 1;
        int depth = 0; // of the calls below
    };
    Facts of(const Node& node, int depth);
    Facts of(const std::string& function, int depth);

    const FunctionLibrary& m_library;
    std::map<std::string, Facts> m_facts; // by function
};

} // namespace lapidary
