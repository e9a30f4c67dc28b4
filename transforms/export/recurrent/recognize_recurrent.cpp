// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/recurrent/recognize_recurrent.h"

#include "transforms/export/base/portable_edit.h"
#include "transforms/export/recurrent/recurrent_loop.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Ints = std::vector<std::int64_t>;
using Layer = RecurrentLoop::Layer;

// Returns "rnn/while" for "rnn/while/LoopCond".
std::string scopeOf(const std::string& source)
{
    const std::size_t end = source.rfind('/');
    return end == std::string::npos ? source : source.substr(0, end);
}

Ints counted(std::int64_t count)
{
    Ints numbers(std::size_t(count), 0);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

bool isZero(const PortableTensor& tensor)
{
    return tensor.isConstant &&
           std::ranges::all_of(floatsOf(tensor), [](float value) { return value == 0; });
}

// Writes the layers of one loop.
class LayerWriter {
public:
    LayerWriter(PortableModel& model, const PortableOperation& loop, const RecurrentLoop& read,
                ExportTarget target)
        : m_model(model)
        , m_loop(loop)
        , m_read(read)
        , m_target(target)
        , m_scope(scopeOf(loop.source))
    {
    }

    // Returns an error if the target lacks something; called before anything is changed.
    Status check() const
    {
        for (const Layer& layer : m_read.layers) {
            const RecurrentCell& cell = layer.cell;
            if (!cell.projection.empty() && !isZero(m_model.at(m_loop.inputs[layer.h])))
                return refused("its projected state does not begin with 0");
            if (m_target == ExportTarget::Tflite)
                RETURN_IF_ERROR(checkTflite(layer));
        }
        return Done{};
    }

    std::vector<PortableOperation> write()
    {
        findLengths();
        for (const Layer& layer : m_read.layers)
            writeLayer(layer);
        for (const RecurrentLoop::Array& array : m_read.arrays)
            if (!m_isGiven[array.slot] && isRead(m_model, m_loop.outputs[array.slot]))
                emit(Kind::Copy, {m_kept[array.layer]}, {m_loop.outputs[array.slot]});
        for (const RecurrentLoop::Latest& latest : m_read.latest)
            if (isRead(m_model, m_loop.outputs[latest.slot]))
                emit(Kind::Reshape, {m_loop.outputs[m_read.layers[latest.layer].h]},
                     {m_loop.outputs[latest.slot]});
        for (const auto& [slot, value] : m_read.counters)
            if (isRead(m_model, m_loop.outputs[slot]))
                emit(Kind::Copy,
                     {numbers("steps", m_model.at(m_loop.outputs[slot]).dims, {value},
                              m_model.at(m_loop.outputs[slot]).dtype)},
                     {m_loop.outputs[slot]});
        for (std::size_t slot = 0; slot < m_loop.outputs.size(); ++slot)
            if (staysAsItIs(slot) && isRead(m_model, m_loop.outputs[slot]))
                emit(Kind::Copy, {m_loop.inputs[slot]}, {m_loop.outputs[slot]});
        return std::move(m_made);
    }

    std::vector<std::string> notes() const
    {
        std::vector<std::string> notes;
        for (const Layer& layer : m_read.layers)
            notes.push_back(m_scope + " is " + std::string(recurrentName(layer.cell.kind)) +
                            " of " + std::to_string(layer.cell.units) + " units over " +
                            std::to_string(m_read.steps) + " steps" +
                            (m_read.lengths != noTensor ? ", with the lengths of its rows" : ""));
        return notes;
    }

private:
    static Error refused(std::string reason) { return {ErrorCode::Unsupported, std::move(reason)}; }

    Status checkTflite(const Layer& layer) const
    {
        RETURN_IF_ERROR(checkTfliteCell(layer.cell));
        if (layer.c && isRead(m_model, m_loop.outputs[*layer.c]))
            return refused("its last state c is read, which TFLite's LSTM does not output");
        return Done{};
    }

    bool staysAsItIs(std::size_t slot) const
    {
        const PortableModel& body = *m_loop.parts[1];
        return body.outputs[slot] == body.inputs[slot];
    }

    // Tensors and operations of the model that is written.

    TensorIndex between(std::string_view what, DType dtype, Ints dims)
    {
        PortableTensor tensor;
        tensor.name = m_scope + "/" + std::string(what);
        tensor.dtype = dtype;
        tensor.dims = std::move(dims);
        return m_model.add(std::move(tensor));
    }

    TensorIndex floats(std::string_view what, Ints dims, const std::vector<float>& values)
    {
        return m_model.addFloats(m_scope + "/" + std::string(what), std::move(dims), values);
    }

    TensorIndex numbers(std::string_view what, Ints dims, const Ints& values, DType dtype)
    {
        PortableTensor tensor;
        tensor.name = m_scope + "/" + std::string(what);
        tensor.dtype = dtype;
        tensor.dims = std::move(dims);
        tensor.isConstant = true;
        const std::vector<std::int32_t> narrow(values.begin(), values.end());
        const std::size_t size = values.size() * dtypeSize(dtype);
        std::string bytes(size, '\0');
        if (size > 0)
            std::memcpy(bytes.data(),
                        dtype == DType::Int64 ? static_cast<const void*>(values.data())
                                              : static_cast<const void*>(narrow.data()),
                        size);
        tensor.bytes = ConstantBytes(std::move(bytes));
        return m_model.add(std::move(tensor));
    }

    PortableOperation& emit(Kind kind, std::vector<TensorIndex> inputs,
                            std::vector<TensorIndex> outputs)
    {
        return m_made.emplace_back(PortableOperation{.kind = kind,
                                                     .inputs = std::move(inputs),
                                                     .outputs = std::move(outputs),
                                                     .source = m_scope});
    }

    // Adds an operation with a new output; returns that.
    TensorIndex made(Kind kind, std::vector<TensorIndex> inputs, std::string_view what, DType dtype,
                     Ints dims)
    {
        const TensorIndex output = between(what, dtype, std::move(dims));
        emit(kind, std::move(inputs), {output});
        return output;
    }

    void findLengths()
    {
        m_isGiven.assign(m_loop.outputs.size(), false);
        if (m_read.lengths == noTensor)
            return;
        const PortableModel& body = *m_loop.parts[1];
        const auto slot = std::ranges::find(body.inputs, m_read.lengths);
        m_lengths = slot != body.inputs.end()
                        ? m_loop.inputs[std::size_t(slot - body.inputs.begin())]
                        : m_model.add(body.at(m_read.lengths));
        const Ints& dims = m_model.at(m_lengths).dims;
        if (dims.size() != 1)
            m_lengths = made(Kind::Reshape, {m_lengths}, "lengths", m_model.at(m_lengths).dtype,
                             {m_model.at(m_lengths).elements()});
    }

    bool hasOwnLengths() const { return m_lengths != noTensor && m_target == ExportTarget::Tflite; }

    void writeLayer(const Layer& layer)
    {
        const RecurrentCell& cell = layer.cell;
        const TensorIndex x =
            layer.sequence ? m_loop.inputs[*layer.sequence] : m_kept[*layer.below];
        const std::int64_t rows = m_model.at(x).dims[1];
        const std::int64_t all = std::int64_t(cell.bias.size());
        const std::int64_t gates = std::int64_t(cell.weights.size()) / cell.inputs;
        m_rows = rows;
        m_first = cell.projection.empty()
                      ? m_loop.inputs[layer.h]
                      : floats("first_h", {rows, cell.units},
                               std::vector<float>(std::size_t(rows * cell.units), 0));
        std::vector<TensorIndex> inputs{x, floats("weights", {cell.inputs, gates}, cell.weights),
                                        floats("recurrent", {cell.units, gates}, cell.recurrent),
                                        floats("bias", {all}, cell.bias), m_first};
        if (layer.c)
            inputs.push_back(m_loop.inputs[*layer.c]);
        inputs.push_back(hasOwnLengths() ? noTensor : m_lengths);
        if (!cell.peepholes.empty())
            inputs.push_back(floats("peepholes", {3 * cell.units}, cell.peepholes));
        writeCell(layer, std::move(inputs));
    }

    void writeCell(const Layer& layer, std::vector<TensorIndex> inputs)
    {
        const RecurrentCell& cell = layer.cell;
        const bool isPlain = cell.projection.empty() && !hasOwnLengths();
        const Ints dims{m_read.steps, m_rows, cell.units};
        const TensorIndex y =
            isPlain ? outputFor(m_kept.size(), dims) : between("y", DType::Float, dims);
        std::vector<TensorIndex> outputs{y};
        const TensorIndex last = m_loop.outputs[layer.h];
        const bool wantsH = isRead(m_model, last) || isLatestRead(m_kept.size());
        TensorIndex h = noTensor;
        if (m_target == ExportTarget::Onnx) {
            h = cell.projection.empty() ? last
                                        : between("last", DType::Float, {m_rows, cell.units});
            outputs.push_back(h);
            if (layer.c && isRead(m_model, m_loop.outputs[*layer.c]))
                outputs.push_back(m_loop.outputs[*layer.c]);
            if (outputs.size() == 2 && !wantsH)
                outputs.pop_back();
        }
        PortableOperation& operation = emit(cell.kind, std::move(inputs), std::move(outputs));
        operation.parameters.gates = cell.gates;
        operation.parameters.resetsAfter = cell.resetsAfter;
        if (m_target == ExportTarget::Tflite && wantsH)
            h = lastOf(y, cell.projection.empty() ? last : noTensor, dims);
        if (!cell.projection.empty() && wantsH)
            emit(Kind::FullyConnected, {h, projectionOf(cell), noTensor}, {last});
        const TensorIndex masked = hasOwnLengths() ? withoutEnds(y, cell, dims) : y;
        m_kept.push_back(cell.projection.empty() ? masked : projected(masked, cell));
    }

    bool isLatestRead(std::size_t layer) const
    {
        return std::ranges::any_of(m_read.latest, [&](const RecurrentLoop::Latest& latest) {
            return latest.layer == layer && isRead(m_model, m_loop.outputs[latest.slot]);
        });
    }

    // Returns the array that keeps the steps of a layer, or a new tensor.
    TensorIndex outputFor(std::size_t layer, const Ints& dims)
    {
        for (const RecurrentLoop::Array& array : m_read.arrays)
            if (array.layer == layer) {
                m_isGiven[array.slot] = true;
                return m_loop.outputs[array.slot];
            }
        return between("y", DType::Float, dims);
    }

    TensorIndex projectionOf(const RecurrentCell& cell)
    {
        return floats("projection", {cell.units, std::int64_t(cell.projection.size()) / cell.units},
                      cell.projection);
    }

    TensorIndex projected(TensorIndex y, const RecurrentCell& cell)
    {
        const std::int64_t rows = m_read.steps * m_rows;
        const TensorIndex weights = projectionOf(cell);
        const std::int64_t columns = m_model.at(weights).dims[1];
        const TensorIndex flat = made(Kind::Reshape, {y}, "rows", DType::Float, {rows, cell.units});
        const TensorIndex product = made(Kind::FullyConnected, {flat, weights, noTensor},
                                         "projected", DType::Float, {rows, columns});
        const Ints dims{m_read.steps, m_rows, columns};
        const TensorIndex output = outputFor(m_kept.size(), dims);
        emit(Kind::Reshape, {product}, {output});
        return output;
    }

    // Lengths of rows, by other operations for an operator that does not take them.

    // Sets the steps after the end of a row to 0.
    TensorIndex withoutEnds(TensorIndex y, const RecurrentCell& cell, const Ints& dims)
    {
        const DType dtype = m_model.at(m_lengths).dtype;
        const TensorIndex lengths =
            made(Kind::Reshape, {m_lengths}, "row_lengths", dtype, {1, m_rows, 1});
        const TensorIndex runs =
            made(Kind::Less,
                 {numbers("times", {m_read.steps, 1, 1}, counted(m_read.steps), dtype), lengths},
                 "runs", DType::Bool, {m_read.steps, m_rows, 1});
        const TensorIndex output = cell.projection.empty() ? outputFor(m_kept.size(), dims)
                                                           : between("masked", DType::Float, dims);
        emit(Kind::Select, {runs, y, floats("zero", {1, 1, 1}, {0})}, {output});
        return output;
    }

    // Returns the last output of a layer, into `output` if there is one.
    TensorIndex lastOf(TensorIndex y, TensorIndex output, const Ints& dims)
    {
        const Ints state{m_rows, dims[2]};
        if (output == noTensor)
            output = between("last", DType::Float, state);
        if (m_lengths == noTensor) {
            PortableParameters& p = emit(Kind::StridedSlice, {y}, {output}).parameters;
            p.begin = {m_read.steps - 1, 0, 0};
            p.end = {m_read.steps, dims[1], dims[2]};
            p.step = {1, 1, 1};
            p.shrink = {true, false, false};
            return output;
        }
        const DType dtype = m_model.at(m_lengths).dtype;
        const TensorIndex before = made(Kind::Sub, {m_lengths, numbers("one", {}, {1}, dtype)},
                                        "before_end", dtype, {m_rows});
        const TensorIndex zero = numbers("none", {}, {0}, dtype);
        const TensorIndex least = made(Kind::Maximum, {before, zero}, "end", dtype, {m_rows});
        const TensorIndex step =
            made(Kind::Minimum, {least, numbers("last_step", {}, {m_read.steps - 1}, dtype)},
                 "last_of_row", dtype, {m_rows});
        const TensorIndex places =
            made(Kind::Pack, {step, numbers("rows", {m_rows}, counted(m_rows), dtype)}, "places",
                 dtype, {m_rows, 2});
        m_made.back().parameters.axis = 1;
        const TensorIndex found = made(Kind::GatherNd, {y, places}, "found", DType::Float, state);
        const TensorIndex begins =
            made(Kind::Greater, {m_lengths, zero}, "begins", DType::Bool, {m_rows});
        const TensorIndex asRows =
            made(Kind::Reshape, {begins}, "begins_rows", DType::Bool, {m_rows, 1});
        emit(Kind::Select, {asRows, found, m_first}, {output});
        return output;
    }

    PortableModel& m_model;
    const PortableOperation& m_loop;
    const RecurrentLoop& m_read;
    ExportTarget m_target;
    std::string m_scope;
    std::vector<PortableOperation> m_made;
    TensorIndex m_lengths = noTensor;
    TensorIndex m_first = noTensor;  // initial h of the current layer
    std::int64_t m_rows = 0;         // size of the batch
    std::vector<TensorIndex> m_kept; // the outputs of all steps of each layer
    std::vector<bool> m_isGiven;     // variables whose last value is written
};

} // namespace

RecognizedLayers recognizeRecurrentLayers(PortableModel& model, ExportTarget target)
{
    RecognizedLayers result;
    for (std::size_t i = 0; i < model.operations.size(); ++i) {
        if (model.operations[i].kind != Kind::While)
            continue;
        const PortableOperation loop = model.operations[i];
        const auto read = readRecurrentLoop(model, loop);
        if (read && !*read)
            continue;
        if (!read) {
            result.reasons[loop.source] = read.error().message;
            continue;
        }
        LayerWriter writer(model, loop, **read, target);
        if (const Status fits = writer.check(); !fits) {
            result.reasons[loop.source] = fits.error().message;
            continue;
        }
        const std::vector<PortableOperation> layers = writer.write();
        const auto at = model.operations.erase(model.operations.begin() + std::ptrdiff_t(i));
        model.operations.insert(at, layers.begin(), layers.end());
        const auto notes = writer.notes();
        result.notes.insert(result.notes.end(), notes.begin(), notes.end());
        result.loops.insert(loop.source);
        i += layers.size() - 1;
    }
    return result;
}

} // namespace lapidary
