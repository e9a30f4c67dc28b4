// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Describes what kind of work an op does; decides its color and mark.
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
std::string_view opFamilyName(OpFamily family); // "heavy math", for legends

struct ArgSpec {
    std::string_view name;
    DType dtype = DType::Invalid;  // fixed dtype, or Invalid
    std::string_view typeAttr;     // attr that gives the dtype, or empty
    std::string_view numberAttr;   // attr that gives the count of a run, or empty
    std::string_view typeListAttr; // attr of kind list(type) that gives all dtypes, or empty
    bool isReference = false;
};

struct AttrSpec {
    std::string_view name;
    std::string_view kind;        // "type", "int", "list(shape)", ...
    std::string_view defaultText; // as in the registry file; see hasDefault
    std::string_view allowedText; // "DT_FLOAT|DT_HALF" or "\"SAME\"|\"VALID\"", or empty
    std::int64_t minimum = 0;     // where hasMinimum
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
    std::int32_t deprecatedSince = 0; // graph version, 0: not deprecated
    std::string_view deprecationReason;
    OpFamily family = OpFamily::Unknown;
};

// The op registry of TensorFlow 1.15.5, compiled in. Null where the op is unknown. O(log n).
const OpSpec* findOp(std::string_view name);
// Returns whether an op takes a size, an index or an axis at this input, judging by its name in the
// registry: "shape", "multiples", "begin".
bool isSizeInput(std::string_view op, std::uint32_t slot);
std::span<const OpSpec> allOps(); // sorted by name
// The family of any op name, of an operator of TFLite or ONNX too; Unknown: it is none of them.
OpFamily opFamily(std::string_view op);
// "Conv2D(input: T, filter: T) -> (output: T)".
std::string signatureText(const OpSpec& op);

} // namespace lapidary
