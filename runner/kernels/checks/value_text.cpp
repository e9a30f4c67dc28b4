// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/checks/value_text.h"

#include "graph_model/base/text.h"
#include "runner/kernels/dispatch.h"

#include <charconv>
#include <cstdio>
#include <cstring>

namespace lapidary {
namespace {

// Writes few digits if they read back as the same number, else as many as can be needed.
template <class T>
std::string floatText(T number, int few, int many)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", few, double(number));
    T back{};
    const auto read = std::from_chars(text, text + std::strlen(text), back);
    if (number == number && (read.ec != std::errc() || back != number))
        std::snprintf(text, sizeof text, "%.*g", many, double(number));
    return number != number ? "nan" : text;
}

class Summary {
public:
    Summary(const Value& value, std::int64_t limit)
        : m_value(value)
        , m_left(limit < 0 ? INT64_MAX : limit)
    {
    }

    std::string text()
    {
        if (m_value.elements() == 0)
            return {};
        if (m_left <= 0)
            return "...";
        if (m_value.rank() == 0) {
            add();
            return m_out;
        }
        write();
        if (m_at < std::size_t(m_value.elements()))
            m_out += "...";
        return m_out;
    }

private:
    void add()
    {
        m_out += elementText(m_value, m_at++);
        --m_left;
    }

    void write()
    {
        const std::size_t rank = m_value.dims().size();
        std::vector<std::int64_t> index(rank, 0);
        const std::size_t inner = rank - 1;
        bool cut = false;
        m_out.append(inner, '[');
        while (m_at < std::size_t(m_value.elements())) {
            if (m_left <= 0) {
                cut = true;
                break;
            }
            if (index[inner] > 0)
                m_out += ' ';
            add();
            if (!step(index))
                return;
        }
        if (cut)
            closeAfterCut(index);
    }

    // Moves to the next element: closes the rows that end and opens those that begin. Returns false
    // after the last one.
    bool step(std::vector<std::int64_t>& index)
    {
        std::size_t axis = index.size();
        std::size_t ended = 0;
        while (axis-- > 0) {
            if (++index[axis] < m_value.dims()[axis])
                break;
            index[axis] = 0;
            ++ended;
            if (axis == 0) {
                m_out.append(ended - 1, ']');
                return false;
            }
        }
        m_out.append(ended, ']');
        if (ended > 0 && m_left > 0)
            m_out.append(ended, '[');
        else if (ended > 0)
            m_pendingOpen = ended;
        return true;
    }

    // Writes dots and the closing brackets after the limit was reached in the middle of a row.
    void closeAfterCut(const std::vector<std::int64_t>& index)
    {
        const std::size_t inner = index.size() - 1;
        if (inner == 0)
            return;
        if (m_pendingOpen == 0)
            m_out += "...";
        m_out.append(inner - std::min(inner, m_pendingOpen), ']');
    }

    const Value& m_value;
    std::int64_t m_left;
    std::size_t m_at = 0;
    std::size_t m_pendingOpen = 0;
    std::string m_out;
};

// Writes the part of a tensor at one index of each outer axis. Recurses as deep as the rank.
void writeEdges(const Value& value, std::size_t axis, std::size_t offset, std::int64_t edge,
                std::string& out)
{
    if (axis == value.dims().size()) {
        out += elementText(value, offset);
        return;
    }
    std::size_t stride = 1;
    for (std::size_t k = axis + 1; k < value.dims().size(); ++k)
        stride *= std::size_t(value.dims()[k]);
    const std::int64_t size = value.dims()[axis];
    const bool isInner = axis + 1 == value.dims().size();
    const bool isCut = edge >= 0 && edge < size - edge;
    const std::string gap = isInner ? " " : "\n" + std::string(axis + 1, ' ');
    out += '[';
    for (std::int64_t i = 0; i < size; ++i) {
        if (i > 0)
            out += gap;
        if (isCut && i == edge) {
            out += "...";
            i = size - edge - 1;
            continue;
        }
        writeEdges(value, axis + 1, offset + std::size_t(i) * stride, edge, out);
    }
    out += ']';
}

} // namespace

std::string edgesText(const Value& value, std::int64_t edge)
{
    std::string out;
    if (value.elements() == 0)
        return "[]";
    writeEdges(value, 0, 0, edge, out);
    return out;
}

std::string elementText(const Value& value, std::size_t i)
{
    switch (value.dtype()) {
    case DType::String: return escapedBytes(value.strings()[i]);
    case DType::Bool: return value.as<bool>()[i] ? "1" : "0";
    case DType::Float: return floatText(value.as<float>()[i], 6, 9);
    case DType::Double: return floatText(value.as<double>()[i], 15, 17);
    case DType::Half: return floatText(float(value.as<Half>()[i]), 6, 9);
    case DType::QInt8: return std::to_string(value.as<std::int8_t>()[i]);
    case DType::QUInt8: return std::to_string(value.as<std::uint8_t>()[i]);
    case DType::QInt16: return std::to_string(value.as<std::int16_t>()[i]);
    case DType::QUInt16: return std::to_string(value.as<std::uint16_t>()[i]);
    case DType::QInt32: return std::to_string(value.as<std::int32_t>()[i]);
    default: break;
    }
    std::string text = "?";
    dispatch(Integers(), value.dtype(), [&](auto zero) {
        using T = decltype(zero);
        text = std::to_string(value.as<T>()[i]);
    });
    return text;
}

std::string summaryText(const Value& value, std::int64_t limit)
{
    return Summary(value, limit).text();
}

} // namespace lapidary
