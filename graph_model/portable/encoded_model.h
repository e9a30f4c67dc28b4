// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/base/byte_sink.h"
#include "graph_model/portable/constant_bytes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

// An encoded file without its large constants: they are read when it is written, one after the
// other.
class EncodedModel {
public:
    // The constant whose bytes begin there.
    struct Gap {
        std::uint64_t offset = 0;
        ConstantBytes constant;
    };

    // The bytes of the whole file; those within a gap say nothing. Gaps are in ascending order.
    EncodedModel(BufferPtr frame, std::vector<Gap> gaps = {});

    std::uint64_t size() const { return m_frame->bytes().size(); }
    // Everything but the constants of gaps can be read from it.
    const BufferPtr& frame() const { return m_frame; }
    // Returns values that were read from the frame as they will be in the file.
    ConstantBytes filledIn(const ConstantBytes& read) const;

    // Returns a source that writes the file. Valid on its own; holds one constant at a time in
    // memory.
    ByteSource source() const;
    // The whole file in memory. Its errors, as those of the source, are those of constants whose
    // file changed.
    Result<std::string> bytes() const;

private:
    BufferPtr m_frame;
    std::vector<Gap> m_gaps;
};

} // namespace lapidary
