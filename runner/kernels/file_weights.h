// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/tensor.h"
#include "runner/kernels/kernel.h"

#include <memory>

namespace lapidary {

// Weights that stay in the file: the resource that a value has instead of elements if its only
// readers are kernels that pack their weights. The elements in the file may be unaligned.
class FileWeights final : public Resource {
public:
    FileWeights(const Tensor& tensor, BufferPtr file)
        : m_content(tensor.content())
        , m_file(std::move(file))
    {
    }

    // Returns a float value of the tensor's shape without elements in memory. Not set if the
    // elements are not contiguous in the file, or the file has changed.
    static Value of(const Node& constant);

    std::string_view content() const { return m_content; }
    // Called when the weights are packed and will not be read for a while: returns the pages to the
    // system.
    void release() const;

private:
    std::string_view m_content;
    BufferPtr m_file;
};

// Returns whether the kernel of `op` packs its input `slot`, which may then be FileWeights.
bool packsInput(std::string_view op, std::size_t slot);

// Returns the elements: `value` itself, or in new memory those of its FileWeights.
Result<Value> weightsInMemory(KernelContext& context, const Value& value);
// Returns the address of the elements, perhaps unaligned.
const char* weightBytes(const Value& value);

} // namespace lapidary
