// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/base/result.h"
#include "graph_model/tensor/dtype.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The content of a .onnx file as plain values: the messages of onnx.proto (Apache 2.0) that are
// written and read.
struct OnnxAttribute {
    enum class Type : std::uint8_t { Float = 1, Int = 2, String = 3, Floats = 6, Ints = 7 };
    std::string name;
    Type type = Type::Int;
    std::int64_t number = 0;
    float real = 0;
    std::string text = {};
    std::vector<std::int64_t> numbers = {};
    std::vector<float> reals = {};
};

struct OnnxNode {
    std::string op;
    std::string name = {};
    std::string domain = {};              // empty: ONNX' own
    std::vector<std::string> inputs = {}; // empty: left out
    std::vector<std::string> outputs = {};
    std::vector<OnnxAttribute> attributes = {};
};

struct OnnxTensor {
    std::string name;
    DType dtype = DType::Float;
    std::vector<std::int64_t> dims;
    std::string_view bytes; // little-endian; kept alive by `holder`
    BufferPtr holder;
};

struct OnnxValue {
    std::string name;
    DType dtype = DType::Float;
    std::vector<std::int64_t> dims; // -1: not known
    bool hasShape = true;
};

struct OnnxModel {
    std::int64_t opset = 13;
    std::string producer;
    std::string graphName;
    std::vector<OnnxNode> nodes;
    std::vector<OnnxTensor> initializers;
    std::vector<OnnxValue> inputs;
    std::vector<OnnxValue> outputs;
    std::vector<OnnxValue> values; // what is computed in between
};

// TensorProto.DataType; 0 where there is none.
std::int32_t onnxType(DType dtype);
DType dtypeOfOnnx(std::int32_t type); // Invalid where there is none

// Serializes the model; fails above 2 GiB.
Result<BufferPtr> encodeOnnx(const OnnxModel& model);

} // namespace lapidary
