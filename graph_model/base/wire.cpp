// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"

#include <cstring>

namespace lapidary {

void WireWriter::varint(std::uint32_t field, std::uint64_t value)
{
    appendVarint(m_out, std::uint64_t(field) << 3);
    appendVarint(m_out, value);
}

void WireWriter::fixed32(std::uint32_t field, std::uint32_t value)
{
    appendVarint(m_out, (std::uint64_t(field) << 3) | 5);
    char raw[4];
    std::memcpy(raw, &value, 4);
    m_out.append(raw, 4);
}

void WireWriter::bytes(std::uint32_t field, std::string_view value)
{
    appendVarint(m_out, (std::uint64_t(field) << 3) | 2);
    appendVarint(m_out, value.size());
    m_out.append(value);
}

} // namespace lapidary
