// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/recurrent/recurrent_loop.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

using Kind = PortableKind;

// Returns the tensor with the same numbers before any reshapes.
TensorIndex behindReshapes(const AffineForms& forms, TensorIndex tensor)
{
    const PortableOperation* made = forms.maker(tensor);
    while (made != nullptr && (made->kind == Kind::Reshape || made->kind == Kind::Copy)) {
        tensor = made->inputs[0];
        made = forms.maker(tensor);
    }
    return tensor;
}

std::optional<std::int64_t> oneInteger(const PortableModel& model, TensorIndex tensor)
{
    if (!model.isConstant(tensor) || model.at(tensor).elements() != 1)
        return std::nullopt;
    const auto values = integersOf(model.at(tensor));
    return values.empty() ? std::nullopt : std::optional(values.front());
}

class LoopReader {
public:
    LoopReader(const PortableModel& model, const PortableOperation& loop)
        : m_model(model)
        , m_operation(loop)
        , m_outer(model)
        , m_body(*loop.parts[1])
        , m_forms(m_body)
    {
    }

    Result<std::optional<RecurrentLoop>> read()
    {
        findCounters();
        ASSIGN_OR_RETURN(const bool hasCells, findCells());
        if (!hasCells)
            return std::optional<RecurrentLoop>();
        RETURN_IF_ERROR(findSteps());
        RETURN_IF_ERROR(sortLayers());
        for (std::size_t slot = 0; slot < variables(); ++slot)
            RETURN_IF_ERROR(readVariable(slot));
        RETURN_IF_ERROR(checkLimits());
        return std::optional(std::move(m_loop));
    }

private:
    struct Mask {
        TensorIndex stays = noTensor; // the value for rows that have ended
        TensorIndex changes = noTensor;
    };

    static Error refused(std::string reason) { return {ErrorCode::Unsupported, std::move(reason)}; }

    std::size_t variables() const { return m_body.outputs.size(); }
    std::string nameOf(std::size_t slot) const { return m_body.at(m_body.inputs[slot]).name; }

    std::optional<std::size_t> slotOf(TensorIndex tensor) const
    {
        const auto found = std::ranges::find(m_body.inputs, tensor);
        return found == m_body.inputs.end()
                   ? std::nullopt
                   : std::optional(std::size_t(found - m_body.inputs.begin()));
    }

    // Finds variables i = i + 1 that begin with 0.
    void findCounters()
    {
        m_isCounter.assign(variables(), false);
        for (std::size_t slot = 0; slot < variables(); ++slot) {
            const PortableOperation* next = m_forms.maker(m_body.outputs[slot]);
            const auto start = oneInteger(m_model, m_operation.inputs[slot]);
            if (next == nullptr || next->kind != Kind::Add || start != 0)
                continue;
            for (const std::size_t side : {0U, 1U})
                if (next->inputs[side] == m_body.inputs[slot] &&
                    oneInteger(m_body, next->inputs[1 - side]) == 1)
                    m_isCounter[slot] = true;
        }
    }

    bool isCounter(TensorIndex tensor) const
    {
        const auto slot = slotOf(behindReshapes(m_forms, tensor));
        return slot && *slot < variables() && m_isCounter[*slot];
    }

    // Returns the mask if the tensor is a Select by whether the row of a sequence has ended; else
    // nothing.
    std::optional<Mask> maskOf(TensorIndex tensor)
    {
        const PortableOperation* select = m_forms.maker(tensor);
        if (select == nullptr || select->kind != Kind::Select)
            return std::nullopt;
        const PortableOperation* asks = m_forms.maker(behindReshapes(m_forms, select->inputs[0]));
        if (asks == nullptr)
            return std::nullopt;
        const bool isEnded = (asks->kind == Kind::GreaterEqual && isCounter(asks->inputs[0])) ||
                             (asks->kind == Kind::LessEqual && isCounter(asks->inputs[1]));
        const bool runs = (asks->kind == Kind::Less && isCounter(asks->inputs[0])) ||
                          (asks->kind == Kind::Greater && isCounter(asks->inputs[1]));
        if (!isEnded && !runs)
            return std::nullopt;
        const TensorIndex lengths =
            behindReshapes(m_forms, asks->inputs[isCounter(asks->inputs[0]) ? 1 : 0]);
        if (m_loop.lengths != noTensor && lengths != m_loop.lengths)
            return std::nullopt;
        m_loop.lengths = lengths;
        return isEnded ? Mask{select->inputs[1], select->inputs[2]}
                       : Mask{select->inputs[2], select->inputs[1]};
    }

    // Returns the next value of a state in rows that continue.
    TensorIndex nextOf(std::size_t slot)
    {
        const TensorIndex next = m_body.outputs[slot];
        const auto mask = maskOf(next);
        return mask && mask->stays == m_body.inputs[slot] ? mask->changes : next;
    }

    Result<bool> findCells()
    {
        for (std::size_t slot = 0; slot < variables(); ++slot) {
            const TensorIndex h = m_body.inputs[slot];
            ASSIGN_OR_RETURN(auto cell, findRecurrentCell(m_forms, h, nextOf(slot)));
            if (!cell)
                continue;
            RecurrentLoop::Layer layer{.cell = *std::move(cell), .h = slot};
            if (layer.cell.kind == Kind::Lstm)
                RETURN_IF_ERROR(findState(layer));
            m_loop.layers.push_back(std::move(layer));
        }
        return !m_loop.layers.empty();
    }

    Status findState(RecurrentLoop::Layer& layer)
    {
        layer.c = slotOf(layer.cell.c);
        if (!layer.c || *layer.c >= variables() || nextOf(*layer.c) != layer.cell.nextC)
            return refused("its state c does not go from step to step as it is");
        return Done{};
    }

    // Returns the slot of the sequence of which a tensor is the current step.
    std::optional<std::size_t> sequenceOf(TensorIndex tensor) const
    {
        const PortableOperation* gather = m_forms.maker(behindReshapes(m_forms, tensor));
        if (gather == nullptr || gather->kind != Kind::Gather || gather->parameters.axis != 0 ||
            gather->parameters.batchAxes != 0 || !isCounter(gather->inputs[1]))
            return std::nullopt;
        const auto slot = slotOf(gather->inputs[0]);
        if (!slot || (*slot < variables() && m_body.outputs[*slot] != gather->inputs[0]))
            return std::nullopt;
        const PortableTensor& whole = m_body.at(gather->inputs[0]);
        const PortableTensor& step = m_body.at(tensor);
        return whole.dims.size() == 3 && step.dims.size() == 2 && whole.dims[1] == step.dims[0]
                   ? slot
                   : std::nullopt;
    }

    Status sortLayers()
    {
        std::vector<RecurrentLoop::Layer> sorted;
        while (!m_loop.layers.empty()) {
            const std::size_t before = sorted.size();
            for (auto layer = m_loop.layers.begin(); layer != m_loop.layers.end();) {
                layer->sequence = sequenceOf(layer->cell.x);
                const auto below = std::ranges::find_if(
                    sorted, [&](const auto& one) { return one.cell.nextH == layer->cell.x; });
                if (below != sorted.end())
                    layer->below = std::size_t(below - sorted.begin());
                if (!layer->sequence && !layer->below) {
                    ++layer;
                    continue;
                }
                sorted.push_back(std::move(*layer));
                layer = m_loop.layers.erase(layer);
            }
            if (sorted.size() == before)
                return refused("its cell reads " + m_body.at(m_loop.layers.front().cell.x).name +
                               ", which is not a step of a sequence");
        }
        m_loop.layers = std::move(sorted);
        for (const RecurrentLoop::Layer& layer : m_loop.layers)
            if (layer.sequence && m_body.at(m_body.inputs[*layer.sequence]).dims[0] != m_loop.steps)
                return refused("it runs " + std::to_string(m_loop.steps) +
                               " steps of a sequence that has another length");
        return Done{};
    }

    // Reads a variable: a counter, a state of a layer, an array of its steps, or one that does not
    // change.
    Status readVariable(std::size_t slot)
    {
        if (m_isCounter[slot]) {
            m_loop.counters.emplace_back(slot, m_loop.steps);
            return Done{};
        }
        const bool isState = std::ranges::any_of(
            m_loop.layers, [&](const auto& layer) { return layer.h == slot || layer.c == slot; });
        if (isState)
            return checkMask(slot);
        if (m_body.outputs[slot] == m_body.inputs[slot])
            return Done{};
        if (isLatestOutput(slot))
            return Done{};
        const PortableOperation* write = m_forms.maker(m_body.outputs[slot]);
        if (write == nullptr || write->kind != Kind::UpdateRow ||
            write->inputs[0] != m_body.inputs[slot] || !isCounter(write->inputs[1]) ||
            m_body.at(m_body.inputs[slot]).dims.front() != m_loop.steps)
            return refused("it carries " + nameOf(slot) + " beside the states of its cells");
        return readArray(slot, behindReshapes(m_forms, write->inputs[2]));
    }

    // Returns whether a variable is the latest output of a layer: Keras keeps it if the layer does
    // not return its sequences.
    bool isLatestOutput(std::size_t slot)
    {
        const auto layer = layerOf(behindReshapes(m_forms, m_body.outputs[slot]));
        if (!layer || m_loop.steps < 1 || m_loop.lengths != noTensor)
            return false;
        m_loop.latest.push_back({slot, *layer});
        return true;
    }

    Status readArray(std::size_t slot, TensorIndex value)
    {
        if (m_loop.lengths != noTensor) {
            const auto mask = maskOf(value);
            if (!mask || !isZero(mask->stays))
                return refused("it keeps values other than 0 after the end of a sequence");
            value = behindReshapes(m_forms, mask->changes);
        }
        const auto layer = layerOf(value);
        if (!layer)
            return refused("it keeps " + m_body.at(value).name +
                           " of every step, which is not the output of a cell");
        m_loop.arrays.push_back({slot, *layer});
        return Done{};
    }

    // Returns the layer whose output a tensor is.
    std::optional<std::size_t> layerOf(TensorIndex value) const
    {
        const auto layer = std::ranges::find_if(
            m_loop.layers, [&](const auto& one) { return one.cell.nextH == value; });
        return layer == m_loop.layers.end()
                   ? std::nullopt
                   : std::optional(std::size_t(layer - m_loop.layers.begin()));
    }

    bool isZero(TensorIndex tensor) const
    {
        return m_body.isConstant(tensor) &&
               std::ranges::all_of(floatsOf(m_body.at(tensor)), [](float v) { return v == 0; });
    }

    Status checkMask(std::size_t slot)
    {
        const bool isMasked = nextOf(slot) != m_body.outputs[slot];
        if (isMasked != (m_loop.lengths != noTensor))
            return refused(
                "one of its states stops at the end of a sequence, and another does not");
        return Done{};
    }

    // Reads the condition: i < a number, or i < a limit that is computed from the lengths.
    Status findSteps()
    {
        const PortableModel& condition = *m_operation.parts[0];
        const AffineForms forms(condition);
        m_loop.steps = std::numeric_limits<std::int64_t>::max();
        std::vector<TensorIndex> open{condition.outputs.front()};
        while (!open.empty()) {
            const PortableOperation* made = forms.maker(open.back());
            open.pop_back();
            if (made != nullptr && (made->kind == Kind::And || made->kind == Kind::Copy)) {
                open.insert(open.end(), made->inputs.begin(), made->inputs.end());
                continue;
            }
            RETURN_IF_ERROR(addBound(condition, made));
        }
        if (m_loop.steps == std::numeric_limits<std::int64_t>::max())
            return refused("the number of its steps is not known");
        return Done{};
    }

    Status addBound(const PortableModel& condition, const PortableOperation* less)
    {
        const auto inputSlot = [&](TensorIndex tensor) {
            const auto found = std::ranges::find(condition.inputs, tensor);
            return std::size_t(found - condition.inputs.begin());
        };
        if (less == nullptr || less->kind != Kind::Less ||
            inputSlot(less->inputs[0]) >= variables() || !m_isCounter[inputSlot(less->inputs[0])])
            return refused("its end depends on something other than the number of steps");
        if (const auto number = oneInteger(condition, less->inputs[1])) {
            m_loop.steps = std::min(m_loop.steps, *number);
            return Done{};
        }
        const std::size_t slot = inputSlot(less->inputs[1]);
        if (slot >= condition.inputs.size() || slot < variables())
            return refused("its end depends on something other than the number of steps");
        m_limits.push_back(m_operation.inputs[slot]);
        return Done{};
    }

    // Checks that a computed limit does not end the loop before every row has ended.
    Status checkLimits()
    {
        const TensorIndex lengths = outerLengths();
        constexpr std::size_t mostRead = 256;
        for (const TensorIndex limit : m_limits)
            if (std::size_t left = mostRead; !coversLengths(limit, lengths, left))
                return refused("it may end before the sequences do");
        return Done{};
    }

    TensorIndex outerLengths() const
    {
        const auto slot = slotOf(m_loop.lengths);
        return slot ? m_operation.inputs[*slot] : noTensor;
    }

    // Returns whether the loop reaches the limit only after all rows have ended. `left`: the number
    // of tensors that may still be looked at, because the number of paths doubles with each tensor
    // that is read twice.
    bool coversLengths(TensorIndex limit, TensorIndex lengths, std::size_t& left) const
    {
        if (left == 0)
            return false;
        --left;
        if (const auto number = oneInteger(m_model, limit))
            return *number >= m_loop.steps;
        const TensorIndex plain = behindReshapes(m_outer, limit);
        const PortableOperation* made = m_outer.maker(plain);
        if (made == nullptr || lengths == noTensor)
            return false;
        const auto covers = [&](TensorIndex input) { return coversLengths(input, lengths, left); };
        switch (made->kind) {
        case Kind::ReduceMax: return behindReshapes(m_outer, made->inputs[0]) == lengths;
        case Kind::Maximum: return std::ranges::any_of(made->inputs, covers);
        case Kind::Minimum: return std::ranges::all_of(made->inputs, covers);
        case Kind::Cast: return covers(made->inputs[0]);
        default: return false;
        }
    }

    const PortableModel& m_model;
    const PortableOperation& m_operation;
    AffineForms m_outer; // the operations outside of the loop
    const PortableModel& m_body;
    AffineForms m_forms;
    RecurrentLoop m_loop;
    std::vector<bool> m_isCounter;     // by variable
    std::vector<TensorIndex> m_limits; // tensors outside of the loop
};

} // namespace

Result<std::optional<RecurrentLoop>> readRecurrentLoop(const PortableModel& model,
                                                       const PortableOperation& loop)
{
    return LoopReader(model, loop).read();
}

} // namespace lapidary
