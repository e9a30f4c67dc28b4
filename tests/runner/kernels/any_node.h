// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/attr_value.h"
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_registry.h"
#include "tests/runner/kernels/one_node.h"

#include <initializer_list>
#include <memory>
#include <vector>

namespace lapidary {

// Draws the same numbers on every machine: first those of the bytes, then random ones.
class Dice {
public:
    explicit Dice(std::string_view bytes = {})
        : m_bytes(bytes)
    {
    }

    std::size_t below(std::size_t bound)
    {
        if (!m_bytes.empty())
            return (bound > 256 ? nextByte() * 256 + nextByte() : nextByte()) % bound;
        m_state = m_state * 6364136223846793005U + 1442695040888963407U;
        return std::size_t(m_state >> 33) % bound;
    }
    template <class T>
    T of(std::initializer_list<T> choices)
    {
        return *(choices.begin() + std::ptrdiff_t(below(choices.size())));
    }

private:
    // Returns 0 after the end.
    std::size_t nextByte()
    {
        if (m_bytes.empty())
            return 0;
        const auto byte = static_cast<unsigned char>(m_bytes.front());
        m_bytes.remove_prefix(1);
        m_state += byte;
        return byte;
    }

    std::string_view m_bytes;
    std::uint64_t m_state = 20;
};

// Fills elements with small or extreme numbers, strings with texts of any kind; resources are
// variables or missing.
Value anyValue(DType dtype, const Dims& dims, Dice& dice);
Dims anyDims(Dice& dice);
// Returns sizes as large as a number can be, of a tensor without elements.
Dims vastDims(std::size_t rank, Dice& dice);
// Return the rank that the kernel requires, and sizes of that rank (`usual` if it accepts any) that
// are all equal, so that inputs fit each other.
Rank rankOf(const OpSpec& spec, std::size_t input);
Dims squareDims(Rank wanted, std::size_t usual, std::int64_t side);
// Makes a node "culprit" with a value for every attribute that has no default, and for some that
// have one.
NodeDraft anyNode(const OpSpec& spec, Dice& dice);
void setAnyAttr(NodeDraft& node, const AttrSpec& spec, Dice& dice);
// Returns the types that the node's signature requires; Invalid for a type that it leaves open.
std::vector<DType> wantedTypes(const NodeDraft& draft, const OpSpec& spec);
// Makes inputs of these types.
std::vector<Value> fittingInputs(const NodeDraft& draft, const OpSpec& spec, Dice& dice);

// Runs the node in a graph of its own and fetches its first eight outputs. Inputs that a setting
// makes (known_nodes.h) are connected to it, and the node runs after the whole setting.
Result<std::vector<Value>> runCulprit(const NodeDraft& draft, const std::vector<Value>& inputs,
                                      const Job& job = Job(),
                                      std::uint64_t memoryLimit = std::uint64_t(32) << 20,
                                      const std::shared_ptr<const FunctionLibrary>& functions = {});
// Does the same and expects results, or an error that names the node. Returns the error's message;
// empty if there are results.
std::string expectAnswerOrError(const NodeDraft& draft, const std::vector<Value>& inputs,
                                bool mustFail = false);

// Calls `visit(spec, dice)` for each op that has a kernel and is in the registry.
template <class Visit>
void forEachOp(const Visit& visit)
{
    Dice dice;
    for (const Kernel* kernel : allKernels())
        if (const OpSpec* spec = findOp(kernel->op))
            visit(*spec, dice);
}

} // namespace lapidary
