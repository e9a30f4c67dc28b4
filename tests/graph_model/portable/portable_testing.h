// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// Adds a tensor that an operation or the caller computes.
inline TensorIndex computed(PortableModel& model, std::string name, std::vector<std::int64_t> dims)
{
    PortableTensor tensor;
    tensor.name = std::move(name);
    tensor.dims = std::move(dims);
    return model.add(std::move(tensor));
}

// Adds an operation that computes `output`, named like it.
inline PortableOperation& operation(PortableModel& model, PortableKind kind,
                                    std::vector<TensorIndex> inputs, TensorIndex output)
{
    PortableOperation made;
    made.kind = kind;
    made.inputs = std::move(inputs);
    made.outputs = {output};
    made.source = model.at(output).name;
    model.operations.push_back(std::move(made));
    return model.operations.back();
}

} // namespace lapidary
