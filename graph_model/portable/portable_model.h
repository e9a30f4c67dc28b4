// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/constant_bytes.h"
#include "graph_model/tensor/dtype.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The operations of a runtime on a device, between a TensorFlow graph and the formats that are
// written; independent of TensorFlow's ops and of each format's. Pictures are [batch, height,
// width, channels]. Weights have TensorFlow's layout: [height, width, in, out] for convolutions,
// [height, width, in, multiplier] for depthwise ones, [height, width, out, in] for transposed ones,
// [in, out] for fully connected layers.
enum class PortableKind : std::uint8_t {
    Abs,
    Add,
    And,
    ArgMax,
    ArgMin,
    AveragePool,
    BatchMatMul,
    BatchToSpace,
    Cast,
    Ceil,
    ChannelAffine, // x, scale, offset: x * scale + offset, one of each per channel (last axis)
    Concat,
    Conv2D, // x, weights, bias
    Conv3D, // x [batch, depth, height, width, in], weights [depth, height, width, in, out]
    Copy,
    Cos,
    CumSum,
    DepthToSpace,
    DepthwiseConv2D, // x, weights, bias
    Dequantize,
    DetectionPostProcess, // TFLite's: boxes, scores, anchors; outputs: boxes, classes, scores,
                          // count
    Div,
    Elu,
    Equal,
    Erf,
    Exp,
    FakeQuant, // x, clamped to [alpha, beta] and rounded to the levels of `count` bits
    Fill,      // sizes, value
    Floor,
    FloorDiv,
    FloorMod,
    FullyConnected, // x, weights, bias; x is flattened to [rows, in]
    Gather,         // values, indices
    GatherNd,
    Gelu,
    Greater,
    GreaterEqual,
    Gru, // like Lstm, without the state c; gates: update, reset, candidate
    If,  // condition, arguments; two parts make the outputs from these: if it holds, else
    LeakyRelu,
    Less,
    LessEqual,
    Log,
    LogSoftmax,
    Loop, // ONNX': condition before the loop, variables, captured; the body makes: condition to
          // continue, variables
    Lrn,
    Lstm, // x [steps, batch, in], weights [in, 4 units], recurrent weights [units, 4 units], bias
          // [4 units], first h [batch, units], first c, lengths [batch], peepholes [3 units];
          // outputs: h of every step, the last h, the last c. Gates: input, output, forget,
          // candidate; peepholes of the first three
    MaxPool,
    Maximum,
    Minimum,
    MirrorPad,
    Mul,
    Neg,
    NonMaxSuppression, // boxes, scores; outputs: the selected indices, their scores if there are
                       // three outputs, their number if there are at least two
    Not,
    NotEqual,
    OneHot, // indices, on, off
    Or,
    Pack,
    Pad,
    Pow,
    Quantize,
    RandomNormal,  // sizes
    RandomUniform, // sizes
    Range,         // first, limit, step
    ReduceAll,
    ReduceAny,
    ReduceMax,
    ReduceMean,
    ReduceMin,
    ReduceProd,
    ReduceSum,
    Relu,
    Relu6,
    Reshape,
    ResizeBilinear,
    ResizeNearest,
    Reverse,
    ReverseSequence, // x, lengths
    Rnn,             // like Gru, with one gate: the next h
    Round,           // ties to even
    Rsqrt,
    Select, // condition, then, else; broadcast
    Selu,
    Shape,
    Sigmoid,
    Sign,
    Sin,
    Softmax,
    Softplus,
    SpaceToBatch,
    SpaceToDepth,
    Split, // into the sizes of `sizes` along `axis`
    Sqrt,
    Square,
    SquaredDifference,
    StridedSlice,
    Sub,
    Tanh,
    Tile,
    TopK, // x, count if it is computed; outputs: values, indices
    Transpose,
    TransposeConv, // x, weights, bias
    Unpack,
    UpdateRow, // x, the index of a row, the row; output: x with that row
    Where,     // the indices of elements that are not 0, one row each
    While,     // variables, captured; a condition and a body that compute the next variables
};
inline constexpr std::size_t portableKindCount = std::size_t(PortableKind::While) + 1;

// Returns "Conv2D", ...
std::string_view portableKindName(PortableKind kind);
// Returns whether a kind may have outputs whose sizes are only known in a run, computes such sizes,
// or makes random numbers.
bool hasRuntimeSize(PortableKind kind);
// Returns whether it is Lstm, Gru or Rnn.
bool isRecurrentLayer(PortableKind kind);

enum class PortablePadding : std::uint8_t { Valid, Same, Explicit };
enum class PortableActivation : std::uint8_t { None, Relu, Relu6 };
// The activation of a gate of a recurrent layer. HardSigmoid only clamps to [0, 1].
enum class PortableGate : std::uint8_t { Sigmoid, HardSigmoid, Tanh, Relu };

// The parameters of an operation besides its tensors: each kind reads a few fields of
// PortableParameters. Lists of axes are complete, and no axis is negative. PortableDetection has
// those of DetectionPostProcess, besides `count`, `overlap` and `leastScore`.
struct PortableDetection {
    std::int64_t classesOf = 1; // maximum number of classes for one box
    std::int64_t perClass = 100;
    std::int64_t classes = 0;
    bool isByClass = false;        // suppression within each class
    std::array<float, 4> scales{}; // of the boxes: y, x, h, w

    bool operator==(const PortableDetection&) const = default;
};

struct PortableParameters {
    PortablePadding padding = PortablePadding::Valid;
    std::array<std::int64_t, 4> pads{}; // Explicit: top, left, bottom, right
    std::array<std::int64_t, 2> stride{1, 1};
    std::array<std::int64_t, 2> dilation{1, 1};
    std::array<std::int64_t, 2> window{1, 1}; // of pools; the block of Space* and DepthToSpace
    std::vector<std::int64_t> axes;           // reductions; Reverse; the order of Transpose
    std::vector<std::int64_t> before;         // Pad, MirrorPad, SpaceToBatch: for each axis
    std::vector<std::int64_t> after;          // same; crops of BatchToSpace
    std::vector<std::int64_t> begin;          // StridedSlice: for each axis, not negative
    std::vector<std::int64_t> end;            // exclusive; -1: including the first (step < 0)
    std::vector<std::int64_t> step;           // StridedSlice; Conv3D: over depth, height and width
    std::vector<bool> shrink;                 // StridedSlice: removed axes, by axis of the input
    std::vector<std::int64_t> sizes; // Split: along `axis`; Tile: repeats; Conv3D: dilations
    std::int64_t axis = 0;
    std::int64_t batchAxes = 0; // Gather: common leading axes; ReverseSequence: the axis
    std::int64_t count = 0;     // TopK, NonMaxSuppression: the maximum to keep; FakeQuant
    bool keepsAxes = false;     // reductions
    bool adjointX = false;      // BatchMatMul
    bool adjointY = false;
    bool alignsCorners = false;
    bool halfPixels = false;
    bool isSymmetric = false; // MirrorPad
    bool isExclusive = false; // CumSum
    bool isReverse = false;
    float alpha = 0; // LeakyRelu, Lrn, FakeQuant
    float beta = 0;  // Lrn, FakeQuant
    float bias = 0;  // Lrn
    std::int64_t radius = 0;
    float overlap = 0;               // NonMaxSuppression
    float leastScore = 0;            // same
    float sigma = 0;                 // same
    bool padsToCount = false;        // same: always `count` indices, padded with 0
    PortableDetection detection;     // DetectionPostProcess
    std::vector<PortableGate> gates; // Lstm: of i, o and f, of c, of the output; Gru: of z and r, h
    // Gru: the reset gate scales the product of h, not h. That product has its own bias, the last
    // `units` of the bias [4 units].
    bool resetsAfter = false;

    bool operator==(const PortableParameters&) const = default;
};

// The scales of a quantized tensor: a real number is (code - zero) * scale. One for the tensor, or
// one for each index of `axis`.
struct PortableScales {
    std::vector<float> scales; // empty: the tensor is not quantized
    std::vector<std::int64_t> zeros;
    std::int64_t axis = 0;

    bool isSet() const { return !scales.empty(); }
    bool operator==(const PortableScales&) const = default;
};

struct PortableTensor {
    std::string name;
    DType dtype = DType::Float;
    std::vector<std::int64_t> dims; // -1: only known in a run
    PortableScales quantized;
    bool isConstant = false;
    ConstantBytes bytes; // of a constant

    std::int64_t elements() const; // -1 if a size is unknown; at most INT64_MAX
    // Returns whether a size is only known in a run.
    bool isOpen() const;
    std::int64_t channels() const { return dims.empty() ? 1 : dims.back(); }
};

// The index of a tensor in PortableModel::tensors.
using TensorIndex = std::int32_t;
inline constexpr TensorIndex noTensor = -1;

struct PortableModel;

struct PortableOperation {
    PortableKind kind = PortableKind::Copy;
    std::vector<TensorIndex> inputs = {}; // noTensor: omitted
    std::vector<TensorIndex> outputs = {};
    PortableParameters parameters = {};
    PortableActivation activation = PortableActivation::None;
    // While: the condition and the body, whose inputs are those of the operation. Loop: the body.
    std::vector<std::shared_ptr<const PortableModel>> parts = {};
    std::string source = {}; // name of its original node, for messages
    // Outputs of operations that were merged into this one, in order.
    std::vector<std::string> merged = {};

    TensorIndex input(std::size_t slot) const
    {
        return slot < inputs.size() ? inputs[slot] : noTensor;
    }
};

// Operations are in an order in which each follows the producers of its inputs.
struct PortableModel {
    std::vector<PortableTensor> tensors;
    std::vector<PortableOperation> operations;
    std::vector<TensorIndex> inputs;
    std::vector<TensorIndex> outputs;
    std::string description; // the program that made the file

    TensorIndex add(PortableTensor tensor);
    // Adds a constant with these values, which are copied.
    TensorIndex addFloats(std::string name, std::vector<std::int64_t> dims,
                          const std::vector<float>& values);
    const PortableTensor& at(TensorIndex index) const { return tensors[std::size_t(index)]; }
    PortableTensor& at(TensorIndex index) { return tensors[std::size_t(index)]; }
    bool isConstant(TensorIndex index) const { return index >= 0 && at(index).isConstant; }
};

// Returns the values of a float constant; nothing for other types.
std::vector<float> floatsOf(const PortableTensor& tensor);
// Returns the values of an int32 or int64 constant.
std::vector<std::int64_t> integersOf(const PortableTensor& tensor);
// Returns the values as the bytes of a constant.
std::string bytesOf(const std::vector<float>& values);

// The SAME padding of an axis for a window of `size` (dilated), as in TensorFlow.
struct WindowPads {
    std::int64_t before = 0;
    std::int64_t after = 0;
};
WindowPads samePads(std::int64_t input, std::int64_t window, std::int64_t stride,
                    std::int64_t dilation);

// The layout of output channels in the weights of a layer: `count` channels, each of `run` adjacent
// elements, repeat.
struct WeightChannels {
    std::size_t count = 1;
    std::size_t run = 1;

    std::size_t of(std::size_t element) const { return element / run % count; }
};
WeightChannels weightChannels(PortableKind layer, const std::vector<std::int64_t>& dims);
// Matches `count` scales to an axis, or to that axis and the next ones together. Returns nothing if
// they do not fit.
std::optional<WeightChannels> channelsAlong(std::span<const std::int64_t> dims, std::int64_t axis,
                                            std::size_t count);

// Returns whether there is a loop among the operations.
bool hasLoops(const PortableModel& model);
// Applies `change` to a copy of each part (body of a loop or branch) and replaces the part by it.
template <class Change>
void changeParts(PortableModel& model, const Change& change)
{
    for (PortableOperation& operation : model.operations)
        for (auto& part : operation.parts) {
            auto changed = std::make_shared<PortableModel>(*part);
            change(*changed);
            part = std::move(changed);
        }
}

// Returns for each tensor whether it is an output of the model.
std::vector<bool> portableOutputs(const PortableModel& model);
// Returns the readers of each tensor, as indices into PortableModel::operations.
std::vector<std::vector<std::size_t>> portableReaders(const PortableModel& model);

} // namespace lapidary
