// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/verify/compared_graphs.h"
#include "transforms/verify/verify_runs.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace lapidary {

// Compares the tensors that both graphs of a verification compute on the way to their outputs.
// First everything that `a` computes is kept, as far as there is memory; then every node of `b` is
// compared as soon as it has run. For a node in a loop the last iteration counts, on both sides.
// Tensors of more than 16 KB are compared for the first sample only; smaller ones, such as those of
// dense layers, have too few elements in one sample to tell a scale from an error. Where the
// layouts of the graphs differ, tensors whose shape does not tell their layout are not compared.
class InnerTensors {
public:
    explicit InnerTensors(const ComparedGraphs& graphs, const VerifyOptions& options);

    void keep(std::size_t sample, NodeId id, std::span<const Value> outputs);    // of a
    void compare(std::size_t sample, NodeId id, std::span<const Value> outputs); // of b
    // Adds the pairs, in the order in which `a` computed them first, and the number of nodes left
    // out.
    void list(const VerifyOptions& options, Verification& found) const;

private:
    struct Compared {         // one output over the samples
        AgreementSums before; // up to the last sample
        AgreementSums all;
    };
    struct Kept {
        std::vector<std::vector<Value>> outputs; // by sample
        bool isLeftOut = false;                  // for lack of memory
        std::size_t sample = 0;                  // the last one that was compared
        std::vector<Compared> compared;          // one for each output
        std::optional<QuantizedCodes> codes;     // of b's first output
    };

    // A tensor that a node of b rounds to codes, and the corresponding tensor of a.
    struct Rounded {
        NodeId a;
        NodeId b;
        std::optional<TensorAgreement> agreement;
        std::optional<QuantizedCodes> codes;
    };

    int channelAxis(NodeId id) const;
    std::vector<NodeId> nearestMapped() const;
    void findRounded();
    void compareRounded(NodeId id, std::span<const Value> outputs);
    // Adds the pairs that round the tensor of node `id`. `all` is sorted by Rounded::a.
    void listRounded(NodeId id, std::span<const Rounded* const> all, const VerifyOptions& options,
                     Verification& found) const;

    ComparedGraphs m_graphs;
    Layouts m_layouts;
    std::vector<NodeId> m_others;              // by node of a: the node of b it is compared with
    std::vector<std::vector<NodeId>> m_mapped; // by node of b: the nodes of a compared with it
    std::unordered_map<std::uint32_t, Kept> m_kept; // by node of a
    std::vector<NodeId> m_order;
    std::vector<Rounded> m_rounded; // in the order of b
    std::uint64_t m_bytes = 0;
};

} // namespace lapidary
