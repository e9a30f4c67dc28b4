// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/ids.h"
#include "graph_model/base/result.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A tensor that was chosen as input or output, with the user's type and shape.
struct ChosenTensor {
    NodeId node;
    std::string tensor; // "name:port"
    DType dtype = DType::Invalid;
    Shape shape;

    bool operator==(const ChosenTensor&) const = default;
};
struct InterfaceChoice {
    std::vector<ChosenTensor> inputs;
    std::vector<ChosenTensor> outputs;

    bool isEmpty() const { return inputs.empty() && outputs.empty(); }
    bool operator==(const InterfaceChoice&) const = default;
};

enum class FlagStyle { TransformGraph, BenchmarkModel, FreezeGraph, Python };

// Returns the choice as arguments of a tool, or as Python that feeds and fetches it. `path` is the
// model's file as it should be written in the command. Words are quoted for a POSIX shell if
// necessary.
std::string interfaceFlags(const InterfaceChoice& choice, FlagStyle style, std::string_view path);

// Returns "x" for "x:0", and "x:1" unchanged.
std::string tensorAsFlag(std::string_view tensor);
// Formats each tensor as a flag.
std::vector<std::string> tensorsAsFlags(const std::vector<ChosenTensor>& tensors);

// Parses a shape that a user typed: "1,224,224,3", "1×224×224×3", "?x10", "[2, -1]", "scalar" or
// "[]", "unknown". Errors contain the fault and its position.
Result<Shape> parseShape(std::string_view text);
// Returns a shape of known rank in the form that parseShape() reads: "1,224,224,3", "scalar"; -1 is
// an unknown size.
std::string typedShape(const Shape& shape);

} // namespace lapidary
