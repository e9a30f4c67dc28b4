// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/base/portable_edit.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

// Moves the used tensors to the front and keeps their order.
void dropTensors(PortableModel& model)
{
    std::vector<bool> isUsed(model.tensors.size(), false);
    const auto use = [&](TensorIndex tensor) {
        if (tensor != noTensor)
            isUsed[std::size_t(tensor)] = true;
    };
    std::ranges::for_each(model.inputs, use);
    std::ranges::for_each(model.outputs, use);
    for (const PortableOperation& operation : model.operations) {
        std::ranges::for_each(operation.inputs, use);
        std::ranges::for_each(operation.outputs, use);
    }
    std::vector<TensorIndex> place(model.tensors.size(), noTensor);
    std::vector<PortableTensor> kept;
    for (std::size_t i = 0; i < model.tensors.size(); ++i)
        if (isUsed[i]) {
            place[i] = TensorIndex(kept.size());
            kept.push_back(std::move(model.tensors[i]));
        }
    model.tensors = std::move(kept);
    const auto move = [&](TensorIndex& tensor) {
        tensor = tensor == noTensor ? noTensor : place[std::size_t(tensor)];
    };
    std::ranges::for_each(model.inputs, move);
    std::ranges::for_each(model.outputs, move);
    for (PortableOperation& operation : model.operations) {
        std::ranges::for_each(operation.inputs, move);
        std::ranges::for_each(operation.outputs, move);
    }
}

} // namespace

bool isRead(const PortableModel& model, TensorIndex tensor)
{
    return std::ranges::find(model.outputs, tensor) != model.outputs.end() ||
           std::ranges::any_of(model.operations, [&](const PortableOperation& operation) {
               return std::ranges::find(operation.inputs, tensor) != operation.inputs.end();
           });
}

TensorIndex appendOperation(PortableModel& model, PortableKind kind, TensorIndex from,
                            PortableTensor to)
{
    const TensorIndex made = model.add(std::move(to));
    model.operations.push_back(
        {.kind = kind, .inputs = {from}, .outputs = {made}, .source = model.at(from).name});
    return made;
}

PortableEdit::PortableEdit(PortableModel& model)
    : m_model(model)
    , m_isAlive(model.operations.size(), true)
    , m_isOutput(portableOutputs(model))
    , m_readers(portableReaders(model))
    , m_producer(model.tensors.size())
{
    for (std::size_t i = 0; i < model.operations.size(); ++i)
        for (const TensorIndex output : model.operations[i].outputs)
            m_producer[std::size_t(output)] = i;
}

std::optional<std::size_t> PortableEdit::producer(TensorIndex tensor) const
{
    return tensor == noTensor ? std::nullopt : m_producer[std::size_t(tensor)];
}

std::optional<std::size_t> PortableEdit::onlyReader(TensorIndex tensor) const
{
    const auto& all = readers(tensor);
    if (all.size() != 1 || isOutput(tensor))
        return std::nullopt;
    return all.front();
}

void PortableEdit::takeOver(std::size_t index, std::size_t last)
{
    const TensorIndex made = operation(last).outputs[0];
    const TensorIndex before = operation(index).outputs[0];
    remove(last);
    auto& names = operation(index).merged;
    names.push_back(m_model.at(before).name);
    names.insert(names.end(), operation(last).merged.begin(), operation(last).merged.end());
    operation(index).outputs[0] = made;
    m_producer[std::size_t(made)] = index;
    m_producer[std::size_t(before)].reset();
}

void PortableEdit::remove(std::size_t index)
{
    m_isAlive[index] = false;
    for (const TensorIndex input : operation(index).inputs)
        if (input != noTensor)
            std::erase(m_readers[std::size_t(input)], index);
    for (const TensorIndex output : operation(index).outputs)
        m_producer[std::size_t(output)].reset();
}

void PortableEdit::setInput(std::size_t index, std::size_t slot, TensorIndex tensor)
{
    PortableOperation& changed = operation(index);
    if (changed.inputs.size() <= slot)
        changed.inputs.resize(slot + 1, noTensor);
    const TensorIndex before = changed.inputs[slot];
    if (before != noTensor) {
        auto& all = m_readers[std::size_t(before)];
        if (const auto at = std::ranges::find(all, index); at != all.end())
            all.erase(at);
    }
    changed.inputs[slot] = tensor;
    if (tensor != noTensor)
        m_readers[std::size_t(tensor)].push_back(index);
}

void PortableEdit::redirect(TensorIndex from, TensorIndex to)
{
    const std::vector<std::size_t> all = readers(from);
    for (const std::size_t index : all)
        for (std::size_t slot = 0; slot < operation(index).inputs.size(); ++slot)
            if (operation(index).inputs[slot] == from)
                setInput(index, slot, to);
}

void PortableEdit::noteNewTensor()
{
    m_isOutput.push_back(false);
    m_readers.emplace_back();
    m_producer.emplace_back();
}

TensorIndex PortableEdit::add(PortableTensor constant)
{
    noteNewTensor();
    return m_model.add(std::move(constant));
}

TensorIndex PortableEdit::addFloats(std::string name, std::vector<std::int64_t> dims,
                                    const std::vector<float>& values)
{
    noteNewTensor();
    return m_model.addFloats(std::move(name), std::move(dims), values);
}

void PortableEdit::finish()
{
    std::vector<bool> isNeeded(m_model.tensors.size(), false);
    for (const TensorIndex output : m_model.outputs)
        isNeeded[std::size_t(output)] = true;
    for (std::size_t i = size(); i-- > 0;) {
        const auto& outputs = operation(i).outputs;
        m_isAlive[i] = m_isAlive[i] && std::ranges::any_of(outputs, [&](TensorIndex output) {
                           return isNeeded[std::size_t(output)];
                       });
        if (m_isAlive[i])
            for (const TensorIndex input : operation(i).inputs)
                if (input != noTensor)
                    isNeeded[std::size_t(input)] = true;
    }
    std::vector<PortableOperation> kept;
    for (std::size_t i = 0; i < size(); ++i)
        if (m_isAlive[i])
            kept.push_back(std::move(operation(i)));
    m_model.operations = std::move(kept);
    dropTensors(m_model);
}

void skipOperation(PortableEdit& edit, std::size_t index, TensorIndex x)
{
    const TensorIndex y = edit.operation(index).outputs[0];
    if (!edit.isOutput(y)) {
        edit.redirect(y, x);
        edit.remove(index);
    } else if (const auto maker = edit.producer(x);
               maker && edit.onlyReader(x) == index && edit.operation(*maker).outputs.size() == 1) {
        edit.takeOver(*maker, index);
    }
}

} // namespace lapidary
