// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/node.h"
#include "graph_model/ops/op_registry.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The prefix of ops that the runner makes when it fuses nodes. They must not occur in files,
// because their kernels trust the attributes of such nodes.
inline constexpr std::string_view internalOpPrefix = "_Lapidary";
bool isInternalOp(std::string_view op);

enum class BindFaultKind : std::uint8_t {
    InternalOp,     // an internal op in a file
    MissingAttr,    // no value and no default in the definition
    WrongAttrKind,  // a value of another kind: an int where a type is expected
    AttrNotAllowed, // a dtype or string that is not in the definition's list
    AttrTooSmall,   // a number, or the length of a list, below the definition's minimum
    AttrTooLarge,   // a count of tensors beyond 2^31 - 1
    BadDtype,       // not a dtype, an unknown one, or a reference
    BadShape,       // sizes below -1, too many of them, or a product beyond 64 bits
    InputCount,     // more or fewer data inputs than the attributes require
    InputDtype,     // a data input of another dtype
};

// A contradiction between a node and the definition of its op. `attr` points into the given OpSpec;
// null for faults of inputs.
struct BindFault {
    BindFaultKind kind = BindFaultKind::MissingAttr;
    const AttrSpec* attr = nullptr;
    std::int64_t input = -1;      // number of the data input, if kind is InputDtype
    DType dtype = DType::Invalid; // the actual dtype, if kind is BadDtype or InputDtype
    std::string text;             // "its attribute T holds int where type is expected"
};

// Checks the attributes of a node against the definition of its op (from the registry, or that of a
// library function): each must be present or have a default, be of its kind and have an allowed
// value. In an `unbound` body of a function any value may be a placeholder. Appends the faults, at
// most one for each attribute. O(attributes * definition + elements of lists).
void bindAttrs(const Node& node, const OpSpec& op, bool unbound, std::vector<BindFault>& faults);

// Checks the data inputs of a node against the definition of its op. `given` has the dtype of each,
// Invalid if unknown. The attributes must be valid. O(inputs).
void bindInputs(const Node& node, const OpSpec& op, std::span<const DType> given,
                std::vector<BindFault>& faults);

// Returns the dtypes of a node's data inputs as kernels read them: those of the definition, except
// types that later versions of TensorFlow leave to an attribute. The attributes must be valid.
std::vector<DType> computedInputDtypes(const Node& node, const OpSpec& op);

// Returns whether a tensor of dtype `given` can be read as `wanted`: the same, a reference to it,
// or either is unknown.
bool fitsDtype(DType given, DType wanted);

// Returns the first fault of a node's attributes, with the name of the node. Accepts ops that the
// registry does not know, but no internal ones.
Status bindAttrs(const Node& node);

// Checks the same and the inputs: all conditions for running the node.
Status bindNode(const Node& node, std::span<const DType> given);

} // namespace lapidary
