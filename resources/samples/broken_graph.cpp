// SPDX-License-Identifier: Apache-2.0
#include "layers.h"
#include "samples.h"

namespace lapidary::samples {
namespace {

NodeDraft node(std::string name, std::string op, std::vector<std::string> inputs)
{
    NodeDraft draft;
    draft.name = std::move(name);
    draft.op = std::move(op);
    draft.inputs = std::move(inputs);
    draft.setAttr("T", attr::fromType(DType::Float));
    return draft;
}

} // namespace

GraphPtr brokenGraph()
{
    ModelBuilder model;
    const Value x = model.placeholder("input", DType::Float, Shape{{-1, 8}});
    const Value good = unary(model, "Relu", dense(model, "good", x, 8));
    model.addRaw(node("missing_input", "Tanh", {"no_such_node"}));
    model.addRaw(node("missing_port", "Sigmoid", {good.name + ":3"}));
    model.addRaw(node("unknown_op", "HomeMadeActivation", {good.name}));
    model.addRaw(node("twice", "Relu", {good.name}));
    model.addRaw(node("twice", "Relu6", {good.name}));
    model.addRaw(node("ring/a", "AddV2", {good.name, "ring/b"}));
    model.addRaw(node("ring/b", "Relu", {"ring/a"}));
    model.bytes("short_constant", DType::Float, Shape{{4}}, "only 11 byt");
    NodeDraft untyped = node("no_dtype", "Relu", {good.name});
    untyped.removeAttr("T");
    model.addRaw(std::move(untyped));
    model.add("output", "Identity", {good}, {good}, floatType());
    return std::move(model).finish();
}

} // namespace lapidary::samples
