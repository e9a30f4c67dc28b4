// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/recurrent/affine_form.h"

#include <algorithm>

namespace lapidary {
namespace {

using Kind = PortableKind;

// Adds the tensors that a tensor concatenates, with their widths. A concatenation that is deeper or
// has more parts than any cell's is one part.
void addParts(const AffineForms& forms, TensorIndex tensor,
              std::vector<std::pair<TensorIndex, std::size_t>>& parts, std::size_t depth = 0)
{
    constexpr std::size_t mostParts = 64;
    constexpr std::size_t mostDepth = 8;
    const PortableTensor& read = forms.model().at(tensor);
    const PortableOperation* made = forms.maker(tensor);
    if (made != nullptr && made->kind == Kind::Concat && made->parameters.axis == 1 &&
        depth < mostDepth && made->inputs.size() <= mostParts && parts.size() < mostParts) {
        for (const TensorIndex input : made->inputs)
            addParts(forms, input, parts, depth + 1);
        return;
    }
    parts.emplace_back(tensor, std::size_t(read.dims.back()));
}

bool isRows(const PortableTensor& tensor)
{
    return tensor.dtype == DType::Float && tensor.dims.size() == 2 && !tensor.isOpen();
}

std::vector<float> columnsOf(const std::vector<float>& values, std::size_t width, std::size_t first,
                             std::size_t count)
{
    std::vector<float> part;
    part.reserve(width == 0 ? 0 : values.size() / width * count);
    for (std::size_t row = 0; row + width <= values.size(); row += width)
        part.insert(part.end(), values.begin() + std::ptrdiff_t(row + first),
                    values.begin() + std::ptrdiff_t(row + first + count));
    return part;
}

void addTo(std::vector<float>& sum, const std::vector<float>& other)
{
    std::ranges::transform(sum, other, sum.begin(), std::plus());
}

} // namespace

void AffineForm::multiply(const std::vector<float>& factors)
{
    for (Product& product : products)
        for (std::size_t i = 0; i < product.weights.size(); ++i)
            product.weights[i] *= factors[i % width];
    for (Scaled& one : scaled)
        std::ranges::transform(one.factors, factors, one.factors.begin(), std::multiplies());
    std::ranges::transform(bias, factors, bias.begin(), std::multiplies());
}

void AffineForm::add(const AffineForm& other)
{
    for (const Product& product : other.products) {
        const auto same = std::ranges::find(products, product.tensor, &Product::tensor);
        if (same == products.end())
            products.push_back(product);
        else
            addTo(same->weights, product.weights);
    }
    for (const Scaled& one : other.scaled) {
        const auto same = std::ranges::find(scaled, one.tensor, &Scaled::tensor);
        if (same == scaled.end())
            scaled.push_back(one);
        else
            addTo(same->factors, one.factors);
    }
    addTo(bias, other.bias);
}

AffineForm AffineForm::columns(std::size_t first, std::size_t count) const
{
    AffineForm part;
    part.width = count;
    for (const Product& product : products)
        part.products.push_back({product.tensor, columnsOf(product.weights, width, first, count)});
    for (const Scaled& one : scaled)
        part.scaled.push_back({one.tensor, columnsOf(one.factors, width, first, count)});
    part.bias = columnsOf(bias, width, first, count);
    return part;
}

AffineForms::AffineForms(const PortableModel& model)
    : m_model(model)
    , m_makers(model.tensors.size())
{
    for (const PortableOperation& operation : model.operations)
        for (const TensorIndex output : operation.outputs)
            m_makers[std::size_t(output)] = &operation;
}

const PortableOperation* AffineForms::maker(TensorIndex tensor) const
{
    return tensor == noTensor ? nullptr : m_makers[std::size_t(tensor)];
}

std::optional<std::vector<float>> AffineForms::row(TensorIndex tensor, std::size_t width) const
{
    constexpr std::int64_t most = 1 << 24; // elements, far more than any cell has
    if (!m_model.isConstant(tensor))
        return std::nullopt;
    const PortableTensor& constant = m_model.at(tensor);
    const std::int64_t count = constant.elements();
    if (constant.dtype != DType::Float || count < 1 || count > most ||
        (count != 1 && constant.dims.back() != std::int64_t(width)))
        return std::nullopt;
    std::vector<float> values = floatsOf(constant);
    if (values.size() == 1)
        values.assign(width, values.front());
    for (std::size_t i = width; i < values.size(); ++i)
        if (values[i] != values[i - width])
            return std::nullopt;
    values.resize(std::min(values.size(), width));
    return values.size() == width ? std::optional(std::move(values)) : std::nullopt;
}

const AffineForm* AffineForms::of(TensorIndex tensor)
{
    if (tensor == noTensor || !isRows(m_model.at(tensor)) || m_model.isConstant(tensor))
        return nullptr;
    if (const auto known = m_known.find(tensor); known != m_known.end())
        return known->second ? &*known->second : nullptr;
    std::optional<AffineForm> form;
    if (const PortableOperation* made = maker(tensor);
        made != nullptr && made->activation == PortableActivation::None && tensor != m_whole)
        form = computed(*made, tensor);
    if (!form) {
        const auto width = std::size_t(m_model.at(tensor).dims[1]);
        form.emplace();
        form->width = width;
        form->scaled.push_back({tensor, std::vector<float>(width, 1)});
        form->bias.assign(width, 0);
    }
    return &*m_known.insert_or_assign(tensor, std::move(form)).first->second;
}

std::optional<AffineForm> AffineForms::computed(const PortableOperation& made, TensorIndex tensor)
{
    switch (made.kind) {
    case Kind::FullyConnected: return productOf(made);
    case Kind::Add: return sumOf(made, 1);
    case Kind::Sub: return sumOf(made, -1);
    case Kind::Mul: return scaledBy(made);
    case Kind::Copy:
    case Kind::Reshape:
    case Kind::Split:
    case Kind::StridedSlice: return partOf(tensor);
    default: return std::nullopt;
    }
}

// Returns a tensor times weights; if it is a variable times factors, as with the mask of a dropout
// that does nothing, the variable times other weights.
AffineForm::Product AffineForms::scaledProduct(TensorIndex tensor, std::vector<float> weights)
{
    const AffineForm* inner = of(tensor);
    const bool isScaled = inner != nullptr && inner->products.empty() &&
                          inner->scaled.size() == 1 &&
                          std::ranges::all_of(inner->bias, [](float value) { return value == 0; });
    if (!isScaled)
        return {tensor, std::move(weights)};
    const std::vector<float>& factors = inner->scaled.front().factors;
    const std::size_t width = weights.size() / std::max<std::size_t>(factors.size(), 1);
    for (std::size_t i = 0; i < factors.size() * width; ++i)
        weights[i] *= factors[i / width];
    return {inner->scaled.front().tensor, std::move(weights)};
}

std::optional<AffineForm> AffineForms::productOf(const PortableOperation& layer)
{
    const PortableTensor& weights = m_model.at(layer.inputs[1]);
    if (!isRows(m_model.at(layer.inputs[0])) || weights.dims.size() != 2 || !weights.isConstant ||
        weights.dtype != DType::Float)
        return std::nullopt;
    AffineForm form;
    form.width = std::size_t(weights.dims[1]);
    form.bias.assign(form.width, 0);
    if (layer.input(2) != noTensor) {
        const auto bias = row(layer.inputs[2], form.width);
        if (!bias)
            return std::nullopt;
        form.bias = *bias;
    }
    std::vector<std::pair<TensorIndex, std::size_t>> parts;
    addParts(*this, layer.inputs[0], parts);
    const std::vector<float> values = floatsOf(weights);
    auto from = values.begin();
    for (const auto& [tensor, rows] : parts) {
        const auto count = std::ptrdiff_t(rows * form.width);
        if (values.end() - from < count)
            return std::nullopt;
        AffineForm part;
        part.width = form.width;
        part.bias.assign(form.width, 0);
        part.products.push_back(scaledProduct(tensor, {from, from + count}));
        form.add(part);
        from += count;
    }
    return form;
}

std::optional<AffineForm> AffineForms::sumOf(const PortableOperation& sum, float sign)
{
    std::optional<AffineForm> form;
    const PortableTensor& made = m_model.at(sum.outputs[0]);
    if (!isRows(made))
        return std::nullopt;
    const auto width = std::size_t(made.dims[1]);
    for (std::size_t slot = 0; slot < 2; ++slot) {
        const TensorIndex input = sum.inputs[slot];
        AffineForm part;
        if (const auto constant = row(input, width)) {
            part.width = width;
            part.bias = *constant;
        } else if (const AffineForm* known = of(input);
                   known != nullptr && m_model.at(input).dims == made.dims) {
            part = *known;
        } else {
            return std::nullopt;
        }
        if (slot == 1 && sign != 1)
            part.multiply(std::vector<float>(width, sign));
        if (form)
            form->add(part);
        else
            form = std::move(part);
    }
    return form;
}

std::optional<AffineForm> AffineForms::scaledBy(const PortableOperation& product)
{
    const PortableTensor& made = m_model.at(product.outputs[0]);
    if (!isRows(made))
        return std::nullopt;
    for (const std::size_t slot : {0U, 1U}) {
        const auto factors = row(product.inputs[slot], std::size_t(made.dims[1]));
        const TensorIndex other = product.inputs[1 - slot];
        if (!factors)
            continue;
        const AffineForm* known = of(other);
        if (known == nullptr || m_model.at(other).dims != made.dims)
            return std::nullopt;
        AffineForm form = *known;
        form.multiply(*factors);
        return form;
    }
    return std::nullopt;
}

std::optional<AffineForms::Columns> AffineForms::columnsOf(TensorIndex tensor) const
{
    const PortableOperation* made = maker(tensor);
    if (made == nullptr || !isRows(m_model.at(tensor)) || !isRows(m_model.at(made->inputs[0])))
        return std::nullopt;
    const PortableTensor& part = m_model.at(tensor);
    const PortableTensor& whole = m_model.at(made->inputs[0]);
    Columns columns{made->inputs[0], 0, std::size_t(part.dims[1])};
    const PortableParameters& p = made->parameters;
    if (made->kind == Kind::Split && p.axis == 1) {
        for (std::size_t port = 0; made->outputs[port] != tensor; ++port)
            columns.first += std::size_t(p.sizes[port]);
    } else if (made->kind == Kind::StridedSlice && p.begin.size() == 2 && p.begin[0] == 0 &&
               p.step == std::vector<std::int64_t>{1, 1}) {
        columns.first = std::size_t(p.begin[1]);
    } else if ((made->kind != Kind::Copy && made->kind != Kind::Reshape) ||
               part.dims != whole.dims) {
        return std::nullopt;
    }
    const bool fits = part.dims[0] == whole.dims[0] &&
                      columns.first + columns.count <= std::size_t(whole.dims[1]);
    return fits ? std::optional(columns) : std::nullopt;
}

void AffineForms::standsForItself(TensorIndex tensor)
{
    if (m_whole == tensor)
        return;
    m_whole = tensor;
    m_known.clear();
}

// Returns the form of some columns of another tensor. Those of a variable are its product with a
// matrix that selects them: a cell may get the products of its input with all gates in one tensor.
std::optional<AffineForm> AffineForms::partOf(TensorIndex tensor)
{
    const auto columns = columnsOf(tensor);
    const AffineForm* form = columns ? of(columns->whole) : nullptr;
    if (form == nullptr)
        return std::nullopt;
    const bool isVariable = form->products.empty() && form->scaled.size() == 1 &&
                            form->scaled.front().tensor == columns->whole;
    if (!isVariable || columns->count == form->width)
        return form->columns(columns->first, columns->count);
    AffineForm part;
    part.width = columns->count;
    part.bias.assign(part.width, 0);
    std::vector<float> selection(form->width * part.width, 0);
    for (std::size_t i = 0; i < part.width; ++i)
        selection[(columns->first + i) * part.width + i] = 1;
    part.products.push_back({columns->whole, std::move(selection)});
    return part;
}

} // namespace lapidary
