// SPDX-License-Identifier: Apache-2.0
#include "graph_model/portable/constant_bytes.h"

#include "graph_model/base/clamped_cast.h"
#include "graph_model/base/hash.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/portable/permute.h"
#include "graph_model/tensor/narrow_float.h"

#include <algorithm>
#include <cmath>
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

float floatAt(std::string_view bytes, std::size_t place)
{
    float value = 0;
    std::memcpy(&value, bytes.data() + place * sizeof(float), sizeof(float));
    return value;
}

std::string halvesOf(std::string_view bytes)
{
    std::string result(bytes.size() / 2, '\0');
    for (std::size_t i = 0; i < bytes.size() / sizeof(float); ++i) {
        const std::uint16_t bits = Half(floatAt(bytes, i)).bits;
        std::memcpy(result.data() + i * sizeof(bits), &bits, sizeof(bits));
    }
    return result;
}

std::string codesOf(std::string_view bytes, const std::vector<float>& scales, std::size_t run,
                    float limit)
{
    std::string result(bytes.size() / sizeof(float), '\0');
    for (std::size_t i = 0; i < result.size(); ++i) {
        const float code = std::round(floatAt(bytes, i) / scales[i / run % scales.size()]);
        result[i] = char(clampedTo<std::int8_t>(std::clamp(code, -limit, limit)));
    }
    return result;
}

std::size_t joined(std::size_t a, std::size_t b)
{
    return (a ^ b) * goldenRatio64 + (b >> 7U);
}

template <class T>
std::size_t hashOfAll(const std::vector<T>& values)
{
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(T));
    return std::hash<std::string_view>()(bytes);
}

} // namespace

ConstantBytes::ConstantBytes(std::string_view bytes, BufferPtr holder)
    : m_source(bytes)
    , m_size(bytes.size())
    , m_holder(std::move(holder))
{
}

ConstantBytes::ConstantBytes(std::string bytes)
    : m_holder(makeBuffer(std::move(bytes)))
{
    m_source = m_holder->bytes();
    m_size = m_source.size();
}

std::string ConstantBytes::applied(const Step& step, std::string_view bytes)
{
    if (const auto* reorder = std::get_if<Reorder>(&step))
        return permuted(bytes, reorder->dims, reorder->order, reorder->elementSize);
    if (std::holds_alternative<Halve>(step))
        return halvesOf(bytes);
    if (const auto* code = std::get_if<Code>(&step))
        return codesOf(bytes, code->scales, code->run, code->limit);
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

ConstantBytes ConstantBytes::after(Step step, std::size_t size) const
{
    if (size < leastDeferred)
        return ConstantBytes(applied(step, read().view()));
    ConstantBytes result = *this;
    result.m_size = size;
    result.m_steps.push_back(std::move(step));
    return result;
}

ConstantBytes ConstantBytes::reordered(std::vector<std::int64_t> dims,
                                       std::vector<std::int64_t> order,
                                       std::size_t elementSize) const
{
    return after(Reorder{std::move(dims), std::move(order), elementSize}, size());
}

ConstantBytes ConstantBytes::scaled(std::vector<double> factors, std::size_t run) const
{
    return after(Scale{std::move(factors), run}, size());
}

ConstantBytes ConstantBytes::halved() const
{
    return after(Halve{}, size() / 2);
}

ConstantBytes ConstantBytes::coded(std::vector<float> scales, std::size_t run, float limit) const
{
    return after(Code{std::move(scales), run, limit}, size() / sizeof(float));
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

// Includes the steps, so that weights that many layers share, each with other steps, are not read
// to compare each layer with all others.
std::size_t ConstantBytes::hash() const
{
    if (isStored())
        return std::hash<std::string_view>()(m_source);
    const auto hashOf = [](const Step& step) {
        if (const auto* reorder = std::get_if<Reorder>(&step))
            return joined(hashOfAll(reorder->dims), hashOfAll(reorder->order));
        if (const auto* scale = std::get_if<Scale>(&step))
            return joined(hashOfAll(scale->factors), scale->run);
        if (const auto* code = std::get_if<Code>(&step))
            return joined(hashOfAll(code->scales), code->run);
        return step.index();
    };
    std::size_t hash = std::hash<const char*>()(m_source.data());
    for (const Step& step : m_steps)
        hash = joined(hash, hashOf(step));
    return hash;
}

} // namespace lapidary
