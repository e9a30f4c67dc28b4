// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/base/byte_sink.h"
#include "graph_model/portable/constant_bytes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

// An encoded file without its large constants, which are read one by one when it is written.
class EncodedModel {
public:
    // The position and the constant whose bytes belong there.
    struct Gap {
        std::uint64_t offset = 0;
        ConstantBytes constant;
    };

    // `frame`: the bytes of the whole file, in which those of gaps are undefined. Gaps are in
    // ascending order.
    EncodedModel(BufferPtr frame, std::vector<Gap> gaps = {});

    std::uint64_t size() const { return m_frame->bytes().size(); }
    // The frame, from which everything except the constants of gaps can be read.
    const BufferPtr& frame() const { return m_frame; }
    // Returns the values of the file for values that were read from the frame.
    ConstantBytes filledIn(const ConstantBytes& read) const;

    // Returns a source that writes the file. It does not depend on this object, and has one
    // constant at a time in memory.
    ByteSource source() const;
    // Returns the whole file. Errors, as those of the source, are those of constants whose file
    // changed.
    Result<std::string> bytes() const;

private:
    BufferPtr m_frame;
    std::vector<Gap> m_gaps;
};

} // namespace lapidary
