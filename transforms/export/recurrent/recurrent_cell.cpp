// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/recurrent/recurrent_cell.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Kind = PortableKind;

struct Gate {
    PortableGate ends = PortableGate::Sigmoid;
    AffineForm form;

    bool opens() const
    {
        return ends == PortableGate::Sigmoid || ends == PortableGate::HardSigmoid;
    }
};

// A product of two tensors.
struct Factors {
    TensorIndex first = noTensor;
    TensorIndex second = noTensor;

    TensorIndex beside(TensorIndex one) const
    {
        return one == first ? second : one == second ? first : noTensor;
    }
};

class CellSearch {
public:
    CellSearch(AffineForms& forms, TensorIndex h, TensorIndex nextH, CellPlace place)
        : m_forms(forms)
        , m_nextH(nextH)
        , m_place(place)
    {
        m_cell.h = h;
    }

    Result<std::optional<RecurrentCell>> find()
    {
        const PortableTensor& state = m_forms.model().at(m_nextH);
        if (state.dtype != DType::Float || state.dims.size() != 2 || state.isOpen())
            return std::optional<RecurrentCell>();
        m_forms.standsForItself(noTensor);
        m_cell.nextH = m_nextH;
        m_cell.units = state.dims[1];
        if (const PortableOperation* product = makerOf(m_nextH, Kind::FullyConnected))
            return projected(*product);
        if (const auto product = factorsOf(m_nextH, Kind::Mul))
            return lstm(*product);
        if (const auto sum = factorsOf(m_nextH, Kind::Add))
            return gru(*sum);
        return plain();
    }

private:
    using Found = Result<std::optional<RecurrentCell>>;

    static Found none() { return std::optional<RecurrentCell>(); }
    static Found refused(std::string reason)
    {
        return Error{ErrorCode::Unsupported, std::move(reason)};
    }

    const PortableOperation* makerOf(TensorIndex tensor, Kind kind) const
    {
        const PortableOperation* made = m_forms.maker(tensor);
        return made != nullptr && made->kind == kind && made->activation == PortableActivation::None
                   ? made
                   : nullptr;
    }

    std::optional<Factors> factorsOf(TensorIndex tensor, Kind kind) const
    {
        const PortableOperation* made = makerOf(tensor, kind);
        if (made == nullptr || made->inputs.size() != 2)
            return std::nullopt;
        return Factors{made->inputs[0], made->inputs[1]};
    }

    bool isNumber(TensorIndex tensor, float number) const
    {
        const auto values = m_forms.row(tensor, 1);
        return values && values->front() == number;
    }

    // Returns x for a clip to [0, 1], which may be min(max(x, 0), 1) in either order.
    TensorIndex limited(TensorIndex tensor) const
    {
        for (const auto& [outer, limit, inner, other] :
             {std::tuple{Kind::Minimum, 1.0F, Kind::Maximum, 0.0F},
              std::tuple{Kind::Maximum, 0.0F, Kind::Minimum, 1.0F}}) {
            const TensorIndex between = besideNumber(tensor, outer, limit);
            const TensorIndex x = besideNumber(between, inner, other);
            if (x != noTensor)
                return x;
        }
        return noTensor;
    }

    TensorIndex besideNumber(TensorIndex tensor, Kind kind, float number) const
    {
        const auto pair = tensor == noTensor ? std::nullopt : factorsOf(tensor, kind);
        if (!pair)
            return noTensor;
        return isNumber(pair->second, number)  ? pair->first
               : isNumber(pair->first, number) ? pair->second
                                               : noTensor;
    }

    std::optional<Gate> gateOf(TensorIndex tensor)
    {
        TensorIndex x = noTensor;
        PortableGate ends = PortableGate::HardSigmoid;
        for (const auto& [kind, gate] :
             {std::pair{Kind::Sigmoid, PortableGate::Sigmoid},
              std::pair{Kind::Tanh, PortableGate::Tanh}, std::pair{Kind::Relu, PortableGate::Relu}})
            if (const PortableOperation* made = makerOf(tensor, kind)) {
                x = made->inputs[0];
                ends = gate;
            }
        if (x == noTensor)
            x = limited(tensor);
        if (x == noTensor)
            return partOfGates(tensor);
        const AffineForm* form = m_forms.of(x);
        return form != nullptr ? std::optional(Gate{ends, *form}) : std::nullopt;
    }

    // Returns a gate that is computed together with others and split from them after the
    // activation.
    std::optional<Gate> partOfGates(TensorIndex tensor)
    {
        const auto columns = m_forms.columnsOf(tensor);
        auto gates = columns ? gateOf(columns->whole) : std::nullopt;
        if (!gates)
            return std::nullopt;
        return Gate{gates->ends, gates->form.columns(columns->first, columns->count)};
    }

    // Returns the gate with values from 0 to 1 among two factors, and the other factor.
    std::optional<std::pair<Gate, TensorIndex>> opening(const Factors& product)
    {
        for (const TensorIndex one : {product.first, product.second}) {
            auto gate = gateOf(one);
            const TensorIndex other = product.beside(one);
            if (gate && gate->opens() && other != noTensor)
                return std::pair{*std::move(gate), other};
        }
        return std::nullopt;
    }

    // h' is the output of an LSTM times a matrix P. Its gates read h R = (output) P R.
    Found projected(const PortableOperation& product)
    {
        const PortableTensor& weights = m_forms.model().at(product.inputs[1]);
        const TensorIndex given = product.inputs[0];
        const auto factors = factorsOf(given, Kind::Mul);
        if (!factors || product.input(2) != noTensor || weights.dims.size() != 2 ||
            m_forms.model().at(given).dims.size() != 2)
            return none();
        const std::int64_t columns = weights.dims[1];
        m_cell.units = weights.dims[0];
        m_cell.projection = floatsOf(weights);
        ASSIGN_OR_RETURN(auto found, lstm(*factors));
        if (found)
            found->recurrent = times(found->projection, found->recurrent, std::size_t(columns));
        return found;
    }

    // Returns the product of [rows, inner] and [inner, columns].
    static std::vector<float> times(const std::vector<float>& a, const std::vector<float>& b,
                                    std::size_t inner)
    {
        const std::size_t rows = a.size() / inner;
        const std::size_t columns = b.size() / inner;
        std::vector<float> product;
        product.reserve(rows * columns);
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t column = 0; column < columns; ++column) {
                double sum = 0;
                for (std::size_t i = 0; i < inner; ++i)
                    sum += double(a[row * inner + i]) * b[i * columns + column];
                product.push_back(float(sum));
            }
        return product;
    }

    // h' = tanh(x W + h R + b). Many other parts of loops look similar, so a part that is not a
    // cell gets no reason.
    Found plain()
    {
        const auto gate = gateOf(m_nextH);
        if (!gate || !gate->form.scaled.empty())
            return none();
        m_cell.kind = Kind::Rnn;
        m_cell.gates = {gate->ends};
        if (!findSources({&gate->form}))
            return none();
        return std::optional(std::move(m_cell));
    }

    // h' = output gate * tanh(c'), c' = forget gate * c + input gate * candidate.
    Found lstm(const Factors& product)
    {
        for (const TensorIndex one : {product.first, product.second})
            for (const Kind kind : {Kind::Tanh, Kind::Relu})
                if (const PortableOperation* last = makerOf(one, kind))
                    return lstmOf(product.beside(one), *last);
        return none();
    }

    Found lstmOf(TensorIndex outputGate, const PortableOperation& last)
    {
        m_cell.nextC = last.inputs[0];
        m_forms.standsForItself(m_cell.nextC);
        const auto output = gateOf(outputGate);
        if (!output || !output->opens())
            return none();
        const PortableGate ends = last.kind == Kind::Tanh ? PortableGate::Tanh : PortableGate::Relu;
        const auto sum = factorsOf(m_cell.nextC, Kind::Add);
        if (!sum)
            return isLimit(m_cell.nextC)
                       ? refused("it limits its state, which the operators do otherwise")
                       : none();
        for (const TensorIndex kept : {sum->first, sum->second}) {
            const auto forget = factorsOf(kept, Kind::Mul);
            const auto update = factorsOf(sum->beside(kept), Kind::Mul);
            if (!forget || !update)
                continue;
            if (const auto gates = lstmGates(*forget, *update))
                return finishLstm({(*gates)[0], *output, (*gates)[1], (*gates)[2]}, ends);
        }
        return none();
    }

    bool isLimit(TensorIndex tensor) const
    {
        return makerOf(tensor, Kind::Minimum) != nullptr ||
               makerOf(tensor, Kind::Maximum) != nullptr;
    }

    // Returns the gates: input, forget, candidate.
    std::optional<std::array<Gate, 3>> lstmGates(const Factors& forget, const Factors& update)
    {
        const auto kept = opening(forget);
        const auto added = opening(update);
        const bool isLoop = m_place == CellPlace::Loop;
        if (!kept || !added || (isLoop && m_forms.maker(kept->second) != nullptr))
            return std::nullopt;
        const auto candidate = gateOf(added->second);
        if (!candidate || candidate->opens())
            return std::nullopt;
        m_cell.c = kept->second;
        return std::array{added->first, kept->first, *candidate};
    }

    // The order of `gates`: input, output, forget, candidate.
    Found finishLstm(const std::array<Gate, 4>& gates, PortableGate ends)
    {
        m_cell.kind = Kind::Lstm;
        if (gates[0].ends != gates[1].ends || gates[0].ends != gates[2].ends)
            return refused("its gates end with different activations");
        m_cell.gates = {gates[0].ends, gates[3].ends, ends};
        std::vector<const AffineForm*> forms;
        for (const Gate& gate : gates)
            forms.push_back(&gate.form);
        RETURN_IF_ERROR(findSources(forms));
        for (const std::size_t gate : {0U, 1U, 2U})
            RETURN_IF_ERROR(
                addPeephole(gates[gate].form, gate == 1 ? m_cell.nextC : m_cell.c, gate));
        if (!gates[3].form.scaled.empty())
            return refused("its candidate reads a state without weights");
        return std::optional(std::move(m_cell));
    }

    Status addPeephole(const AffineForm& form, TensorIndex state, std::size_t gate)
    {
        const auto units = std::size_t(m_cell.units);
        for (const AffineForm::Scaled& one : form.scaled) {
            if (one.tensor != state)
                return Error{ErrorCode::Unsupported, "a gate reads something without weights"};
            m_cell.peepholes.resize(3 * units);
            std::ranges::copy(one.factors, m_cell.peepholes.begin() + std::ptrdiff_t(gate * units));
        }
        return Done{};
    }

    // Finds x: gates have to read h and exactly one other tensor.
    Status findSources(const std::vector<const AffineForm*>& forms)
    {
        std::vector<TensorIndex> sources;
        const auto units = std::size_t(m_cell.units);
        if (std::ranges::any_of(forms, [&](auto* form) { return form->width != units; }))
            return Error{ErrorCode::Unsupported, "its gates do not have the size of its state"};
        for (const AffineForm* form : forms)
            for (const AffineForm::Product& product : form->products)
                if (std::ranges::find(sources, product.tensor) == sources.end())
                    sources.push_back(product.tensor);
        const bool readsState = std::erase(sources, m_cell.h) > 0;
        if (!readsState || sources.size() != 1)
            return Error{ErrorCode::Unsupported,
                         sources.size() > 1 ? "its gates read more than one tensor beside its state"
                                            : "its gates do not read both an input and a state"};
        m_cell.x = sources.front();
        m_cell.inputs = m_forms.model().at(m_cell.x).dims.back();
        for (const AffineForm* form : forms)
            addGate(*form);
        return Done{};
    }

    void addGate(const AffineForm& form)
    {
        addColumns(m_cell.weights, std::size_t(m_cell.inputs), form, m_cell.x);
        addColumns(m_cell.recurrent, std::size_t(m_forms.model().at(m_cell.h).dims.back()), form,
                   m_cell.h);
        m_cell.bias.insert(m_cell.bias.end(), form.bias.begin(), form.bias.end());
    }

    // Adds the weights of one more gate for a tensor to the right of `all`; zeros if the gate does
    // not read the tensor.
    static void addColumns(std::vector<float>& all, std::size_t rows, const AffineForm& form,
                           TensorIndex tensor)
    {
        const auto product = std::ranges::find(form.products, tensor, &AffineForm::Product::tensor);
        const std::vector<float> own = product != form.products.end()
                                           ? product->weights
                                           : std::vector<float>(rows * form.width, 0);
        const std::size_t before = rows == 0 ? 0 : all.size() / rows;
        std::vector<float> wider;
        wider.reserve(all.size() + own.size());
        for (std::size_t row = 0; row < rows; ++row) {
            wider.insert(wider.end(), all.begin() + std::ptrdiff_t(row * before),
                         all.begin() + std::ptrdiff_t((row + 1) * before));
            wider.insert(wider.end(), own.begin() + std::ptrdiff_t(row * form.width),
                         own.begin() + std::ptrdiff_t((row + 1) * form.width));
        }
        all = std::move(wider);
    }

    // h' = z * h + (1 - z) * candidate.
    Found gru(const Factors& sum)
    {
        for (const TensorIndex kept : {sum.first, sum.second}) {
            const auto first = factorsOf(kept, Kind::Mul);
            const auto second = factorsOf(sum.beside(kept), Kind::Mul);
            if (!first || !second || kept == sum.beside(kept))
                continue;
            for (const TensorIndex gate : {first->first, first->second}) {
                const TensorIndex rest = complement(*second, gate);
                if (rest == noTensor)
                    continue;
                return gruOf(gate, first->beside(gate), second->beside(rest));
            }
        }
        return none();
    }

    // Returns the factor that is 1 - gate.
    TensorIndex complement(const Factors& product, TensorIndex gate) const
    {
        for (const TensorIndex one : {product.first, product.second}) {
            const auto difference = factorsOf(one, Kind::Sub);
            if (difference && difference->second == gate && isOnes(difference->first))
                return one;
        }
        return noTensor;
    }

    bool isOnes(TensorIndex tensor) const
    {
        const auto values = m_forms.row(tensor, std::size_t(m_cell.units));
        return values && std::ranges::all_of(*values, [](float value) { return value == 1; });
    }

    // `times` is multiplied with the gate, `rest` with 1 - gate: one of them is the state.
    Found gruOf(TensorIndex gate, TensorIndex times, TensorIndex rest)
    {
        auto update = gateOf(gate);
        if (!update || !update->opens())
            return none();
        const bool keepsByGate = times == m_cell.h;
        m_cell.kind = Kind::Gru;
        const auto candidate = gateOf(keepsByGate ? rest : times);
        if ((!keepsByGate && rest != m_cell.h) || !candidate || candidate->opens())
            return none();
        if (!keepsByGate) { // 1 - sigmoid(x) is sigmoid(-x)
            const std::size_t width = update->form.width;
            update->form.multiply(std::vector<float>(width, -1));
            if (update->ends == PortableGate::HardSigmoid)
                std::ranges::for_each(update->form.bias, [](float& value) { value += 1; });
        }
        return finishGru(*update, *candidate);
    }

    Found finishGru(const Gate& update, const Gate& candidate)
    {
        AffineForm form = candidate.form;
        std::optional<Gate> reset;
        std::vector<float> ownBias;
        for (std::size_t i = 0; i < form.products.size() && !reset; ++i)
            reset = resetInFront(form.products[i]);
        if (!reset && form.scaled.size() == 1) {
            reset = resetBehind(form, ownBias);
            m_cell.resetsAfter = reset.has_value();
        }
        if (!reset)
            return refused("its candidate is not that of a GRU");
        if (reset->ends != update.ends)
            return refused("its gates end with different activations");
        if (!form.scaled.empty() || !update.form.scaled.empty() || !reset->form.scaled.empty())
            return refused("a gate reads something without weights");
        m_cell.gates = {update.ends, candidate.ends};
        RETURN_IF_ERROR(findSources({&update.form, &reset->form, &form}));
        m_cell.bias.insert(m_cell.bias.end(), ownBias.begin(), ownBias.end());
        return std::optional(std::move(m_cell));
    }

    // Handles a candidate that reads weights * (reset * h): makes them weights of h and returns the
    // reset gate.
    std::optional<Gate> resetInFront(AffineForm::Product& product)
    {
        const auto pair = factorsOf(product.tensor, Kind::Mul);
        const TensorIndex gate = pair ? pair->beside(m_cell.h) : noTensor;
        auto reset = gate == noTensor ? std::nullopt : gateOf(gate);
        if (!reset || !reset->opens())
            return std::nullopt;
        product.tensor = m_cell.h;
        return reset;
    }

    // Handles a candidate that adds reset * (weights * h + bias).
    std::optional<Gate> resetBehind(AffineForm& form, std::vector<float>& ownBias)
    {
        const AffineForm::Scaled& one = form.scaled.front();
        const auto pair = factorsOf(one.tensor, Kind::Mul);
        auto reset = pair ? opening(*pair) : std::nullopt;
        if (!reset || !std::ranges::all_of(one.factors, [](float value) { return value == 1; }))
            return std::nullopt;
        const AffineForm* inner = m_forms.of(reset->second);
        if (inner == nullptr || !inner->scaled.empty() || inner->products.size() != 1 ||
            inner->products.front().tensor != m_cell.h ||
            std::ranges::find(form.products, m_cell.h, &AffineForm::Product::tensor) !=
                form.products.end())
            return std::nullopt;
        ownBias = inner->bias;
        form.scaled.clear();
        form.products.push_back(inner->products.front());
        return std::move(reset->first);
    }

    AffineForms& m_forms;
    TensorIndex m_nextH;
    CellPlace m_place;
    RecurrentCell m_cell;
};

} // namespace

Result<std::optional<RecurrentCell>> findRecurrentCell(AffineForms& forms, TensorIndex h,
                                                       TensorIndex nextH, CellPlace place)
{
    return CellSearch(forms, h, nextH, place).find();
}

std::string_view recurrentName(PortableKind kind)
{
    return kind == Kind::Lstm ? "an LSTM" : kind == Kind::Gru ? "a GRU" : "an RNN";
}

Status checkTfliteCell(const RecurrentCell& cell)
{
    const auto refused = [](std::string reason) {
        return Error{ErrorCode::Unsupported, std::move(reason)};
    };
    if (cell.kind == Kind::Gru)
        return refused("TFLite has no operator for a GRU");
    if (cell.kind == Kind::Rnn)
        return cell.gates[0] == PortableGate::Tanh || cell.gates[0] == PortableGate::Relu
                   ? Status(Done{})
                   : refused("TFLite's RNN has other activations");
    if (cell.gates[0] != PortableGate::Sigmoid || cell.gates[1] != cell.gates[2])
        return refused("TFLite's LSTM has other activations");
    return Done{};
}

} // namespace lapidary
