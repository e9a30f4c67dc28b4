// SPDX-License-Identifier: Apache-2.0
#include "graph_model/portable/constant_bytes.h"

#include "graph_model/base/mapped_file.h"
#include "graph_model/portable/permute.h"

#include <cstring>
#include <functional>
#include <utility>

namespace lapidary {
namespace {

std::string timesFactors(std::string_view bytes, const std::vector<double>& factors,
                         std::size_t run)
{
    std::string result(bytes.size(), '\0');
    for (std::size_t i = 0; i < bytes.size() / sizeof(float); ++i) {
        float value = 0;
        std::memcpy(&value, bytes.data() + i * sizeof(float), sizeof(float));
        value = float(double(value) * factors[i / run % factors.size()]);
        std::memcpy(result.data() + i * sizeof(float), &value, sizeof(float));
    }
    return result;
}

} // namespace

ConstantBytes::ConstantBytes(std::string_view bytes, BufferPtr holder)
    : m_source(bytes)
    , m_holder(std::move(holder))
{
}

ConstantBytes::ConstantBytes(std::string bytes)
    : m_holder(makeBuffer(std::move(bytes)))
{
    m_source = m_holder->bytes();
}

std::string ConstantBytes::applied(const Step& step, std::string_view bytes)
{
    if (const auto* reorder = std::get_if<Reorder>(&step))
        return permuted(bytes, reorder->dims, reorder->order, reorder->elementSize);
    const auto& scale = std::get<Scale>(step);
    return timesFactors(bytes, scale.factors, scale.run);
}

ConstantBytes ConstantBytes::read() const
{
    if (isStored())
        return *this;
    std::string made = applied(m_steps.front(), m_source);
    for (std::size_t i = 1; i < m_steps.size(); ++i)
        made = applied(m_steps[i], made);
    return ConstantBytes(std::move(made));
}

ConstantBytes ConstantBytes::after(Step step) const
{
    if (size() < leastDeferred)
        return ConstantBytes(applied(step, read().view()));
    ConstantBytes result = *this;
    result.m_steps.push_back(std::move(step));
    return result;
}

ConstantBytes ConstantBytes::reordered(std::vector<std::int64_t> dims,
                                       std::vector<std::int64_t> order,
                                       std::size_t elementSize) const
{
    return after(Reorder{std::move(dims), std::move(order), elementSize});
}

ConstantBytes ConstantBytes::scaled(std::vector<double> factors, std::size_t run) const
{
    return after(Scale{std::move(factors), run});
}

void ConstantBytes::release() const
{
    if (m_holder)
        releasePages(*m_holder, m_source);
}

bool ConstantBytes::operator==(const ConstantBytes& other) const
{
    if (size() != other.size())
        return false;
    if (m_source.data() == other.m_source.data() && m_steps == other.m_steps)
        return true;
    return read().view() == other.read().view();
}

std::size_t ConstantBytes::hash() const
{
    return isStored() ? std::hash<std::string_view>()(m_source)
                      : std::hash<const char*>()(m_source.data());
}

} // namespace lapidary
