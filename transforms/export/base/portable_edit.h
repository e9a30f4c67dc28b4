// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"

#include <optional>
#include <vector>

namespace lapidary {

// Appends an operation of one input, named after the tensor that it reads. Returns its output.
TensorIndex appendOperation(PortableModel& model, PortableKind kind, TensorIndex from,
                            PortableTensor to);

// Returns whether an operation reads a tensor, or it is an output of the model. O(operations).
bool isRead(const PortableModel& model, TensorIndex tensor);

// Finds the makers and readers of a model's tensors while operations are merged and removed.
class PortableEdit {
public:
    explicit PortableEdit(PortableModel& model);

    PortableModel& model() { return m_model; }
    const PortableModel& model() const { return m_model; }
    std::size_t size() const { return m_model.operations.size(); }
    PortableOperation& operation(std::size_t index) { return m_model.operations[index]; }
    bool isAlive(std::size_t index) const { return m_isAlive[index]; }
    bool isOutput(TensorIndex tensor) const { return m_isOutput[std::size_t(tensor)]; }

    // Returns the operation that makes a tensor; nothing for inputs and constants.
    std::optional<std::size_t> producer(TensorIndex tensor) const;
    // Returns the only operation that reads a tensor; nothing if there are more, or none, or if the
    // tensor is an output of the model.
    std::optional<std::size_t> onlyReader(TensorIndex tensor) const;
    const std::vector<std::size_t>& readers(TensorIndex tensor) const
    {
        return m_readers[std::size_t(tensor)];
    }

    // Removes `last` and lets `index` make its output. The caller has to remove all operations
    // between them.
    void takeOver(std::size_t index, std::size_t last);
    void remove(std::size_t index);
    void setInput(std::size_t index, std::size_t slot, TensorIndex tensor);
    // Makes the readers of a tensor, which must not be an output of the model, read another one.
    void redirect(TensorIndex from, TensorIndex to);
    TensorIndex add(PortableTensor constant);
    TensorIndex addFloats(std::string name, std::vector<std::int64_t> dims,
                          const std::vector<float>& values);

    // Removes the operations and tensors that nothing needs.
    void finish();

private:
    void noteNewTensor();

    PortableModel& m_model;
    std::vector<bool> m_isAlive;
    std::vector<bool> m_isOutput;                    // by tensor
    std::vector<std::vector<std::size_t>> m_readers; // by tensor
    std::vector<std::optional<std::size_t>> m_producer;
};

// Makes the readers of an operation's output read `x` instead, which equals it. Keeps the operation
// if its output is one of the model's and others read `x` too.
void skipOperation(PortableEdit& edit, std::size_t index, TensorIndex x);

} // namespace lapidary
