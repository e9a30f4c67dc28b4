// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/recurrent/recognize_chains.h"

#include "transforms/export/base/portable_edit.h"
#include "transforms/export/recurrent/recurrent_cell.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace lapidary {
namespace {

using Kind = PortableKind;

constexpr std::size_t leastSteps = 3;

// A cell, without its weights.
struct Step {
    Kind kind = Kind::Lstm;
    TensorIndex x = noTensor;
    TensorIndex h = noTensor;
    TensorIndex c = noTensor;
    TensorIndex nextH = noTensor;
    TensorIndex nextC = noTensor;
    std::int64_t inputs = 0;
    std::size_t weights = 0; // hash of the weights
};
using Chain = std::vector<Step>;

std::size_t hashOf(const RecurrentCell& cell)
{
    std::size_t hash = 0;
    for (const auto* values : {&cell.weights, &cell.recurrent, &cell.bias, &cell.peepholes}) {
        const std::string_view bytes(reinterpret_cast<const char*>(values->data()),
                                     values->size() * sizeof(float));
        hash = hash * 1000003 + std::hash<std::string_view>()(bytes);
    }
    for (const PortableGate gate : cell.gates)
        hash = hash * 31 + std::size_t(gate);
    return hash * 2 + (cell.resetsAfter ? 1 : 0);
}

bool follows(const Step& step, const Step& before)
{
    return step.h == before.nextH && step.kind == before.kind && step.weights == before.weights &&
           step.inputs == before.inputs && (step.kind != Kind::Lstm || step.c == before.nextC);
}

class ChainSearch {
public:
    explicit ChainSearch(const PortableModel& model)
        : m_model(model)
        , m_forms(model)
    {
    }

    std::vector<Chain> find()
    {
        for (const PortableOperation& operation : m_model.operations)
            if (mayEndStep(operation))
                findSteps(operation.outputs[0]);
        std::vector<Chain> chains;
        for (const Step& start : m_steps) {
            Chain chain = chainFrom(start);
            if (chain.size() < leastSteps)
                continue;
            for (const Step& step : chain)
                m_used.insert(step.nextH);
            chains.push_back(std::move(chain));
        }
        return chains;
    }

    std::optional<RecurrentCell> cellOf(const Step& step)
    {
        auto cell = findRecurrentCell(m_forms, step.h, step.nextH, CellPlace::Chain);
        return cell ? *std::move(cell) : std::nullopt;
    }

private:
    bool mayEndStep(const PortableOperation& operation) const
    {
        switch (operation.kind) {
        case Kind::Add:
        case Kind::Mul:
        case Kind::Relu:
        case Kind::Tanh: break;
        default: return false;
        }
        const PortableTensor& made = m_model.at(operation.outputs[0]);
        return made.dtype == DType::Float && made.dims.size() == 2 && !made.isOpen();
    }

    // Returns the tensors that layers shortly before a tensor multiply with weights.
    std::set<TensorIndex> readBehind(TensorIndex end) const
    {
        constexpr std::size_t most = 64; // operations of a cell
        std::set<TensorIndex> read;
        std::set<TensorIndex> seen;
        std::vector<TensorIndex> open{end};
        while (!open.empty() && seen.size() < most) {
            const TensorIndex tensor = open.back();
            open.pop_back();
            const PortableOperation* made = m_forms.maker(tensor);
            if (made == nullptr || !seen.insert(tensor).second)
                continue;
            if (made->kind == Kind::FullyConnected)
                addParts(made->inputs[0], read);
            else
                open.insert(open.end(), made->inputs.begin(), made->inputs.end());
            std::erase(open, noTensor);
        }
        return read;
    }

    void addParts(TensorIndex tensor, std::set<TensorIndex>& parts, std::size_t depth = 0) const
    {
        constexpr std::size_t mostParts = 64;
        constexpr std::size_t mostDepth = 8;
        const PortableOperation* made = m_forms.maker(tensor);
        if (made == nullptr || made->kind != Kind::Concat || depth == mostDepth ||
            made->inputs.size() > mostParts || parts.size() > mostParts) {
            parts.insert(tensor);
            return;
        }
        for (const TensorIndex input : made->inputs)
            addParts(input, parts, depth + 1);
    }

    // Finds the cells that end with `nextH`. Any tensor that is read may be the state or the input,
    // so each is tried.
    void findSteps(TensorIndex nextH)
    {
        const std::set<TensorIndex> read = readBehind(nextH);
        if (read.size() < 2) // a state or an input is missing
            return;
        for (const TensorIndex h : read) {
            if (m_model.at(h).dims != m_model.at(nextH).dims)
                continue;
            const auto cell = findRecurrentCell(m_forms, h, nextH, CellPlace::Chain);
            if (!cell || !*cell || !(**cell).projection.empty())
                continue;
            const RecurrentCell& one = **cell;
            if (one.kind == Kind::Lstm && m_model.at(one.c).dims != m_model.at(h).dims)
                continue;
            m_byState.emplace(h, m_steps.size());
            m_steps.push_back(
                {one.kind, one.x, h, one.c, nextH, one.nextC, one.inputs, hashOf(one)});
        }
    }

    Chain chainFrom(const Step& start) const
    {
        Chain chain;
        if (m_used.contains(start.nextH))
            return chain;
        chain.push_back(start);
        while (true) {
            const auto [first, last] = m_byState.equal_range(chain.back().nextH);
            const auto next = std::find_if(first, last, [&](const auto& one) {
                return follows(m_steps[one.second], chain.back());
            });
            if (next == last)
                return chain;
            chain.push_back(m_steps[next->second]);
        }
    }

    const PortableModel& m_model;
    AffineForms m_forms;
    std::vector<Step> m_steps;
    std::multimap<TensorIndex, std::size_t> m_byState;
    std::set<TensorIndex> m_used;
};

// Removes unused operations, and sorts the others after those that they read; returns false if they
// form a cycle.
bool settle(PortableModel& model)
{
    std::vector<std::size_t> maker(model.tensors.size(), model.operations.size());
    for (std::size_t i = 0; i < model.operations.size(); ++i)
        for (const TensorIndex output : model.operations[i].outputs)
            maker[std::size_t(output)] = i;
    const auto makerOf = [&](TensorIndex tensor) {
        return tensor == noTensor ? model.operations.size() : maker[std::size_t(tensor)];
    };
    std::vector<bool> isNeeded(model.operations.size(), false);
    std::vector<TensorIndex> open = model.outputs;
    while (!open.empty()) {
        const std::size_t i = makerOf(open.back());
        open.pop_back();
        if (i == model.operations.size() || isNeeded[i])
            continue;
        isNeeded[i] = true;
        const auto& inputs = model.operations[i].inputs;
        open.insert(open.end(), inputs.begin(), inputs.end());
    }
    std::vector<std::vector<std::size_t>> readers(model.operations.size());
    std::vector<std::size_t> missing(model.operations.size(), 0);
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < model.operations.size(); ++i) {
        if (!isNeeded[i])
            continue;
        for (const TensorIndex input : model.operations[i].inputs)
            if (const std::size_t by = makerOf(input); by < model.operations.size()) {
                readers[by].push_back(i);
                ++missing[i];
            }
        if (missing[i] == 0)
            ready.push(i);
    }
    std::vector<PortableOperation> sorted;
    while (!ready.empty()) {
        const std::size_t i = ready.top();
        ready.pop();
        for (const std::size_t reader : readers[i])
            if (--missing[reader] == 0)
                ready.push(reader);
        sorted.push_back(std::move(model.operations[i]));
    }
    const auto needed = std::size_t(std::ranges::count(isNeeded, true));
    model.operations = std::move(sorted);
    return model.operations.size() == needed;
}

bool isMade(const PortableModel& model, TensorIndex tensor)
{
    return std::ranges::any_of(model.operations, [&](const PortableOperation& operation) {
        return std::ranges::find(operation.outputs, tensor) != operation.outputs.end();
    });
}

// Makes a copy of the model with an operator instead of the cells.
class ChainWriter {
public:
    ChainWriter(const PortableModel& model, const Chain& chain, RecurrentCell cell,
                ExportTarget target)
        : m_model(model)
        , m_chain(chain)
        , m_cell(std::move(cell))
        , m_target(target)
    {
        const auto maker = std::ranges::find_if(m_model.operations, [&](const auto& operation) {
            return operation.outputs.front() == m_chain.back().nextH;
        });
        m_source = maker->source;
        m_scope = m_source.substr(0, std::min(m_source.rfind('/'), m_source.size()));
    }

    // Returns nothing if that is not possible, or other operations still need the cells.
    std::optional<PortableModel> write()
    {
        if (m_target == ExportTarget::Tflite && !checkTfliteCell(m_cell))
            return std::nullopt;
        takeOut();
        if ((m_wantsC && m_target == ExportTarget::Tflite) || !appendLayer() || !settle(m_model))
            return std::nullopt;
        const bool needsCells = std::ranges::any_of(m_chain, [&](const Step& step) {
            const bool isGiven = m_wantsC && step.nextC == m_chain.back().nextC;
            return step.nextC != noTensor && !isGiven && isMade(m_model, step.nextC);
        });
        return needsCells ? std::nullopt : std::optional(std::move(m_model));
    }

    std::string note() const
    {
        return m_scope + " is " + std::string(recurrentName(m_cell.kind)) + " of " +
               std::to_string(m_cell.units) + " units over " + std::to_string(m_chain.size()) +
               " steps, which were written out";
    }

private:
    // Removes the cells. Their outputs have no producer for now, so tensors that only cells read
    // have no reader.
    void takeOut()
    {
        std::set<TensorIndex> taken;
        for (const Step& step : m_chain)
            taken.insert(step.nextH);
        const auto erase = [&] {
            std::erase_if(m_model.operations, [&](const PortableOperation& operation) {
                return taken.contains(operation.outputs.front());
            });
        };
        erase();
        PortableModel rest = m_model;
        for (const Step& step : m_chain) // the layer reads them
            rest.outputs.push_back(step.x);
        settle(rest);
        for (const Step& step : m_chain)
            if (isRead(rest, step.nextH))
                m_wanted.insert(step.nextH);
        const TensorIndex last = m_chain.back().nextC;
        m_wantsC = last != noTensor && isRead(rest, last);
        taken = {last};
        if (m_wantsC)
            erase();
    }

    // Returns the inputs of all steps as one tensor.
    TensorIndex sequence(std::int64_t rows)
    {
        std::vector<TensorIndex> read;
        for (const Step& step : m_chain)
            read.push_back(step.x);
        const std::vector<std::int64_t> dims{std::int64_t(read.size()), rows, m_cell.inputs};
        const auto whole = std::ranges::find_if(m_model.operations, [&](const auto& operation) {
            return operation.kind == Kind::Unpack && operation.outputs == read &&
                   operation.parameters.axis <= 1;
        });
        if (whole != m_model.operations.end() && whole->parameters.axis == 0)
            return whole->inputs[0];
        const TensorIndex made = between("steps", dims);
        if (whole != m_model.operations.end())
            emit(Kind::Transpose, {whole->inputs[0]}, {made}).parameters.axes = {1, 0, 2};
        else
            emit(Kind::Pack, read, {made});
        return made;
    }

    TensorIndex between(std::string_view what, std::vector<std::int64_t> dims)
    {
        PortableTensor tensor;
        tensor.name = m_scope + "/" + std::string(what);
        tensor.dtype = DType::Float;
        tensor.dims = std::move(dims);
        return m_model.add(std::move(tensor));
    }

    PortableOperation& emit(Kind kind, std::vector<TensorIndex> inputs,
                            std::vector<TensorIndex> outputs)
    {
        return m_model.operations.emplace_back(PortableOperation{.kind = kind,
                                                                 .inputs = std::move(inputs),
                                                                 .outputs = std::move(outputs),
                                                                 .source = m_source});
    }

    TensorIndex constant(std::string_view what, std::vector<std::int64_t> dims,
                         const std::vector<float>& values)
    {
        return m_model.addFloats(m_scope + "/" + std::string(what), std::move(dims), values);
    }

    bool appendLayer()
    {
        const auto steps = std::int64_t(m_chain.size());
        const std::int64_t rows = m_model.at(m_chain[0].nextH).dims[0];
        const auto gates = std::int64_t(m_cell.weights.size()) / m_cell.inputs;
        for (const Step& step : m_chain)
            if (m_model.at(step.x).dims != std::vector{rows, m_cell.inputs})
                return false;
        std::vector<TensorIndex> inputs{
            sequence(rows), constant("weights", {m_cell.inputs, gates}, m_cell.weights),
            constant("recurrent", {m_cell.units, gates}, m_cell.recurrent),
            constant("bias", {std::int64_t(m_cell.bias.size())}, m_cell.bias), m_chain[0].h};
        if (m_cell.kind == Kind::Lstm)
            inputs.push_back(m_chain[0].c);
        inputs.push_back(noTensor); // lengths
        if (!m_cell.peepholes.empty())
            inputs.push_back(constant("peepholes", {3 * m_cell.units}, m_cell.peepholes));
        const std::vector<std::int64_t> state{rows, m_cell.units};
        const TensorIndex y = between("outputs", {steps, rows, m_cell.units});
        std::vector<TensorIndex> outputs{y};
        if (m_wantsC)
            outputs.insert(outputs.end(), {between("last", state), m_chain.back().nextC});
        PortableOperation& layer = emit(m_cell.kind, std::move(inputs), std::move(outputs));
        layer.parameters.gates = m_cell.gates;
        layer.parameters.resetsAfter = m_cell.resetsAfter;
        appendSteps(y, {steps, rows, m_cell.units});
        return true;
    }

    // Adds the outputs of single steps; only the last one if no other is read.
    void appendSteps(TensorIndex y, const std::vector<std::int64_t>& dims)
    {
        const TensorIndex last = m_chain.back().nextH;
        if (m_wanted == std::set{last}) {
            PortableParameters& p = emit(Kind::StridedSlice, {y}, {last}).parameters;
            p.begin = {dims[0] - 1, 0, 0};
            p.end = dims;
            p.step = {1, 1, 1};
            p.shrink = {true, false, false};
            return;
        }
        std::vector<TensorIndex> made;
        for (const Step& step : m_chain)
            made.push_back(step.nextH);
        emit(Kind::Unpack, {y}, std::move(made));
    }

    PortableModel m_model;
    const Chain& m_chain;
    RecurrentCell m_cell;
    ExportTarget m_target;
    std::string m_source;
    std::string m_scope;
    std::set<TensorIndex> m_wanted; // outputs of steps that others read
    bool m_wantsC = false;          // others read the last c
};

} // namespace

std::vector<std::string> recognizeRecurrentChains(PortableModel& model, ExportTarget target)
{
    std::vector<std::string> notes;
    ChainSearch search(model);
    std::vector<std::pair<Chain, RecurrentCell>> found;
    for (Chain& chain : search.find())
        if (auto cell = search.cellOf(chain.front()))
            found.emplace_back(std::move(chain), *std::move(cell));
    for (auto& [chain, cell] : found) {
        ChainWriter writer(model, chain, std::move(cell), target);
        auto changed = writer.write();
        if (!changed)
            continue;
        model = *std::move(changed);
        notes.push_back(writer.note());
    }
    return notes;
}

} // namespace lapidary
