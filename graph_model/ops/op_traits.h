// SPDX-License-Identifier: Apache-2.0
// The one table of what ops are, beyond their signatures (op_registry.h): ask by name, and write no
// list of ops elsewhere. A list that has to differ is beside its user, with the reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapidary {

// A node of TensorFlow 1's control flow. References (RefSwitch) are of the same kind.
enum class ControlFlow : std::uint8_t { None, Switch, Merge, Enter, Exit, NextIteration, LoopCond };

// An op that calls functions of the library, by how many run and how often.
enum class CallKind : std::uint8_t { None, Call, Branch, Loop };

// An op whose multiplications dominate a network, by how its work is counted.
enum class WorkKind : std::uint8_t { None, Convolution, DepthwiseConvolution, Product };

// Where an op belongs beside the layer that it is wired to (a convolution, a product).
enum class LayerSide : std::int8_t { Before = -1, None = 0, After = 1 };

// All of these take the name of an op, registered or not, and cost one look-up in a table.
ControlFlow controlFlow(std::string_view op);
CallKind callKind(std::string_view op);
WorkKind workKind(std::string_view op);
// Adds, activates, scales or dequantizes after a layer; or pads, joins or quantizes before
// it.
LayerSide layerSide(std::string_view op);

inline bool isSwitch(std::string_view op)
{
    return controlFlow(op) == ControlFlow::Switch;
}

inline bool isMerge(std::string_view op)
{
    return controlFlow(op) == ControlFlow::Merge;
}

inline bool isEnter(std::string_view op)
{
    return controlFlow(op) == ControlFlow::Enter;
}

inline bool isExit(std::string_view op)
{
    return controlFlow(op) == ControlFlow::Exit;
}

inline bool isNextIteration(std::string_view op)
{
    return controlFlow(op) == ControlFlow::NextIteration;
}

inline bool isLoopCond(std::string_view op)
{
    return controlFlow(op) == ControlFlow::LoopCond;
}

// The output is the input and nothing else happens in a run: Identity, StopGradient, ...
bool copiesInput(std::string_view op);
// Every output is the first input, bit for bit. Besides copies these are ops that check, print or
// mark it (CheckNumerics, Print); not control flow, which passes values on between frames.
bool passesInputOn(std::string_view op);
// Each output is the input of the same number: IdentityN.
bool passesEachInputOn(std::string_view op);
// One of the two: for walks that follow a value to where it comes from.
inline bool isPassThrough(std::string_view op)
{
    return passesInputOn(op) || passesEachInputOn(op);
}
// The elements of the input in the same order, in another shape: Reshape, Squeeze, ExpandDims.
bool keepsElements(std::string_view op);
// The elements of the input as another type: Cast, Dequantize.
bool convertsElements(std::string_view op);
// Returns whether the op may be between a weight and its users: copies, conversions, reads, the
// Enter of a loop.
bool deliversWeight(std::string_view op);

bool isConstant(std::string_view op);       // Const, HostConst, ImmutableConst
bool isVariable(std::string_view op);       // every op that makes a variable, for a run or longer
bool isStoredVariable(std::string_view op); // one variable, which a checkpoint holds
bool isVariableHandle(std::string_view op); // its output is a resource, not the value
bool isVariableRead(std::string_view op);   // ReadVariableOp: a resource's value
// Variables of references (Variable, VariableV2): the only ones that TensorFlow's older tools
// (summarize_graph, sparsify_gather) know.
bool isReferenceVariable(std::string_view op);

bool assignsVariable(std::string_view op); // Assign, AssignVariableOp: input 1 becomes the value
// Writes into the variable that is its first input, or asks whether it has a value: operations that
// a constant does not support. By the start of its name.
bool changesVariable(std::string_view op);
// Gives on the handle of a variable that it reads: copies and control flow.
bool passesResourceOn(std::string_view op);

// Fills a table with keys and values of the graph, by the start of its name: LookupTableImportV2,
// InitializeTable, but not from a file.
bool fillsTableFromGraph(std::string_view op);
// Makes a table: HashTableV2, MutableHashTable, ... By a part of its name.
bool isTable(std::string_view op);

bool isPlaceholder(std::string_view op);      // Placeholder and its versions, with a default or not
bool isFunctionArgument(std::string_view op); // _Arg
bool isFunctionResult(std::string_view op);   // _Retval
// A node that is fed, by the start of its name ("PlaceholderQueue"), or a function's argument.
bool isFedOp(std::string_view op);
// Brings in data from outside of the graph: iterators, readers, queues, what is received.
bool isPipelineOp(std::string_view op);
bool asksForSize(std::string_view op);  // Shape, ShapeN, Size, Rank: sizes, not content
bool isActivation(std::string_view op); // element by element, after a layer: Relu, Tanh, ...

bool isSavingOp(std::string_view op); // writes, reads or names checkpoints, or asks for variables
bool isConcludingOp(std::string_view op); // is the last op of networks: Softmax, TopK
// Input 0 is the file of a picture, whose kind its content tells: DecodeJpeg, DecodePng, ...
bool readsPictureFile(std::string_view op);
// Takes numbers apart, puts them together and computes with them, as sizes are prepared for an op.
bool isSizeMath(std::string_view op);
// Makes a tensor of one value, or an empty array, of a size that it is told: Fill, TensorArrayV3.
bool isMadeOfSize(std::string_view op);
// Is found in the forward half and in the gradients of a training graph alike.
bool isShapeOrArithmetic(std::string_view op);
bool isPairwise(std::string_view op); // two inputs, element by element, broadcast: Add, Less, ...
// Is computed here, as by TensorFlow on a processor, with the channels of pictures last only.
bool needsChannelsLast(std::string_view op);
// Gives the factor of a channel on to what it computes: BiasAdd, Reshape, ...
bool passesFactorsOn(std::string_view op);
// TensorFlow's import passes over _output_shapes of these ops that contradict what it infers: older
// versions told their shapes otherwise.
bool hasUnreadOutputShapes(std::string_view op);
// Rounds numbers to codes within a range that it is given: the input that is the smallest number of
// the range; the next one is the largest. QuantizeV2, Requantize, FakeQuantWithMinMaxVars.
std::optional<std::uint32_t> rangeInput(std::string_view op);

} // namespace lapidary
