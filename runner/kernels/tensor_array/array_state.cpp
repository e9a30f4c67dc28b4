// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns the sum of two values of one shape, for arrays that add up repeated writes.
Result<Value> sumOf(KernelContext& context, const Value& a, const Value& b)
{
    auto sum = context.allocate(a.dtype(), a.dims());
    if (!sum)
        return sum;
    const bool known = dispatch(Numbers(), a.dtype(), [&](auto zero) {
        using T = decltype(zero);
        std::ranges::transform(a.as<T>(), b.as<T>(), sum->template mutableAs<T>().begin(),
                               [](T x, T y) { return T(wrapping::add(wide(x), wide(y))); });
    });
    if (!known)
        return context.error("values of type " + dtypeName(a.dtype()) + " cannot be added");
    return sum;
}

} // namespace

Error TensorArray::fault(KernelContext& context, const std::string& text) const
{
    return context.error("TensorArray " + m_options.name + ": " + text);
}

Status TensorArray::resize(KernelContext& context, std::int64_t size)
{
    auto charge = context.session().pool.allocate(std::uint64_t(size) * sizeof(Element));
    if (!charge)
        return fault(context, charge.error().message);
    m_charge = *std::move(charge);
    m_elements.resize(std::size_t(size));
    return Done{};
}

Status TensorArray::mergeElementShape(KernelContext& context, const Shape& shape)
{
    const auto merged = mergeShapes(m_options.elementShape, shape);
    if (!merged)
        return fault(context, "the element shape " + shapeText(shape) + " contradicts its own, " +
                                  shapeText(m_options.elementShape));
    m_options.elementShape = *merged;
    return Done{};
}

Status TensorArray::checkWrite(KernelContext& context, std::int64_t index, const Value& value)
{
    const std::string at = "could not write to index " + std::to_string(index);
    if (value.dtype() != m_options.dtype)
        return fault(context, at + ": its dtype is " + dtypeName(m_options.dtype) +
                                  " but the value's is " + dtypeName(value.dtype()));
    if (!fitsShape(value.dims(), m_options.elementShape))
        return fault(context, at + ": the value's shape is " + dimsText(value.dims()) +
                                  " but its elements are " + shapeText(m_options.elementShape));
    const Element& element = m_elements[std::size_t(index)];
    if (element.read)
        return fault(context, at + ": it has already been read");
    if (element.written && !m_options.aggregates)
        return fault(context, at + ": it has already been written");
    if (element.written && element.value.dims() != value.dims())
        return fault(context, at + ": " + dimsText(value.dims()) + " cannot be added to " +
                                  dimsText(element.value.dims()));
    return Done{};
}

Status TensorArray::write(KernelContext& context, std::int64_t index, Value value)
{
    if (index < 0 || (index >= size() && !m_options.dynamicSize))
        return fault(context, "index " + std::to_string(index) + " cannot be written: it has " +
                                  std::to_string(size()) + " elements");
    if (index >= size()) {
        // Reserves memory for the next ones, so that a loop that appends is not quadratic. Only the
        // elements themselves are charged.
        if (std::size_t(index) >= m_elements.capacity() && index < (1 << 20))
            m_elements.reserve(std::size_t(index) * 2 + 1);
        RETURN_IF_ERROR(resize(context, index + 1));
    }
    RETURN_IF_ERROR(checkWrite(context, index, value));
    if (m_options.identicalShapes && !isFullyDefined(m_options.elementShape))
        m_options.elementShape = {value.dims(), false};
    Element& element = m_elements[std::size_t(index)];
    if (element.written) {
        ASSIGN_OR_RETURN(auto sum, sumOf(context, element.value, value));
        value = std::move(sum);
    }
    element.value = std::move(value);
    element.written = true;
    return Done{};
}

Result<Value> TensorArray::read(KernelContext& context, std::int64_t index)
{
    if (index < 0 || index >= size())
        return fault(context, "index " + std::to_string(index) + " cannot be read: it has " +
                                  std::to_string(size()) + " elements");
    Element& element = m_elements[std::size_t(index)];
    if (element.cleared)
        return fault(context, "index " + std::to_string(index) +
                                  " was read before and is cleared; set clear_after_read to false");
    if (!element.written) {
        if (!isFullyDefined(m_options.elementShape))
            return fault(context, "index " + std::to_string(index) +
                                      " was never written, and the element shape " +
                                      shapeText(m_options.elementShape) + " is not fully defined");
        auto zeros = zerosOf(context, m_options.dtype, m_options.elementShape.dims);
        if (!zeros)
            return zeros;
        element.value = *std::move(zeros);
        element.written = true;
    }
    element.read = true;
    if (!m_options.clearAfterRead)
        return element.value;
    element.cleared = true;
    return std::move(element.value);
}

void TensorArray::close()
{
    m_closed = true;
    m_elements.clear();
    m_elements.shrink_to_fit();
    m_charge.reset();
    m_gradients.clear();
}

std::shared_ptr<TensorArray>& TensorArray::gradient(const std::string& source)
{
    for (auto& [name, array] : m_gradients)
        if (name == source)
            return array;
    return m_gradients.emplace_back(source, nullptr).second;
}

} // namespace lapidary
