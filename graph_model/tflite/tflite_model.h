// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/portable/encoded_model.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tflite/flex_map.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// The content of a .tflite file as plain values, with the names of the format's schema
// (tensorflow/compiler/mlir/lite/schema/schema.fbs, Apache 2.0).

// A field of an operator's table of options.
struct TfliteOption {
    enum class Type : std::uint8_t { Byte, Bool, Int, Float, Ints };
    std::uint16_t field = 0; // its position in the table
    Type type = Type::Int;
    std::int64_t number = 0; // of Byte, Bool and Int
    float real = 0;
    std::vector<std::int32_t> list = {};
    std::int64_t standard = 0; // the default; not written if `number` equals it

    bool operator==(const TfliteOption&) const = default;
};

struct TfliteOperator {
    std::int32_t code = 0;       // BuiltinOperator
    std::string customCode = {}; // of CUSTOM
    FlexMap customOptions = {};
    FlexNode node = {};           // of a custom operator that is an op of TensorFlow
    std::int32_t version = 1;     // the lowest that supports the operator in this form
    std::uint8_t optionsType = 0; // BuiltinOptions; 0: none
    std::vector<TfliteOption> options = {};
    std::vector<std::int32_t> inputs = {}; // -1: omitted
    std::vector<std::int32_t> outputs = {};
};

struct TfliteScales {
    std::vector<float> scales; // empty: the tensor is not quantized
    std::vector<std::int64_t> zeros;
    std::int32_t axis = 0;
};

struct TfliteTensor {
    std::string name;
    std::int8_t type = 0; // TensorType
    std::vector<std::int32_t> shape;
    TfliteScales quantized;
    bool isConstant = false;
    bool isVariable = false;
    bool isSparse = false;               // its bytes do not store every element
    std::vector<std::int32_t> openShape; // -1: may vary; empty: same as `shape`
    ConstantBytes bytes;                 // of a constant; stored, if they were read
};

struct TfliteGraph {
    std::string name;
    std::vector<TfliteTensor> tensors;
    std::vector<TfliteOperator> operators;
    std::vector<std::int32_t> inputs;
    std::vector<std::int32_t> outputs;
};

// The names by which programs address a graph and its tensors.
struct TfliteSignature {
    using Names = std::vector<std::pair<std::string, std::int32_t>>; // name, index of the tensor
    std::string key;
    std::uint32_t graph = 0;
    Names inputs;
    Names outputs;
};

struct TfliteModel {
    std::string description;
    std::string minimumRuntime; // "1.5.0"; empty: not given
    std::vector<TfliteGraph> graphs;
    // Signatures that were read. A written file has one, "serving_default", with the tensors' own
    // names.
    std::vector<TfliteSignature> signatures = {};
};

// Returns the name of a BuiltinOperator, as in "CONV_2D"; empty if the table has none of that
// number.
std::string_view tfliteOperatorName(std::int32_t code);
// Returns nothing if TensorFlow's type has no counterpart.
std::optional<std::int8_t> tfliteType(DType dtype);
DType dtypeOfTflite(std::int8_t type); // Invalid if there is none

// Serializes the model. Fails above 2 GiB.
Result<EncodedModel> encodeTflite(const TfliteModel& model);
// Reads a file and checks everything before it is used. Constants point into `bytes`.
Result<TfliteModel> decodeTflite(const BufferPtr& bytes);

} // namespace lapidary
