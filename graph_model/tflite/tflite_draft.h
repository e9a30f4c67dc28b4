// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"
#include "graph_model/tflite/tflite_model.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A file under construction: operators of a portable model are appended one by one, with the
// constants that the format needs beside them.
class TfliteDraft {
public:
    // Parts of loops are added to `graphs`.
    TfliteDraft(const PortableModel& model, std::vector<TfliteGraph>& graphs)
        : m_model(model)
        , m_graphs(graphs)
        , m_places(model.tensors.size(), noTensor)
    {
    }

    const PortableModel& model() const { return m_model; }
    const PortableTensor& portable(TensorIndex index) const { return m_model.at(index); }

    // Returns the index in the file of a tensor of the model; noTensor stays noTensor.
    std::int32_t place(TensorIndex index);
    std::vector<std::int32_t> places(std::span<const TensorIndex> indices);
    // Adds a constant with other bytes or another shape than the one that it is made from.
    std::int32_t addConstant(const PortableTensor& like, const std::vector<std::int64_t>& dims,
                             ConstantBytes bytes, std::int32_t scaleAxis = 0);
    std::int32_t addInts(const std::string& name, const std::vector<std::int64_t>& values);
    // Adds one number, not a list.
    std::int32_t addInt(const std::string& name, std::int64_t value);
    std::int32_t addMatrix(const std::string& name, const std::vector<std::int64_t>& dims,
                           const std::vector<std::int64_t>& values);
    // Adds a computed tensor between two operators of one operation.
    std::int32_t addComputed(const PortableTensor& like, std::string name,
                             const std::vector<std::int64_t>& dims);
    // Adds the state of an operator, which the runtime keeps from run to run.
    std::int32_t addState(std::string name, const std::vector<std::int64_t>& dims);
    void append(TfliteOperator op) { m_graph.operators.push_back(std::move(op)); }

    // Adds a graph for each part of the loop, and the operator that runs them.
    Status appendLoop(const PortableOperation& loop);
    Status appendBranches(const PortableOperation& choice);

    TfliteGraph finish() &&;

private:
    // Returns the floats computed from a constant of halves; other constants unchanged.
    std::int32_t widened(std::int32_t constant);

    const PortableModel& m_model;
    std::vector<TfliteGraph>& m_graphs;
    TfliteGraph m_graph;
    std::vector<std::int32_t> m_places;
};

// Appends one operation as operators of the format. Errors describe the inexpressible part and do
// not contain the node's name.
Status appendTflite(TfliteDraft& draft, const PortableOperation& operation);
// Appends a kind for which isTfliteLayer() holds: convolutions, fully connected layers, and pools.
Status appendTfliteLayer(TfliteDraft& draft, const PortableOperation& operation);
bool isTfliteLayer(PortableKind kind);
// Appends a kind for which hasRuntimeSize() holds.
void appendTfliteRuntimeSize(TfliteDraft& draft, const PortableOperation& operation);
// Appends an LSTM with sigmoid gates, equal lengths and unused last states.
Status appendTfliteRecurrent(TfliteDraft& draft, const PortableOperation& operation);

// Returns a name for a tensor of an operation: "OUTPUT/what".
inline std::string besides(const TfliteDraft& draft, const PortableOperation& operation,
                           std::string_view what)
{
    return draft.portable(operation.outputs[0]).name + "/" + std::string(what);
}

// Make options by the index of their field in the table.
TfliteOption byteOption(std::uint16_t field, std::int64_t value);
TfliteOption boolOption(std::uint16_t field, bool value);
TfliteOption intOption(std::uint16_t field, std::int64_t value, std::int64_t standard = 0);
TfliteOption floatOption(std::uint16_t field, float value);
TfliteOption activationOption(std::uint16_t field, PortableActivation activation);

} // namespace lapidary
