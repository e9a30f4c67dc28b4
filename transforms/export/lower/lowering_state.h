// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/taken_names.h"
#include "transforms/export/loops/outline_loop.h"
#include "transforms/export/lower/lowering.h"

#include <memory>
#include <set>
#include <unordered_set>
#include <utility>

namespace lapidary {

// The model in the making, shared by the nodes that are lowered one after the other.
class Lowering {
public:
    Lowering(const PreparedGraph& prepared, ExportTarget target)
        : m_prepared(prepared)
        , m_target(target)
    {
        findRead();
    }
    // Lowers the body of a loop or a branch, whose counts go to `whole`, the graph around it.
    Lowering(const PreparedGraph& prepared, Lowering& whole)
        : m_prepared(prepared)
        , m_target(whole.m_target)
        , m_parts(whole.m_parts)
    {
        findRead();
    }
    Lowering(const Lowering&) = delete;
    Lowering& operator=(const Lowering&) = delete;

    Result<LoweredModel> run(const Job& job);

    bool computesCodes() const { return m_prepared.computesCodes; }
    const Graph& graph() const { return *m_prepared.graph; }
    ExportTarget target() const { return m_target; }
    LoweredModel& result() { return m_result; }
    PortableModel& model() { return m_result.model; }
    const TensorLabel* label(const Endpoint& tensor) const
    {
        return m_prepared.shapes.find(tensor);
    }
    // Returns the tensor of an output; adds it if it is new.
    TensorIndex tensorOf(const Endpoint& tensor);
    void alias(const Endpoint& tensor, TensorIndex index);
    std::string freshName(const std::string& name) { return m_names.fresh(name); }
    bool isRead(const Endpoint& tensor) const;
    std::size_t outputCount(NodeId id) const;

private:
    using Key = std::pair<std::uint32_t, std::int32_t>;

    void findRead();
    Status addInputs();
    TensorIndex addHalf(TensorIndex number, const std::string& name);
    TensorIndex addHalfInput(TensorIndex number, const std::string& name);
    void addCast(TensorIndex from, TensorIndex to, const std::string& source);
    void lower(NodeId id);
    void refuse(NodeId id, std::string reason, bool isTainted);
    std::string faultOfOutputs(NodeId id, bool takesAnySize) const;
    std::string faultOfInputs(NodeId id);
    bool computesFloatOnly(std::size_t first);
    void addOutputs();
    std::unordered_set<TensorIndex> madeTensors();
    TensorIndex addConstant(NodeId id);
    void lowerLoop(NodeId id, const OutlinedLoop& loop);
    // Returns the interface of the body of a loop or a branch, from its inputs to some outputs.
    static ExportInterface partInterface(const OutlinedLoop& body,
                                         const std::vector<std::string>& outputs,
                                         const std::vector<PortableTensor>& inputs);
    // Lowers the body to a model; null if a node was refused, or for the reason in `fault`.
    std::shared_ptr<const PortableModel> lowerPart(const Result<PreparedGraph>& prepared,
                                                   const OutlinedLoop& body,
                                                   const std::vector<PortableTensor>& inputs,
                                                   std::string& fault);
    void lowerBranch(NodeId id);
    std::vector<std::shared_ptr<const PortableModel>>
    lowerBranches(NodeId id, const std::vector<PortableTensor>& inputs, std::string& fault);

    const PreparedGraph& m_prepared;
    ExportTarget m_target;
    std::size_t m_ownParts = 0;
    std::size_t* m_parts = &m_ownParts; // number of bodies that were begun, at all depths
    const Job* m_job = nullptr;         // while it runs
    LoweredModel m_result;
    bool passOn(NodeId id, bool readsTainted);

    std::map<Key, TensorIndex> m_tensors;
    std::set<std::uint32_t> m_tainted; // nodes whose outputs no operation makes
    TakenNames m_names;
    std::vector<Key> m_read; // tensors that are read, sorted
};

} // namespace lapidary
