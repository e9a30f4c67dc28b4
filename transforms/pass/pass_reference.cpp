#include "transforms/pass/pass_reference.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::string_view notOriginal = "TensorFlow has no such transform.";
constexpr std::string_view remote =
    "There is no executor for a remote processor here: the pass ends in an error that says so.";

// Sorted by name, as the table of passes.
constexpr auto references = std::to_array<PassReference>({
    {"add_default_attributes", "lrn = LRN(x)",
     "lrn = LRN(x) {alpha=1, beta=0.5, bias=1, depth_radius=5, T=float}",
     "Attributes that are there stay as they are. An op that neither the graph's functions nor the "
     "op registry know is an error.",
     ""},
    {"backport_concatv2", "y = ConcatV2(a, b, axis)", "y = Concat(axis, a, b)",
     "An axis of type int64, which Concat does not have, and nodes without inputs.",
     "Control inputs stay behind the data inputs. An int64 axis is left alone."},
    {"backport_tensor_array_v3",
     "array = TensorArrayV3(size)\n"
     "w = TensorArrayWriteV3(array, i, x, array:1)",
     "array = TensorArrayV2(size)\n"
     "w = TensorArrayWriteV2(array, i, x, array/replacement_flow_node)",
     "",
     "identical_element_shapes, which version 2 does not have, is dropped. A name that is taken "
     "is an error instead of a second node of that name."},
    {"bypass_nodes", "d = Dropout(x)\ny = Relu(d)", "y = Relu(x), with name=d",
     "A node without data inputs, or whose other outputs are read, is an error.", notOriginal},
    {"clean", "i = Identity(a)\ny = Add(i, b), b equal to a, and a node that nobody needs",
     "y = Add(a, a)",
     "What remove_identity, merge_duplicate_nodes and remove_dead_nodes leave alone. "
     "Ends after max_rounds rounds at the latest.",
     notOriginal},
    {"delete_nodes", "y = Net(x)\nloss = Loss(y)", "y = Net(x), with name=loss",
     "A node that others read is an error that names the reader, unless with_readers=true deletes "
     "those too. Nodes that only waited for it wait no longer.",
     notOriginal},
    {"extract_nodes", "a = Conv2D(x, w)\nb = Relu(a)\nc = MaxPool(b)",
     "a = Placeholder()\nb = Relu(a), with name=b",
     "Placeholders and constants that are read stay what they are, and what is left out is not "
     "waited for. A type that is not known is an error.",
     notOriginal},
    {"flatten_atrous_conv",
     "s = SpaceToBatchND(x, block, paddings)\n"
     "c = Conv2D(s, w)\n"
     "y = BatchToSpaceND(c, block, crops)",
     "y = Conv2D(x, w with zeros between its taps) {padding=SAME}",
     "Paddings and crops that do not amount to SAME, strides or dilations other than 1, channels "
     "in "
     "front, sizes and filters that are not constant floats, blocks that differ, control inputs, "
     "and "
     "inner nodes that are read elsewhere or are outputs.",
     "The original changes what such places compute, or crashes. The port of the input is kept, "
     "and "
     "so are control inputs of the constants."},
    {"fold_batch_norms", "c = Conv2D(x, w)\ny = Mul(c, m), w and m Const", "y = Conv2D(x, w * m)",
     "A convolution, w or m that is read elsewhere or is an output, channels in front, m that is "
     "no "
     "vector with one factor an output channel, and values that are not finite.",
     "A place that does not fit is left alone; in the original it fails the recipe. Control inputs "
     "of "
     "the Mul are kept."},
    {"fold_constants", "s = Add(a, b), a and b Const\ny = Mul(s, x)",
     "y = Mul(add/_0__cf__0, x), one Const",
     "Placeholders that are not inputs, stateful ops, control flow, results larger than "
     "max_constant_size_in_bytes, and what has no kernel or cannot be computed. An output keeps "
     "its "
     "node.",
     "What cannot be computed is left alone; in the original it fails the recipe. An empty graph, "
     "an "
     "input that is no placeholder and a tensor that is input and output are no faults. Computed "
     "with "
     "this program's kernels: values differ in the last bits at most."},
    {"fold_old_batch_norms",
     "c = Conv2D(x, w)\n"
     "y = FusedBatchNorm(c, gamma, beta, mean, variance)",
     "c = Conv2D(x, w * gamma / sqrt(variance + epsilon))\n"
     "y = BiasAdd(c, beta - mean * gamma / sqrt(variance + epsilon))",
     "Training mode, vectors that do not have one value a channel, outputs 1 to 4 of the "
     "normalisation that are read, and a convolution or weights that are read elsewhere or are "
     "outputs.",
     "FusedBatchNorm of versions 2 and 3 is folded too. Places that do not fit are left alone; the "
     "original changes what others read, crashes, never ends or fails the recipe. Control inputs "
     "are kept."},
    {"freeze_requantization_ranges", "y = Requantize(q, q:1, q:2, range, range:1)",
     "y = Requantize(q, q:1, q:2, range/frozen_min, range/frozen_max), two Const",
     "Ranges that the log does not hold, and those that are inputs or outputs. A name in the log "
     "that is no RequantizationRange of the graph is an error.",
     "Control edges follow to the constants, and control inputs are kept; the original leaves "
     "inputs that do not exist. A name that is taken is an error."},
    {"fuse_pad_and_conv", "p = MirrorPad(x, paddings)\ny = Conv2D(p, w)",
     "y = FusedPadConv2D(x, paddings, w)",
     "Channels in front, dilations, explicit paddings, control inputs, and inner nodes that are "
     "read "
     "elsewhere or are outputs.",
     "The original fuses such places although the result differs, or crashes. The device is kept."},
    {"fuse_remote_graph", "a part of the graph", "one RemoteFusedGraphExecute", "", remote},
    {"fuse_resize_and_conv", "r = ResizeBilinear(x, size)\ny = Conv2D(r, w)",
     "y = FusedResizeAndPadConv2D(x, size, y_dummy_paddings, w)",
     "Channels in front, dilations, explicit paddings, half pixel centres, control inputs, and "
     "inner "
     "nodes that are read elsewhere or are outputs.",
     "The original fuses such places although the result differs, or crashes. The device is kept."},
    {"fuse_resize_pad_and_conv",
     "r = ResizeBilinear(x, size)\np = MirrorPad(r, paddings)\ny = Conv2D(p, w)",
     "y = FusedResizeAndPadConv2D(x, size, paddings, w)",
     "Channels in front, dilations, explicit paddings, half pixel centres, control inputs, and "
     "inner "
     "nodes that are read elsewhere or are outputs.",
     "The original fuses such places although the result differs, or crashes. The device is kept."},
    {"insert_logging", "b = Relu(a)", "a__print__ = Print(a, a)\nb = Relu(a__print__)",
     "Nodes that are only waited for, outputs that nobody reads, and nodes that have their Print "
     "already.",
     "Only outputs that are read are printed; the original makes nodes that cannot be imported, or "
     "two of one name."},
    {"merge_duplicate_nodes", "r = Relu(a)\ns = Relu(b), b equal to a\ny = Add(r, s)",
     "r = Relu(a)\ny = Add(r, r)",
     "Stateful ops, ops that nobody knows, placeholders, and inputs and outputs of the model.",
     "The first of equal nodes stays; the original follows the order of hashes. A port on an input "
     "or "
     "output protects its node too. Unknown ops are no fault."},
    {"obfuscate_names", "tower/conv1/weights", "3", "Inputs and outputs keep their names.",
     "Names follow the order of the nodes, which the original leaves to hashes. A port or caret on "
     "an "
     "input or output protects its node too."},
    {"place_remote_graph_arguments", "a part of the graph", "the same, marked", "", remote},
    {"quantize_nodes", "c = Conv2D(x, w)\ny = Relu(c)",
     "q = QuantizeV2(x)\n"
     "c = QuantizedConv2D(q, w), its codes requantised from 32 to 8 bits\n"
     "r = QuantizedRelu(c)\n"
     "y = Dequantize(r)",
     "Ops without an 8-bit form, values that are not float, channels in front, dilations, explicit "
     "paddings, operands that the 8-bit op cannot broadcast, tensors without elements, and ops in "
     "ignore_op. A pair that unpacks and packs stays where the range is another tensor's or others "
     "read what is between.",
     "Control inputs are kept; the original loses them or quantises them like tensors. A tensor "
     "that "
     "one node reads twice is quantised once, missing attributes have their defaults, nodes "
     "without "
     "type and ops that nobody knows are left alone: the original fails there. Every fake "
     "quantisation is converted; the original converts one."},
    {"quantize_weights", "w = Const float",
     "w = Dequantize(w_quantized_const, w_quantized_min, w_quantized_max), 8 bits a value",
     "Constants that are not float, have fewer elements than minimum_size, or hold NaN or "
     "infinity.",
     "The original makes wrong scales of such values. Control inputs and the device are kept; a "
     "name "
     "that is taken is an error."},
    {"remove_attribute", "y = Add(a, b) {T=float, _class=...}",
     "y = Add(a, b) {T=float}, with attribute_name=_class", "", ""},
    {"remove_control_dependencies", "y = Relu(x, ^init)", "y = Relu(x)", "",
     "Edges that order stateful ops go too, as in the original."},
    {"remove_dead_nodes", "n = Net(x)\ny = Relu(n)\nloss = Loss(n)",
     "n = Net(x)\ny = Relu(n), with output y", "Inputs stay. Without outputs nothing is dead.",
     notOriginal},
    {"remove_device", "conv on /gpu:0", "conv on no device", "", ""},
    {"remove_identity", "i = Identity(x)\ny = Relu(i)", "y = Relu(x)",
     "Copies that are inputs or outputs of the model, that read a reference, and that stand behind "
     "a "
     "Switch, where the control edges of a branch begin.",
     notOriginal},
    {"remove_nodes", "i = Identity(x)\ny = Relu(i)", "y = Relu(x), with op=Identity",
     "Inputs and outputs of the model, nodes whose other outputs are read, and nodes with more "
     "than "
     "max_inputs data inputs.",
     "Readers wait for the control inputs of what is gone, and side inputs stay in the graph; the "
     "original loses them, or leaves inputs that do not exist."},
    {"rename_attribute", "y = Add(a, b) {foo=1}",
     "y = Add(a, b) {bar=1}, with old_attribute_name=foo, new_attribute_name=bar",
     "Where the node has the new name already, that value stays and the old one goes.", ""},
    {"rename_node", "y = Relu(x)", "y = Relu(image), with old_name=x, new_name=image",
     "A name that is taken, or that TensorFlow refuses, is an error. Colocations follow.",
     notOriginal},
    {"rename_op", "y = Mul(a, b)", "y = Multiply(a, b), with old_op_name=Mul, new_op_name=Multiply",
     "", ""},
    {"replace_by_placeholder", "d = Decode(file)\ny = Relu(d)",
     "d = Placeholder()\ny = Relu(d), with name=d",
     "Placeholders stay as they are. A node whose other outputs are read is an error, and so is a "
     "type that is neither known nor given.",
     notOriginal},
    {"rewrite_quantized_stripped_model_for_hexagon", "a quantised graph",
     "one node for the Hexagon processor", "", remote},
    {"round_weights", "w = Const float, many different values",
     "w = Const float, at most num_steps different values",
     "Constants that are not float, have fewer than 16 elements, or hold NaN or infinity.",
     "Less than one step is refused; the original divides by zero. Control inputs are kept."},
    {"set_attribute", "p = MaxPool(x) {padding=VALID}",
     "p = MaxPool(x) {padding=SAME}, with name=p, attribute_name=padding, value=SAME",
     "A value that is not of the attribute's kind, or that the op does not allow, is an error. "
     "Tensors and functions have no text.",
     notOriginal},
    {"set_device", "conv on no device", "conv on /cpu:0, with device=\"/cpu:0\"",
     "With if_default=true, nodes that have a device.", ""},
    {"sort_by_execution_order", "y = Add(a, b)\nb = Const\na = Const",
     "b = Const\na = Const\ny = Add(a, b)",
     "Cycles but those of Merge, and inputs that do not exist, are errors.", ""},
    {"sparsify_gather", "g = Gather(w, ids), w of shape [N, 1]",
     "l = LookupTableFind(w/HashTable, ids, 0)\ng = ExpandDims(l, -1)",
     "Weights of another shape, with batch dimensions, that the outputs need in another way, or "
     "that "
     "are inputs or outputs; an axis that is no constant.",
     "NaN is stored too, control inputs are kept, two gathers may read one table, and no NoOp is "
     "made "
     "where there is no table; the original makes malformed graphs of such places or fails."},
    {"strip_unused_nodes", "q = Queue()\nx = Decode(q)\ny = Net(x)\nloss = Loss(y)",
     "x = Placeholder()\ny = Net(x), with input x and output y",
     "An input that is a Placeholder stays as it is. Without a given type and shape, inputs become "
     "float and of unknown shape.",
     ""},
});

} // namespace

const PassReference& referenceOf(const Pass& pass)
{
    static constexpr PassReference none{};
    const auto found = std::ranges::find(references, pass.name, &PassReference::name);
    return found == references.end() ? none : *found;
}

} // namespace lapidary
