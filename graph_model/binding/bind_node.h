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

// Ops that the runner makes when it fuses nodes begin with this; files must not hold them, because
// their kernels trust whoever made them.
inline constexpr std::string_view internalOpPrefix = "_Lapidary";
bool isInternalOp(std::string_view op);

enum class BindFaultKind : std::uint8_t {
    InternalOp,     // an op of ours in a file
    MissingAttr,    // no value, and the definition has no default
    WrongAttrKind,  // a value of another kind: an int where a type is expected
    AttrNotAllowed, // a dtype or string that is not in the definition's list
    AttrTooSmall,   // a number, or the length of a list, below the definition's minimum
    AttrTooLarge,   // a count of tensors beyond 2^31 - 1
    BadDtype,       // no dtype, an unknown one, or a reference
    BadShape,       // sizes below -1, too many of them, or a product beyond 64 bits
    InputCount,     // more or fewer data inputs than the attributes ask for
    InputDtype,     // a data input of another dtype
};

// One way in which a node contradicts the definition of its op. `attr` points into the OpSpec that
// was given; null for faults of inputs.
struct BindFault {
    BindFaultKind kind = BindFaultKind::MissingAttr;
    const AttrSpec* attr = nullptr;
    std::int64_t input = -1;      // number of the data input, where kind is InputDtype
    DType dtype = DType::Invalid; // what was found, where kind is BadDtype or InputDtype
    std::string text;             // "its attribute T holds int where type is expected"
};

// Checks the attributes of a node against the definition of its op (from the registry, or that of a
// library function): each is present or has a default, is of its kind and has an allowed value. In
// `unbound` bodies of functions any value may be a placeholder. Appends the faults, at most one for
// each attribute. O(attributes * definition + elements of lists).
void bindAttrs(const Node& node, const OpSpec& op, bool unbound, std::vector<BindFault>& faults);

// Holds the data inputs of a node against the definition of its op. `given` has the dtype of each,
// Invalid where it is not known. The attributes must be sound. O(inputs).
void bindInputs(const Node& node, const OpSpec& op, std::span<const DType> given,
                std::vector<BindFault>& faults);

// The dtypes of a node's data inputs as kernels read them: those of the definition, but for types
// that later versions of TensorFlow leave to an attribute. The attributes must be sound.
std::vector<DType> computedInputDtypes(const Node& node, const OpSpec& op);

// Returns whether a tensor of dtype `given` can be read where `wanted` is expected: the same, a
// reference to it, or one of them not known.
bool fitsDtype(DType given, DType wanted);

// The first fault of a node's own attributes; ops that the registry does not know are accepted,
// internal ones are not. The message of the error names the node.
Status bindAttrs(const Node& node);

// Checks the same and the inputs: everything that must hold before the node may run.
Status bindNode(const Node& node, std::span<const DType> given);

} // namespace lapidary
