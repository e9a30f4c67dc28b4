// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The kind of work of an op; decides its color and mark.
enum class OpFamily : std::uint8_t {
    Input,
    Output,
    Weights,
    HeavyMaths,
    Normalization,
    Activation,
    Pooling,
    ElementWise,
    DataMovement,
    Control,
    Quantized,
    Training,
    Unknown,
};
inline constexpr int opFamilyCount = 13;
std::string_view opFamilyName(OpFamily family); // "heavy math"; for legends

struct ArgSpec {
    std::string_view name;
    DType dtype = DType::Invalid;  // fixed dtype, or Invalid
    std::string_view typeAttr;     // attr with the dtype, or empty
    std::string_view numberAttr;   // attr with the number of tensors of this argument, or empty
    std::string_view typeListAttr; // attr of kind list(type) with all dtypes, or empty
    bool isReference = false;
};

struct AttrSpec {
    std::string_view name;
    std::string_view kind;        // "type", "int", "list(shape)", ...
    std::string_view defaultText; // as in the registry file; only if hasDefault
    std::string_view allowedText; // "DT_FLOAT|DT_HALF" or "\"SAME\"|\"VALID\"", or empty
    std::int64_t minimum = 0;     // only if hasMinimum
    bool hasDefault = false;
    bool hasMinimum = false;
};

struct OpSpec {
    std::string_view name;
    std::span<const ArgSpec> inputs;
    std::span<const ArgSpec> outputs;
    std::span<const AttrSpec> attrs;
    bool isStateful = false;
    bool isCommutative = false;
    bool isAggregate = false;
    std::int32_t deprecatedSince = 0; // graph version; 0: not deprecated
    std::string_view deprecationReason;
    OpFamily family = OpFamily::Unknown;
};

// Finds an op in the registry of TensorFlow 1.15.5, which is compiled in, and among laterOps().
// Null if the op is unknown. O(log n).
const OpSpec* findOp(std::string_view name);
// Returns whether this input of an op is a size, an index or an axis, judging by its name in the
// registry: "shape", "multiples", "begin".
bool isSizeInput(std::string_view op, std::uint32_t slot);
std::span<const OpSpec> allOps(); // sorted by name
// Returns the family of any op name, including operators of TFLite and ONNX; Unknown if it is none
// of them.
OpFamily opFamily(std::string_view op);
// Returns "Conv2D(input: T, filter: T) -> (output: T)".
std::string signatureText(const OpSpec& op);

} // namespace lapidary
