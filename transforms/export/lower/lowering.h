// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"
#include "transforms/export/base/export_refusal.h"
#include "transforms/export/base/export_target.h"
#include "transforms/export/lower/prepared_graph.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A graph as a portable model, and the nodes that could not be expressed.
struct LoweredModel {
    PortableModel model;
    std::vector<ExportRefusal> refused;         // in the order of execution
    std::map<std::string, std::size_t> dropped; // ops that pass their input on, with their count
    std::vector<std::string> notes;
};

class Lowering;

// The attributes of a node, with defaults for those that are missing or of another kind.
class LowerAttributes {
public:
    explicit LowerAttributes(const Node& node)
        : m_node(node)
    {
    }

    const Node& node() const { return m_node; }
    std::int64_t intAttr(std::string_view name, std::int64_t standard) const;
    bool boolAttr(std::string_view name, bool standard) const;
    float floatAttr(std::string_view name, float standard) const;
    std::string_view textAttr(std::string_view name, std::string_view standard) const;
    std::vector<std::int64_t> listAttr(std::string_view name) const;

private:
    const Node& m_node;
};

// One node during lowering. If a rule asks for something that is not available, it gets an error
// whose message is the reason of the refusal.
class LowerNode : public LowerAttributes {
public:
    LowerNode(Lowering& lowering, NodeId id);

    std::size_t inputCount() const;
    ExportTarget target() const;
    // Returns whether layers will compute in 8 bits.
    bool computesCodes() const;

    TensorIndex input(std::size_t slot);
    std::vector<TensorIndex> inputs(std::size_t first, std::size_t count);
    const PortableTensor& tensor(TensorIndex index) const;
    bool isConstant(std::size_t slot);
    // Returns the sizes of that input.
    std::vector<std::int64_t> dims(std::size_t slot);
    std::int64_t rank(std::size_t slot) { return std::int64_t(dims(slot).size()); }
    // Return the values of a constant input. `what` names it in the reason of the refusal if it is
    // computed.
    Result<std::vector<std::int64_t>> ints(std::size_t slot, std::string_view what);
    Result<std::int64_t> oneInt(std::size_t slot, std::string_view what);
    Result<std::vector<float>> floats(std::size_t slot, std::string_view what);

    TensorIndex output(std::size_t port = 0);
    std::vector<std::int64_t> outputDims(std::size_t port = 0);
    DType outputType(std::size_t port = 0);
    // Returns whether any node reads that output.
    bool isRead(std::size_t port) const;
    // Returns an error if output 0 is neither float nor, for ONNX, double.
    Status needReal();
    std::size_t outputCount() const;
    // Adds a tensor between two operations of this node: "NODE/what".
    TensorIndex between(std::string_view what, DType dtype, std::vector<std::int64_t> dims);
    TensorIndex constant(std::string_view what, std::vector<std::int64_t> dims,
                         const std::vector<float>& values);
    TensorIndex constantOf(std::string_view what, DType dtype, std::vector<std::int64_t> dims,
                           std::string bytes);
    // Sets the numbers that the codes of a tensor represent; a float constant with scales is
    // written in codes. Returns false if others are known already.
    bool setScales(TensorIndex tensor, const PortableScales& scales);
    // Makes that tensor output `port`.
    void alias(std::size_t port, TensorIndex tensor);
    PortableOperation& emit(PortableKind kind, std::vector<TensorIndex> inputs,
                            std::vector<TensorIndex> outputs);
    // Appends one operation, which computes output 0 of the node.
    PortableOperation& emit(PortableKind kind, std::vector<TensorIndex> inputs);
    void note(std::string text);

private:
    Lowering& m_lowering;
    NodeId m_id;
};

// Refuses a node whose output 0 is not float, for operations that the formats have for float only.
Status needFloat(LowerNode& node);

using LowerRule = Status (*)(LowerNode& node);

// The rule for one of TensorFlow's ops. The handbook shows its texts.
struct LowerRow {
    std::string_view op;
    LowerRule rule;
    std::string_view becomes;        // the kinds of operation: "Conv2D"
    std::string_view condition = {}; // when it is exported; empty: always
    bool takesAnySize = false;       // also tensors of sizes that are known only in a run
};

// Marks a rule that does not compute with the sizes of its tensors.
constexpr LowerRow forAnySize(LowerRow row)
{
    row.takesAnySize = true;
    return row;
}

// Sorted by op. Each folder of rules has a table of its own.
std::span<const LowerRow> allLowerRows();
const LowerRow* findLowerRow(std::string_view op);

// The tables that allLowerRows() joins.
std::span<const LowerRow> lowerLayerRows();
std::span<const LowerRow> lowerElementRows();
std::span<const LowerRow> lowerShapeRows();
std::span<const LowerRow> lowerReductionRows();
std::span<const LowerRow> lowerSelectionRows();
std::span<const LowerRow> lowerRuntimeSizeRows();
std::span<const LowerRow> lowerBlockCellRows();
std::span<const LowerRow> lowerCropRows();
std::span<const LowerRow> lowerPlaceRows();
std::span<const LowerRow> lowerCodeRows();
std::span<const LowerRow> lowerColorRows();
std::span<const LowerRow> lowerSegmentRows();
std::span<const LowerRow> lowerSoundRows();

// Makes the model. Nodes without a counterpart are listed, never dropped. Fails only when
// cancelled.
Result<LoweredModel> lowerGraph(const PreparedGraph& prepared, ExportTarget target, const Job& job);

} // namespace lapidary
