// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/value_store.h"

#include "app/boxed/value_message.h"

namespace lapidary {

void ValueStore::setLimit(std::uint64_t bytes)
{
    m_limit = bytes;
    shrink(0);
}

void ValueStore::shrink(std::uint64_t room)
{
    while (!m_kept.empty() && m_bytes + room > m_limit) {
        m_bytes -= m_kept.back().bytes;
        m_byTensor.erase(m_kept.back().tensor);
        m_kept.pop_back();
        ++m_letGo;
    }
}

void ValueStore::put(const std::string& tensor, const Value& value, std::uint64_t times)
{
    const auto old = m_byTensor.find(tensor);
    if (old != m_byTensor.end()) {
        m_bytes -= old->second->bytes;
        m_kept.erase(old->second);
        m_byTensor.erase(old);
    }
    const std::uint64_t bytes = bytesHeldBy(value);
    if (bytes > m_limit) {
        ++m_letGo;
        return;
    }
    shrink(bytes);
    m_kept.push_front({tensor, value, bytes, times});
    m_byTensor[tensor] = m_kept.begin();
    m_bytes += bytes;
}

const Value* ValueStore::find(const std::string& tensor)
{
    const auto found = m_byTensor.find(tensor);
    if (found == m_byTensor.end())
        return nullptr;
    m_kept.splice(m_kept.begin(), m_kept, found->second);
    return &found->second->value;
}

std::uint64_t ValueStore::timesOf(const std::string& tensor) const
{
    const auto found = m_byTensor.find(tensor);
    return found == m_byTensor.end() ? 0 : found->second->times;
}

void ValueStore::clear()
{
    m_kept.clear();
    m_byTensor.clear();
    m_bytes = 0;
    m_letGo = 0;
}

TensorValues ValueStore::known() const
{
    TensorValues values;
    for (const Kept& kept : m_kept)
        if (kept.times == 0)
            values.emplace(kept.tensor, kept.value);
    return values;
}

} // namespace lapidary
