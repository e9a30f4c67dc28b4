// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "graph_model/portable/portable_model.h"

#include <memory>
#include <string>
#include <vector>

namespace lapidary {

class LiftedFunctions;

// A graph of TensorFlow's ops that computes what a portable model computes, for this program's own
// kernels. Weights that are stored in fewer bits are converted to floats.
struct RaisedGraph {
    GraphPtr graph;
    std::vector<std::string> tensors; // by TensorIndex: "t12:0"
};
Result<RaisedGraph> raisePortable(const PortableModel& model);

// The nodes in the making.
class Raising {
public:
    // The bodies of loops are added to `functions`.
    Raising(const PortableModel& model, std::shared_ptr<LiftedFunctions> functions);

    const PortableModel& model() const { return m_model; }
    const PortableTensor& tensor(TensorIndex index) const { return m_model.at(index); }
    std::string in(const PortableOperation& operation, std::size_t slot) const;
    // Makes a node for the first output of an operation; further outputs are its next ports.
    NodeDraft& make(const PortableOperation& operation, std::string op,
                    std::vector<std::string> inputs);
    // Adds an intermediate node, named after the first output; returns its name.
    std::string step(const PortableOperation& operation, std::string op,
                     std::vector<std::string> inputs, DType dtype);
    NodeDraft& last() { return m_drafts.back(); }
    std::string ints(const std::vector<std::int64_t>& values);
    std::string matrix(const std::vector<std::int64_t>& before,
                       const std::vector<std::int64_t>& after);
    std::string oneInt(std::int64_t value);
    std::string oneLong(std::int64_t value);
    std::string oneFloat(float value);
    std::string floats(const std::vector<std::int64_t>& dims, const std::vector<float>& values);

    // Raises all operations of the model.
    void raiseAll();
    RaisedGraph finish() &&;

private:
    void raiseLoop(const PortableOperation& loop);
    std::string addFunction(const PortableModel& part, bool handsOn); // returns its name
    std::string intConstant(const std::vector<std::int64_t>& dims,
                            const std::vector<std::int64_t>& values);

    const PortableModel& m_model;
    std::shared_ptr<LiftedFunctions> m_functions;
    std::vector<NodeDraft> m_drafts;
    std::vector<std::string> m_tensors;
};

// Adds the convolution or product of a layer, without its bias and activation; returns the name of
// its output.
std::string raisedProduct(Raising& raising, const PortableOperation& operation);
// Sets the type, the strides and the padding of a convolution or pool.
void setRaisedWindow(NodeDraft& draft, const PortableParameters& parameters);

// Returns whether the kind only moves elements.
bool isRaisedAsShape(PortableKind kind);
void raiseShape(Raising& raising, const PortableOperation& operation);

} // namespace lapidary
