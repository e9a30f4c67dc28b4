// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/simplify/drop_redundant.h"

#include "transforms/export/simplify/channel_steps.h"

#include <algorithm>
#include <unordered_map>

namespace lapidary {
namespace {

using Kind = PortableKind;

bool holdsOnly(const std::vector<double>& values, double value)
{
    return std::ranges::all_of(values, [&](double one) { return one == value; });
}

// Returns the input that an operation returns as it is; noTensor if there is none.
TensorIndex unchangedInput(PortableEdit& edit, const PortableOperation& op)
{
    if (op.inputs.empty() || op.outputs.size() != 1)
        return noTensor;
    const PortableModel& model = edit.model();
    if (op.kind == Kind::Neg) {
        const auto before = edit.producer(op.inputs[0]);
        const bool isUndone = before && edit.operation(*before).kind == Kind::Neg;
        return isUndone ? edit.operation(*before).inputs[0] : noTensor;
    }
    const auto fed = std::ranges::find_if(op.inputs, [&](TensorIndex input) {
        return input != noTensor && !model.isConstant(input);
    });
    if (fed == op.inputs.end())
        return noTensor;
    const auto step = channelStep(model, op, *fed);
    const bool isNeutral = step && !step->scale.empty() && !step->offset.empty() &&
                           holdsOnly(step->scale, 1) && holdsOnly(step->offset, 0);
    return isNeutral ? *fed : noTensor;
}

// Returns whether the axes that have several elements stay in their order.
bool movesNothing(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& order)
{
    std::int64_t last = -1;
    for (const std::int64_t axis : order) {
        const std::int64_t size = dims[std::size_t(axis)];
        if (size == 1)
            continue;
        if (axis < last || size < 0)
            return false;
        last = axis;
    }
    return true;
}

bool isReshape(const PortableModel& model, const PortableOperation& op, ExportTarget target)
{
    constexpr std::size_t picture = 4;
    if (op.outputs.empty() || model.at(op.outputs[0]).isOpen())
        return false;
    switch (op.kind) {
    case Kind::Pack: return op.inputs.size() == 1;
    case Kind::Unpack: return op.outputs.size() == 1;
    case Kind::Transpose: {
        const auto& dims = model.at(op.inputs[0]).dims;
        return (target != ExportTarget::Onnx || dims.size() < picture) &&
               op.parameters.axes.size() == dims.size() && movesNothing(dims, op.parameters.axes);
    }
    default: return false;
    }
}

// Returns the operation that cut something into exactly the inputs of `op`, in order.
std::optional<std::size_t> cutInto(const PortableEdit& edit, const PortableOperation& op)
{
    const auto cut = op.inputs.empty() ? std::nullopt : edit.producer(op.inputs[0]);
    if (!cut || edit.model().operations[*cut].outputs != op.inputs)
        return std::nullopt;
    return cut;
}

// Returns whether an operation joins again what another one cut: the elements are in the same order
// then.
bool joinsAgain(const PortableOperation& cut, const PortableOperation& op)
{
    if (cut.parameters.axis != op.parameters.axis)
        return false;
    const auto& sizes = cut.parameters.sizes;
    switch (op.kind) {
    case Kind::Concat: return cut.kind == Kind::Split;
    case Kind::Pack:
        return cut.kind == Kind::Unpack ||
               (cut.kind == Kind::Split && !sizes.empty() &&
                std::ranges::all_of(sizes, [&](auto size) { return size == sizes.front(); }));
    default: return false;
    }
}

// Finds operations that compute the same.
class Twins {
public:
    explicit Twins(PortableEdit& edit)
        : m_edit(edit)
        , m_numbers(edit.model().tensors.size())
    {
        std::unordered_map<std::size_t, std::vector<TensorIndex>> known;
        for (std::size_t i = 0; i < m_numbers.size(); ++i)
            m_numbers[i] = firstLike(TensorIndex(i), known);
    }

    void merge()
    {
        std::unordered_map<std::size_t, std::vector<std::size_t>> known;
        for (std::size_t i = 0; i < m_edit.size(); ++i) {
            if (!m_edit.isAlive(i) || !isPure(m_edit.operation(i)))
                continue;
            auto& alike = known[hashOf(m_edit.operation(i))];
            const auto first =
                std::ranges::find_if(alike, [&](std::size_t other) { return isSame(other, i); });
            if (first == alike.end())
                alike.push_back(i);
            else
                replace(i, *first);
        }
    }

private:
    // Constants that are longer than sizes and factors are only compared by their place.
    static constexpr std::size_t longest = 256;

    const PortableTensor& tensor(TensorIndex index) const { return m_edit.model().at(index); }

    // Returns the first short constant of the same values, or the tensor itself.
    TensorIndex firstLike(TensorIndex index,
                          std::unordered_map<std::size_t, std::vector<TensorIndex>>& known) const
    {
        const PortableTensor& own = tensor(index);
        if (!own.isConstant || own.bytes.size() > longest)
            return index;
        auto& alike = known[own.bytes.hash()];
        const auto first = std::ranges::find_if(alike, [&](TensorIndex other) {
            return isAlike(tensor(other), own) && tensor(other).bytes == own.bytes;
        });
        if (first != alike.end())
            return *first;
        alike.push_back(index);
        return index;
    }

    static bool isAlike(const PortableTensor& a, const PortableTensor& b)
    {
        return a.dtype == b.dtype && a.dims == b.dims && a.quantized == b.quantized;
    }

    static bool isPure(const PortableOperation& op)
    {
        return op.parts.empty() && !op.outputs.empty() && op.kind != Kind::RandomNormal &&
               op.kind != Kind::RandomUniform;
    }

    TensorIndex number(TensorIndex index) const
    {
        return index == noTensor ? noTensor : m_numbers[std::size_t(index)];
    }

    std::size_t hashOf(const PortableOperation& op) const
    {
        std::size_t hash = std::size_t(op.kind);
        const auto add = [&](std::int64_t value) {
            hash = hash * 1'000'003 + std::size_t(value) + 17;
        };
        for (const TensorIndex input : op.inputs)
            add(number(input));
        const PortableParameters& p = op.parameters;
        for (const auto* list : {&p.axes, &p.before, &p.begin, &p.end, &p.step, &p.sizes})
            for (const std::int64_t value : *list)
                add(value);
        add(p.axis);
        for (const std::int64_t dim : tensor(op.outputs[0]).dims)
            add(dim);
        return hash;
    }

    bool isSame(std::size_t first, std::size_t second) const
    {
        const PortableOperation& a = m_edit.operation(first);
        const PortableOperation& b = m_edit.operation(second);
        return a.kind == b.kind && a.activation == b.activation && a.parameters == b.parameters &&
               std::ranges::equal(
                   a.inputs, b.inputs,
                   [&](TensorIndex x, TensorIndex y) { return number(x) == number(y); }) &&
               std::ranges::equal(a.outputs, b.outputs, [&](TensorIndex x, TensorIndex y) {
                   return isAlike(tensor(x), tensor(y)) && !m_edit.isOutput(y);
               });
    }

    void replace(std::size_t second, std::size_t first)
    {
        const std::vector<TensorIndex> outputs = m_edit.operation(second).outputs;
        for (std::size_t port = 0; port < outputs.size(); ++port)
            m_edit.redirect(outputs[port], m_edit.operation(first).outputs[port]);
        m_edit.remove(second);
    }

    PortableEdit& m_edit;
    std::vector<TensorIndex> m_numbers; // by tensor: the first one that is the same
};

} // namespace

void recognizeReshapes(PortableEdit& edit, ExportTarget target)
{
    for (std::size_t i = 0; i < edit.size(); ++i)
        if (edit.isAlive(i) && isReshape(edit.model(), edit.operation(i), target)) {
            edit.operation(i).kind = Kind::Reshape;
            edit.operation(i).parameters = {};
        }
}

void joinCut(PortableEdit& edit)
{
    for (std::size_t i = 0; i < edit.size(); ++i) {
        const auto cut = edit.isAlive(i) ? cutInto(edit, edit.operation(i)) : std::nullopt;
        if (!cut || !joinsAgain(edit.operation(*cut), edit.operation(i)) ||
            edit.model().at(edit.operation(i).outputs[0]).isOpen())
            continue;
        const TensorIndex x = edit.operation(*cut).inputs[0];
        for (std::size_t slot = edit.operation(i).inputs.size(); slot-- > 0;)
            edit.setInput(i, slot, noTensor);
        edit.operation(i).inputs.resize(1);
        edit.setInput(i, 0, x);
        edit.operation(i).kind = Kind::Reshape;
        edit.operation(i).parameters = {};
    }
}

void dropNeutral(PortableEdit& edit)
{
    for (std::size_t i = 0; i < edit.size(); ++i)
        if (edit.isAlive(i))
            if (const TensorIndex x = unchangedInput(edit, edit.operation(i)); x != noTensor)
                skipOperation(edit, i, x);
}

void outputConstants(PortableModel& model)
{
    std::erase_if(model.operations, [&](const PortableOperation& op) {
        if (op.kind != Kind::Copy || !model.isConstant(op.inputs[0]))
            return false;
        const TensorIndex output = op.outputs[0];
        const PortableTensor& from = model.at(op.inputs[0]);
        PortableTensor& to = model.at(output);
        if (std::ranges::find(model.outputs, output) == model.outputs.end() ||
            from.dtype != to.dtype || from.dims != to.dims || from.quantized != to.quantized)
            return false;
        to.isConstant = true;
        to.bytes = from.bytes;
        return true;
    });
}

void mergeTwins(PortableEdit& edit)
{
    Twins(edit).merge();
}

} // namespace lapidary
