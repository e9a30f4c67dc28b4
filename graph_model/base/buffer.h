// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace lapidary {

// Read-only bytes that nodes, attributes and tensors point into: a file that was read or mapped, or
// text made in memory. Lives as long as anything refers to it.
class Buffer {
public:
    virtual ~Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::string_view bytes() const { return m_bytes; }
    // Fails if the file behind the bytes changed since it was opened. Must be called before each
    // bulk read of weights and before saving.
    virtual Status intact() const { return Done{}; }

protected:
    Buffer() = default;
    std::string_view m_bytes;
};
using BufferPtr = std::shared_ptr<const Buffer>;

// A buffer that owns a string.
class TextBuffer final : public Buffer {
public:
    explicit TextBuffer(std::string text)
        : m_text(std::move(text))
    {
        m_bytes = m_text;
    }

private:
    std::string m_text;
};

inline BufferPtr makeBuffer(std::string text)
{
    return std::make_shared<const TextBuffer>(std::move(text));
}

} // namespace lapidary
