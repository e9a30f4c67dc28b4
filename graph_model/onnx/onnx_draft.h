// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/taken_names.h"
#include "graph_model/onnx/onnx_model.h"
#include "graph_model/portable/portable_model.h"

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lapidary {

// The position of a picture's channels: last, as in the portable model, or first. Tensors of
// another rank than 4 have only one form.
enum class OnnxForm : std::uint8_t { Last, Front };

// A file under construction. A tensor of the model may exist in both forms; a missing one is made
// once, on demand.
class OnnxDraft {
public:
    OnnxDraft(const PortableModel& model, std::int64_t opset);
    // Makes the body of a loop or a side of a branch in `outer`; its last inputs are `outer`'s
    // tensors with the names `captured`.
    OnnxDraft(const PortableModel& body, const OnnxDraft& outer,
              const std::vector<std::string>& captured);

    const PortableModel& model() const { return m_model; }
    const PortableTensor& portable(TensorIndex index) const { return m_model.at(index); }
    std::int64_t opset() const { return m_opset; }

    // Returns the name of a tensor in a form; appends a Transpose or Reshape if it does not exist
    // yet.
    std::string name(TensorIndex index, OnnxForm form);
    bool exists(TensorIndex index, OnnxForm form) const;
    // Returns a name for the tensor that an operation makes in a form.
    std::string make(TensorIndex index, OnnxForm form);
    // Sets the name of a tensor in a form.
    void setName(TensorIndex index, OnnxForm form, std::string name);
    // Returns whether the file has the tensor under its own name.
    bool isEnd(TensorIndex index) const;
    // Returns the elements in order, in either form if the order is the same: the forms are equal
    // if height and width (or the channels) are 1.
    std::string flat(TensorIndex index);

    // Returns the name of a new tensor between two nodes of one operation.
    std::string between(const std::string& base, DType dtype, std::vector<std::int64_t> dims);
    std::string ints(const std::vector<std::int64_t>& values);
    std::string oneInt(std::int64_t value);
    std::string oneFloat(float value);
    // Adds a constant with these values.
    std::string constant(const std::string& base, DType dtype, std::vector<std::int64_t> dims,
                         ConstantBytes bytes, const PortableScales& scales = {});
    // Adds a constant that refers to values of the model, without a copy.
    std::string shared(TensorIndex index, std::vector<std::int64_t> dims);

    OnnxNode& append(std::string op, std::vector<std::string> inputs,
                     std::vector<std::string> outputs);
    // Appends a node with one output of that type and size. Returns the name of the output.
    std::string step(const std::string& op, std::vector<std::string> inputs, DType dtype,
                     std::vector<std::int64_t> dims);
    OnnxNode& last() { return m_result.nodes.back(); }
    // Sets the operation that is being written, after which tensors between its nodes are named.
    void begin(const PortableOperation& operation);

    // Appends all operations of the model.
    Status appendAll();
    Status appendLoop(const PortableOperation& loop);
    Status appendBranches(const PortableOperation& choice);

    OnnxModel finish() &&;

private:
    using Key = std::pair<TensorIndex, OnnxForm>;
    // A constant that the file has.
    struct Added {
        std::size_t initializer = 0;
        PortableScales scales;
        std::string name; // of its values
    };

    std::string constantIn(TensorIndex index, OnnxForm form);
    // Adds a constant unless the file has an equal one; one in fewer bits is followed by the node
    // that converts it to floats. Returns the name of the values.
    std::string add(OnnxTensor tensor, const PortableScales& scales);
    std::string addNew(OnnxTensor tensor, const PortableScales& scales);
    std::string converted(TensorIndex index, OnnxForm form);
    void finishBody();

    const PortableModel& m_model;
    std::int64_t m_opset;
    bool m_isBody = false;              // all names inside it are new
    bool m_hasSteps = false;            // it is the body of a loop
    std::size_t m_inputs = 0;           // without captured ones
    std::vector<bool> m_isOutput;       // by tensor of the model
    std::set<std::string> m_inputNames; // of the model
    OnnxModel m_result;
    std::map<Key, std::string> m_names;
    std::map<std::string, std::string> m_numbers;        // small constants by their content
    std::unordered_multimap<std::size_t, Added> m_added; // large ones by the hash of their bytes
    // of the file: bodies share it
    std::shared_ptr<TakenNames> m_taken = std::make_shared<TakenNames>();
    std::string m_base;
};

// Returns the position of an axis in a picture whose channels are in front.
std::int64_t frontAxis(std::int64_t axis);
// Returns the sizes of a tensor in a form; only those of pictures change.
std::vector<std::int64_t> dimsIn(const std::vector<std::int64_t>& dims, OnnxForm form);

OnnxAttribute onnxInt(std::string name, std::int64_t value);
OnnxAttribute onnxInts(std::string name, std::vector<std::int64_t> values);
OnnxAttribute onnxFloat(std::string name, float value);
OnnxAttribute onnxText(std::string name, std::string value);

// Returns the model with Loops instead of Whiles: ONNX evaluates the condition before the loop for
// whether it begins, and at the end of its body for whether it continues.
PortableModel withOnnxLoops(const PortableModel& model);

// Name an input and an output of an operation with the channels last.
inline std::string inputLast(OnnxDraft& draft, const PortableOperation& operation, std::size_t slot)
{
    return draft.name(operation.inputs[slot], OnnxForm::Last);
}
inline std::string outputLast(OnnxDraft& draft, const PortableOperation& operation,
                              std::size_t port = 0)
{
    return draft.make(operation.outputs[port], OnnxForm::Last);
}

// Each appends one operation, and has its own source file. Errors give the reason, without the
// node's name.
Status appendOnnxLayer(OnnxDraft& draft, const PortableOperation& operation);
Status appendOnnxElement(OnnxDraft& draft, const PortableOperation& operation);
Status appendOnnxShape(OnnxDraft& draft, const PortableOperation& operation);
bool isOnnxLayer(PortableKind kind);
bool isOnnxElement(PortableKind kind);
void appendOnnxRuntimeSize(OnnxDraft& draft, const PortableOperation& operation);
void appendOnnxRecurrent(OnnxDraft& draft, const PortableOperation& operation);

} // namespace lapidary
