// SPDX-License-Identifier: Apache-2.0
// Cells of LSTMs and GRUs that are one op, and ops that run such a cell over a sequence.
#include "transforms/export/lower/lower_steps.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Ints = std::vector<std::int64_t>;

constexpr std::size_t cellGates = 4;
constexpr std::int64_t mostCellSteps = 10'000;

// The outputs of an LSTM's op.
enum CellPort : std::size_t { PortI, PortCs, PortF, PortO, PortCi, PortCo, PortH };
constexpr std::size_t portCount = PortH + 1;
using CellPorts = std::array<TensorIndex, portCount>;

// Makes the intermediate tensors of a node, which are named after it.
class CellSteps {
public:
    explicit CellSteps(LowerNode& node)
        : m_node(node)
    {
    }

    LowerNode& node() { return m_node; }
    TensorIndex make(Kind kind, std::vector<TensorIndex> inputs, std::string_view what, Ints dims,
                     DType dtype = DType::Float)
    {
        const TensorIndex made = m_node.between(what, dtype, std::move(dims));
        m_node.emit(kind, std::move(inputs), {made});
        return made;
    }
    // Returns [x, h] times weights, plus a bias.
    TensorIndex product(TensorIndex x, TensorIndex h, TensorIndex weights, TensorIndex bias,
                        std::string_view what)
    {
        const std::int64_t rows = m_node.tensor(x).dims[0];
        const Ints wide{rows, m_node.tensor(x).channels() + m_node.tensor(h).channels()};
        const TensorIndex joined = m_node.between("joined", DType::Float, wide);
        m_node.emit(Kind::Concat, {x, h}, {joined}).parameters.axis = 1;
        return make(Kind::FullyConnected, {joined, weights, bias}, what,
                    {rows, m_node.tensor(weights).dims[1]});
    }
    // Splits a tensor into parts of as many columns each.
    std::vector<TensorIndex> parts(TensorIndex whole, std::size_t count, std::string_view what)
    {
        const Ints dims = m_node.tensor(whole).dims;
        const std::int64_t width = dims[1] / std::int64_t(count);
        std::vector<TensorIndex> made;
        for (std::size_t i = 0; i < count; ++i)
            made.push_back(m_node.between(what, DType::Float, {dims[0], width}));
        PortableParameters& p = m_node.emit(Kind::Split, {whole}, made).parameters;
        p.axis = 1;
        p.sizes = Ints(count, width);
        return made;
    }

    // Returns a constant that every step reads; it is made only once.
    TensorIndex once(std::string_view what, Ints dims, const std::vector<float>& values)
    {
        const auto [known, isNew] = m_constants.try_emplace(what, noTensor);
        if (isNew)
            known->second = m_node.constant(what, std::move(dims), values);
        return known->second;
    }

private:
    LowerNode& m_node;
    std::map<std::string_view, TensorIndex> m_constants; // by their name, a string literal
};

// An LSTM as its op describes it; inputs from `first` on are cs, h, w, wci, wcf, wco, b.
class BlockLstm {
public:
    BlockLstm(LowerNode& node, std::size_t first, bool forgetsSecond)
        : m_steps(node)
        , m_first(first)
        , m_forget(forgetsSecond ? 1 : 2)
        , m_forgetBias(forgetsSecond ? 0 : node.floatAttr("forget_bias", 1))
        , m_clip(node.floatAttr("cell_clip", forgetsSecond ? 0.0F : 3.0F))
    {
    }

    Status read()
    {
        LowerNode& n = m_steps.node();
        ASSIGN_OR_RETURN(m_weights, n.floats(m_first + 2, "matrix of weights"));
        ASSIGN_OR_RETURN(m_bias, n.floats(m_first + 6, "bias"));
        const Ints dims = n.dims(m_first + 2);
        if (n.rank(m_first) != 2 || dims.size() != 2 || dims[1] % std::int64_t(cellGates) != 0 ||
            std::int64_t(m_bias.size()) != dims[1])
            return unsuited("the sizes of its weights do not fit each other");
        m_units = std::size_t(dims[1]) / cellGates;
        m_inputs = std::size_t(dims[0]) - std::min(m_units, std::size_t(dims[0]));
        for (std::size_t i = 0; i < m_units; ++i)
            m_bias[m_forget * m_units + i] += m_forgetBias;
        if (!n.boolAttr("use_peephole", false))
            return Done{};
        for (std::size_t i = 0; i < m_peepholes.size(); ++i) {
            ASSIGN_OR_RETURN(m_peepholes[i], n.floats(m_first + 3 + i, "peephole weights"));
            if (m_peepholes[i].size() != m_units)
                return unsuited("the sizes of its weights do not fit each other");
        }
        return Done{};
    }

    CellPorts step(TensorIndex x, TensorIndex c, TensorIndex h)
    {
        LowerNode& n = m_steps.node();
        const TensorIndex bias = m_steps.once("bias", {std::int64_t(m_bias.size())}, m_bias);
        const TensorIndex all = m_steps.product(x, h, n.input(m_first + 2), bias, "products");
        const Ints dims{n.tensor(all).dims[0], std::int64_t(m_units)};
        const auto gates = m_steps.parts(all, cellGates, "gate");
        const auto make = [&](Kind kind, std::vector<TensorIndex> inputs, std::string_view what) {
            return m_steps.make(kind, std::move(inputs), what, dims);
        };
        CellPorts made{};
        made[PortI] = make(Kind::Sigmoid, {peeping(gates[0], c, 0)}, "i");
        made[PortCi] = make(Kind::Tanh, {gates[3 - m_forget]}, "ci");
        made[PortF] = make(Kind::Sigmoid, {peeping(gates[m_forget], c, 1)}, "f");
        const TensorIndex added = make(Kind::Mul, {made[PortCi], made[PortI]}, "added");
        const TensorIndex kept = make(Kind::Mul, {c, made[PortF]}, "kept");
        made[PortCs] = make(Kind::Add, {added, kept}, "cs");
        if (m_clip > 0) {
            const TensorIndex below =
                make(Kind::Minimum, {made[PortCs], m_steps.once("most", {}, {m_clip})}, "below");
            made[PortCs] =
                make(Kind::Maximum, {below, m_steps.once("least", {}, {-m_clip})}, "clipped");
        }
        made[PortO] = make(Kind::Sigmoid, {peeping(gates[3], made[PortCs], 2)}, "o");
        made[PortCo] = make(Kind::Tanh, {made[PortCs]}, "co");
        made[PortH] = make(Kind::Mul, {made[PortCo], made[PortO]}, "h");
        return made;
    }

    // Returns whether the operation Lstm does the same.
    bool isPlain() const { return m_clip <= 0 && m_inputs > 0; }

    // Emits that operation; only the outputs of each step are read.
    void emitLayer(TensorIndex x)
    {
        LowerNode& n = m_steps.node();
        const std::size_t wide = cellGates * m_units;
        const std::vector<float> weights = reordered(m_weights);
        const auto own = weights.begin() + std::ptrdiff_t(m_inputs * wide);
        std::vector<TensorIndex> inputs{
            x,
            n.constant("weights", {std::int64_t(m_inputs), std::int64_t(wide)},
                       {weights.begin(), own}),
            n.constant("recurrent", {std::int64_t(m_units), std::int64_t(wide)},
                       {own, weights.end()}),
            n.constant("bias", {std::int64_t(wide)}, reordered(m_bias)),
            n.input(m_first + 1),
            n.input(m_first),
            noTensor};
        if (!m_peepholes[0].empty()) {
            std::vector<float> all; // of the input, the output and the forget gate
            for (const std::size_t gate : {0U, 2U, 1U})
                all.insert(all.end(), m_peepholes[gate].begin(), m_peepholes[gate].end());
            inputs.push_back(n.constant("peepholes", {std::int64_t(all.size())}, all));
        }
        n.emit(Kind::Lstm, std::move(inputs), {n.output(PortH)}).parameters.gates = {
            PortableGate::Sigmoid, PortableGate::Tanh, PortableGate::Tanh};
    }

private:
    // Rows of four gates in the order that the operation has: input, output, forget, candidate.
    std::vector<float> reordered(const std::vector<float>& rows) const
    {
        std::vector<float> made;
        made.reserve(rows.size());
        for (std::size_t row = 0; row < rows.size(); row += cellGates * m_units)
            for (const std::size_t gate :
                 {std::size_t(0), std::size_t(3), m_forget, 3 - m_forget}) {
                const auto first = rows.begin() + std::ptrdiff_t(row + gate * m_units);
                made.insert(made.end(), first, first + std::ptrdiff_t(m_units));
            }
        return made;
    }

    // Returns a gate plus the weighted state that it sees through its peephole.
    TensorIndex peeping(TensorIndex gate, TensorIndex c, std::size_t peephole)
    {
        if (m_peepholes[peephole].empty())
            return gate;
        constexpr std::array<std::string_view, 3> names{"wci", "wcf", "wco"};
        const Ints dims = m_steps.node().tensor(gate).dims;
        const TensorIndex weights =
            m_steps.once(names[peephole], {std::int64_t(m_units)}, m_peepholes[peephole]);
        const TensorIndex seen = m_steps.make(Kind::Mul, {c, weights}, "seen", dims);
        return m_steps.make(Kind::Add, {gate, seen}, "peeping", dims);
    }

    CellSteps m_steps;
    std::size_t m_first;
    std::size_t m_forget; // index of its gate: input, candidate, forget, output
    float m_forgetBias;
    float m_clip;
    std::size_t m_units = 0;
    std::size_t m_inputs = 0;
    std::vector<float> m_weights;
    std::vector<float> m_bias;
    std::array<std::vector<float>, 3> m_peepholes; // of the input, the forget and the output gate
};

Status lstmCell(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    BlockLstm lstm(n, 1, false);
    RETURN_IF_ERROR(lstm.read());
    const CellPorts made = lstm.step(n.input(0), n.input(1), n.input(2));
    for (std::size_t port = 0; port < portCount; ++port)
        n.alias(port, made[port]);
    return Done{};
}

// r and u = sigmoid([x, h] w + b); c = tanh([x, r h] w + b); h = u h + (1 - u) c.
Status gruCell(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    if (!n.isConstant(2) || !n.isConstant(3) || n.rank(0) != 2 || n.rank(2) != 2 || n.rank(3) != 2)
        return unsuited("its weights are computed");
    CellSteps steps(n);
    const TensorIndex x = n.input(0);
    const TensorIndex h = n.input(1);
    const Ints dims = n.dims(1);
    const TensorIndex both = steps.product(x, h, n.input(2), n.input(4), "products");
    const TensorIndex open =
        steps.make(Kind::Sigmoid, {both}, "gates", {dims[0], n.tensor(both).dims[1]});
    const auto gates = steps.parts(open, 2, "gate");
    const TensorIndex reset = steps.make(Kind::Mul, {gates[0], h}, "reset", dims);
    const TensorIndex c = steps.make(
        Kind::Tanh, {steps.product(x, reset, n.input(3), n.input(5), "candidate")}, "c", dims);
    const TensorIndex rest =
        steps.make(Kind::Sub, {n.constant("one", {}, {1}), gates[1]}, "rest", dims);
    const TensorIndex added = steps.make(Kind::Mul, {rest, c}, "added", dims);
    const TensorIndex kept = steps.make(Kind::Mul, {gates[1], h}, "kept", dims);
    n.alias(0, gates[0]);
    n.alias(1, gates[1]);
    n.alias(2, c);
    n.alias(3, steps.make(Kind::Add, {kept, added}, "h", dims));
    return Done{};
}

// Returns 0 in the steps after the length of the longest sequence, if that is known only at run
// time.
TensorIndex withoutRest(LowerNode& n, CellSteps& steps, TensorIndex all)
{
    const Ints dims = n.tensor(all).dims;
    Ints times = Ints(std::size_t(dims[0]), 0);
    std::iota(times.begin(), times.end(), 0);
    std::string bytes(reinterpret_cast<const char*>(times.data()),
                      times.size() * sizeof(std::int64_t));
    const Ints rows{dims[0], 1, 1};
    const TensorIndex counted = n.constantOf("times", DType::Int64, rows, std::move(bytes));
    const TensorIndex runs =
        steps.make(Kind::Less, {counted, n.input(0)}, "runs", rows, DType::Bool);
    return steps.make(Kind::Select, {runs, all, n.constant("zero", {1, 1, 1}, {0})}, "until_end",
                      dims);
}

Status blockLstm(LowerNode& n, bool forgetsSecond)
{
    RETURN_IF_ERROR(needFloat(n));
    BlockLstm lstm(n, 2, forgetsSecond);
    RETURN_IF_ERROR(lstm.read());
    const Ints dims = n.rank(1) == 3 ? n.dims(1) : Ints{0, 0, 0};
    if (dims[0] < 1 || dims[0] > mostCellSteps)
        return unsuited("its sequence has " + std::to_string(dims[0]) + " steps");
    std::int64_t length = dims[0];
    if (n.isConstant(0)) {
        ASSIGN_OR_RETURN(length, n.oneInt(0, "number of steps"));
        length = std::clamp<std::int64_t>(length, 0, dims[0]);
    }
    std::vector<std::size_t> read;
    for (std::size_t port = 0; port < portCount; ++port)
        if (n.isRead(port))
            read.push_back(port);
    if (n.isConstant(0) && length == dims[0] && lstm.isPlain() &&
        read == std::vector<std::size_t>{PortH}) {
        lstm.emitLayer(n.input(1));
        return Done{};
    }
    CellSteps steps(n);
    std::vector<TensorIndex> xs;
    for (std::int64_t time = 0; time < dims[0]; ++time)
        xs.push_back(n.between("x", DType::Float, {dims[1], dims[2]}));
    n.emit(Kind::Unpack, {n.input(1)}, xs).parameters.axis = 0;
    const Ints one = n.dims(2);
    std::array<std::vector<TensorIndex>, portCount> made;
    CellPorts last{};
    last[PortCs] = n.input(2);
    last[PortH] = n.input(3);
    for (std::int64_t time = 0; time < dims[0]; ++time) {
        if (time < length)
            last = lstm.step(xs[std::size_t(time)], last[PortCs], last[PortH]);
        else if (time == length)
            last.fill(n.constant("rest", one, std::vector<float>(std::size_t(one[0] * one[1]), 0)));
        for (const std::size_t port : read)
            made[port].push_back(last[port]);
    }
    const Ints whole{dims[0], one[0], one[1]};
    for (const std::size_t port : read) {
        const TensorIndex all = steps.make(Kind::Pack, made[port], "steps", whole);
        n.alias(port, n.isConstant(0) ? all : withoutRest(n, steps, all));
    }
    return Done{};
}

Status firstBlockLstm(LowerNode& n)
{
    return blockLstm(n, false);
}

Status secondBlockLstm(LowerNode& n)
{
    return blockLstm(n, true);
}

constexpr std::string_view cellSteps = "FullyConnected, Split, Sigmoid, Tanh, Mul, Add";
constexpr std::string_view constantWeights = "constant weights, float";
constexpr std::string_view wholeLayer =
    "constant weights, float; step by step unless only h is read, for all steps, without a clip";

constexpr std::array blockCellRows{
    LowerRow{"BlockLSTM", firstBlockLstm, "Lstm", wholeLayer},
    LowerRow{"BlockLSTMV2", secondBlockLstm, "Lstm", wholeLayer},
    LowerRow{"GRUBlockCell", gruCell, cellSteps, constantWeights},
    LowerRow{"LSTMBlockCell", lstmCell, cellSteps, constantWeights},
};

} // namespace

std::span<const LowerRow> lowerBlockCellRows()
{
    return blockCellRows;
}

} // namespace lapidary
