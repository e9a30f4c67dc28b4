// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/lower/lowering_state.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::size_t mostParts = 256; // limit of the bodies in a whole model

// Adds the inputs that a part does not read: they were removed with their placeholders, but the
// operation has them.
void completeInputs(PortableModel& part, const std::vector<std::string>& names,
                    const std::vector<PortableTensor>& like)
{
    std::unordered_map<std::string, TensorIndex> known;
    for (const TensorIndex input : part.inputs)
        known.emplace(part.at(input).name, input);
    std::vector<TensorIndex> inputs;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (const auto found = known.find(names[i]); found != known.end()) {
            inputs.push_back(found->second);
            continue;
        }
        PortableTensor unread;
        unread.name = names[i];
        unread.dtype = like[i].dtype;
        unread.dims = like[i].dims;
        inputs.push_back(part.add(std::move(unread)));
    }
    part.inputs = std::move(inputs);
}

// Returns why a variable cannot be exported: its size has to be the same in each step, because the
// file has it only once. Empty if it can.
std::string changedVariable(const PortableModel& body, const std::vector<std::string>& names)
{
    for (std::size_t i = 0; i < body.outputs.size(); ++i) {
        const PortableTensor& next = body.at(body.outputs[i]);
        const PortableTensor& before = body.at(body.inputs[i]);
        if (next.dims != before.dims || next.dtype != before.dtype)
            return names[i] + " becomes another size in each step (" +
                   shapeText({before.dims, false}) + ", then " + shapeText({next.dims, false}) +
                   "), which the file would have to declare in advance";
    }
    return "";
}

} // namespace

ExportInterface Lowering::partInterface(const OutlinedLoop& body,
                                        const std::vector<std::string>& outputs,
                                        const std::vector<PortableTensor>& inputs)
{
    ExportInterface interface;
    interface.inputs = body.inputs;
    interface.outputs = outputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        interface.shapes.emplace_back(body.inputs[i], Shape{inputs[i].dims, false});
    return interface;
}

std::shared_ptr<const PortableModel> Lowering::lowerPart(const Result<PreparedGraph>& prepared,
                                                         const OutlinedLoop& body,
                                                         const std::vector<PortableTensor>& inputs,
                                                         std::string& fault)
{
    if (!prepared) {
        fault = prepared.error().message;
        return nullptr;
    }
    // Functions that call each other in branches would never end.
    if (++*m_parts > mostParts) {
        fault = "it leads to more than " + std::to_string(mostParts) +
                " bodies of loops and branches; is a function recursive?";
        return nullptr;
    }
    auto part = Lowering(*prepared, *this).run(*m_job);
    if (!part) {
        fault = part.error().message;
        return nullptr;
    }
    for (ExportRefusal& refusal : part->refused)
        m_result.refused.push_back(std::move(refusal));
    if (!part->refused.empty())
        return nullptr;
    completeInputs(part->model, body.inputs, inputs);
    return std::make_shared<const PortableModel>(std::move(part->model));
}

void Lowering::lowerLoop(NodeId id, const OutlinedLoop& loop)
{
    PortableOperation operation;
    operation.kind = PortableKind::While;
    operation.source = std::string(graph().node(id).name());
    std::vector<PortableTensor> inputs;
    for (const Endpoint& from : graph().inputs(id)) {
        operation.inputs.push_back(tensorOf(from));
        inputs.push_back(model().at(operation.inputs.back()));
        if (std::ranges::any_of(inputs.back().dims, [](std::int64_t dim) { return dim < 0; }))
            return refuse(
                id, "the size of " + inputs.back().name + ", which it reads, is not known", false);
    }
    std::string fault;
    const auto part = [&](const std::vector<std::string>& outputs) {
        const ExportInterface interface = partInterface(loop, outputs, inputs);
        return lowerPart(prepareLoopPart(loop.graph, interface, m_prepared.loops, *m_job), loop,
                         inputs, fault);
    };
    const auto condition = part({loop.goesOn});
    const auto body = condition ? part(loop.next) : nullptr;
    if (body != nullptr)
        fault = changedVariable(*body, loop.inputs);
    if (!fault.empty())
        return refuse(id, fault, false);
    if (body == nullptr) {
        m_tainted.insert(id.value);
        return;
    }
    operation.parts = {condition, body};
    for (std::size_t i = 0; i < loop.next.size(); ++i) {
        const TensorIndex output = tensorOf({id, std::int32_t(i)});
        model().at(output).dims = inputs[i].dims;
        model().at(output).dtype = inputs[i].dtype;
        operation.outputs.push_back(output);
    }
    model().operations.push_back(std::move(operation));
}

} // namespace lapidary
