// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/portable/encoded_model.h"
#include "graph_model/tensor/dtype.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The content of a .onnx file as plain values: those messages of onnx.proto (Apache 2.0) that are
// read and written.
struct OnnxGraph;

struct OnnxTensor {
    std::string name;
    DType dtype = DType::Float; // Invalid: a type that TensorFlow lacks
    std::vector<std::int64_t> dims;
    ConstantBytes bytes;                      // stored, if they were read
    std::vector<std::string_view> texts = {}; // of a tensor of strings, instead of `bytes`
    // The file of the bytes, as a path beside this file, and their position in it; empty if they
    // are in this file.
    std::string externalFile = {};
    std::uint64_t externalOffset = 0;
    std::optional<std::uint64_t> externalLength = {};
};

struct OnnxAttribute {
    enum class Type : std::uint8_t {
        Unknown = 0,
        Float = 1,
        Int = 2,
        String = 3,
        Tensor = 4,
        Graph = 5,
        Floats = 6,
        Ints = 7,
        Strings = 8,
    };
    std::string name;
    Type type = Type::Int;
    std::int64_t number = 0;
    float real = 0;
    std::string text = {};
    std::vector<std::int64_t> numbers = {};
    std::vector<float> reals = {};
    std::vector<std::string> texts = {};
    OnnxTensor tensor = {};
    std::shared_ptr<const OnnxGraph> graph = {};
};

struct OnnxNode {
    std::string op;
    std::string name = {};
    std::string domain = {};              // empty: that of ONNX itself
    std::vector<std::string> inputs = {}; // empty: omitted
    std::vector<std::string> outputs = {};
    std::vector<OnnxAttribute> attributes = {};
};

struct OnnxValue {
    std::string name;
    DType dtype = DType::Float;
    std::vector<std::int64_t> dims; // -1: unknown
    bool hasShape = true;
};

struct OnnxGraph {
    std::string graphName;
    std::vector<OnnxNode> nodes;
    std::vector<OnnxTensor> initializers;
    std::vector<OnnxValue> inputs;
    std::vector<OnnxValue> outputs;
    std::vector<OnnxValue> values; // computed between inputs and outputs
};

// An operator that the file itself defines.
struct OnnxFunction {
    std::string name;
    std::string domain;
    OnnxGraph body; // inputs and outputs without type
};

struct OnnxModel : OnnxGraph {
    std::int64_t opset = 13;
    std::string producer;
    std::vector<OnnxFunction> functions; // only read
};

// A limit that is higher than that of any runtime.
inline constexpr std::size_t mostOnnxAxes = 64;

// Returns a TensorProto.DataType; 0 if there is none.
std::int32_t onnxType(DType dtype);
DType dtypeOfOnnx(std::int32_t type); // Invalid if there is none

// Serializes the model; fails above 2 GiB.
Result<EncodedModel> encodeOnnx(const OnnxModel& model);
// Reads a file; checks lengths, types and sizes, but not names. Constants point into `bytes`.
Result<OnnxModel> decodeOnnx(const BufferPtr& bytes);

} // namespace lapidary
