// SPDX-License-Identifier: Apache-2.0
#include "graph_model/onnx/onnx_draft.h"

#include <algorithm>

namespace lapidary {
namespace {

// Appends the operations of a part, with `arguments` as its inputs. Returns its outputs.
std::vector<TensorIndex> appendPart(PortableModel& into, const PortableModel& part,
                                    const std::vector<TensorIndex>& arguments)
{
    std::vector<TensorIndex> places(part.tensors.size(), noTensor);
    for (std::size_t i = 0; i < part.inputs.size(); ++i)
        places[std::size_t(part.inputs[i])] = arguments[i];
    for (std::size_t i = 0; i < part.tensors.size(); ++i)
        if (places[i] == noTensor)
            places[i] = into.add(part.tensors[i]);
    const auto moved = [&](const std::vector<TensorIndex>& tensors) {
        std::vector<TensorIndex> found;
        for (const TensorIndex tensor : tensors)
            found.push_back(tensor == noTensor ? noTensor : places[std::size_t(tensor)]);
        return found;
    };
    for (const PortableOperation& operation : part.operations) {
        into.operations.push_back(operation);
        into.operations.back().inputs = moved(operation.inputs);
        into.operations.back().outputs = moved(operation.outputs);
    }
    return moved(part.outputs);
}

// Returns the body of the loop, with the condition to continue as an additional first output.
std::shared_ptr<const PortableModel> askingBody(const PortableOperation& loop)
{
    auto body = std::make_shared<PortableModel>(withOnnxLoops(*loop.parts[1]));
    std::vector<TensorIndex> next = body->outputs;
    next.insert(next.end(), body->inputs.begin() + std::ptrdiff_t(next.size()), body->inputs.end());
    const auto goesOn = appendPart(*body, withOnnxLoops(*loop.parts[0]), next);
    body->outputs.insert(body->outputs.begin(), goesOn.front());
    return body;
}

} // namespace

PortableModel withOnnxLoops(const PortableModel& model)
{
    PortableModel result = model;
    result.operations.clear();
    for (const PortableOperation& operation : model.operations) {
        if (operation.kind != PortableKind::While) {
            result.operations.push_back(operation);
            for (auto& part : result.operations.back().parts)
                part = std::make_shared<const PortableModel>(withOnnxLoops(*part));
            continue;
        }
        const auto begins =
            appendPart(result, withOnnxLoops(*operation.parts[0]), operation.inputs);
        PortableOperation loop = operation;
        loop.kind = PortableKind::Loop;
        loop.parts = {askingBody(operation)};
        loop.inputs.insert(loop.inputs.begin(), begins.front());
        result.operations.push_back(std::move(loop));
    }
    return result;
}

OnnxDraft::OnnxDraft(const PortableModel& body, const OnnxDraft& outer,
                     const std::vector<std::string>& captured)
    : m_model(body)
    , m_opset(outer.m_opset)
    , m_isBody(true)
    , m_inputs(body.inputs.size() - captured.size())
    , m_isOutput(portableOutputs(body))
    , m_taken(outer.m_taken)
{
    m_result.graphName = outer.m_base + "/body";
    for (std::size_t i = 0; i < body.inputs.size(); ++i) {
        const std::string& name = body.at(body.inputs[i]).name;
        m_inputNames.insert(name);
        m_names[{body.inputs[i], OnnxForm::Last}] =
            i < m_inputs ? m_taken->fresh(name) : captured[i - m_inputs];
    }
}

// The first inputs are the number of the iteration and the condition of the loop.
void OnnxDraft::finishBody()
{
    if (m_hasSteps) {
        m_result.inputs.insert(m_result.inputs.begin(), {m_taken->fresh("step"), DType::Int64, {}});
        m_result.inputs.insert(m_result.inputs.begin() + 1,
                               {m_taken->fresh("runs"), DType::Bool, {}});
    }
    std::set<std::string_view> outputs;
    for (const OnnxValue& output : m_result.outputs)
        outputs.insert(output.name);
    std::erase_if(m_result.values,
                  [&](const OnnxValue& value) { return outputs.contains(value.name); });
}

Status OnnxDraft::appendLoop(const PortableOperation& loop)
{
    const std::size_t variables = loop.outputs.size();
    std::vector<std::string> inputs{""};
    std::vector<std::string> captured;
    for (std::size_t slot = 0; slot < loop.inputs.size(); ++slot)
        (slot <= variables ? inputs : captured).push_back(name(loop.inputs[slot], OnnxForm::Last));
    OnnxDraft body(*loop.parts.front(), *this, captured);
    body.m_hasSteps = true;
    RETURN_IF_ERROR(body.appendAll());
    const auto graph = std::make_shared<const OnnxGraph>(std::move(body).finish());
    std::vector<std::string> outputs;
    for (const TensorIndex output : loop.outputs)
        outputs.push_back(make(output, OnnxForm::Last));
    OnnxAttribute attribute{.name = "body", .type = OnnxAttribute::Type::Graph, .graph = graph};
    append("Loop", std::move(inputs), std::move(outputs)).attributes = {std::move(attribute)};
    return Done{};
}

// The branches read tensors of the enclosing graph directly.
Status OnnxDraft::appendBranches(const PortableOperation& choice)
{
    std::vector<std::string> captured;
    for (std::size_t slot = 1; slot < choice.inputs.size(); ++slot)
        captured.push_back(name(choice.inputs[slot], OnnxForm::Last));
    const std::string condition = name(choice.inputs.front(), OnnxForm::Last);
    std::vector<OnnxAttribute> sides;
    for (const char* const side : {"then_branch", "else_branch"}) {
        OnnxDraft body(*choice.parts[sides.size()], *this, captured);
        RETURN_IF_ERROR(body.appendAll());
        auto graph = std::make_shared<OnnxGraph>(std::move(body).finish());
        graph->graphName = m_base + "/" + side;
        sides.push_back(
            {.name = side, .type = OnnxAttribute::Type::Graph, .graph = std::move(graph)});
    }
    std::vector<std::string> outputs;
    for (const TensorIndex output : choice.outputs)
        outputs.push_back(make(output, OnnxForm::Last));
    append("If", {condition}, std::move(outputs)).attributes = std::move(sides);
    return Done{};
}

} // namespace lapidary
