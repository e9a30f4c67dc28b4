// SPDX-License-Identifier: Apache-2.0
#include "graph_model/checkpoint/join_slices.h"

#include <algorithm>
#include <cstring>

namespace lapidary {

void joinSlices(CheckpointValue& whole, std::span<const Slice> slices,
                std::vector<CheckpointValue> parts)
{
    const std::size_t size = dtypeSize(whole.dtype); // 0 for strings
    const auto count = std::size_t(*elementCount(Shape{whole.dims, false}));
    whole.bytes.resize(count * size);
    whole.strings.resize(size == 0 ? count : 0);
    for (std::size_t i = 0; i < parts.size(); ++i)
        forEachRun(whole.dims, slices[i], [&](std::size_t to, std::size_t from, std::size_t run) {
            if (size != 0)
                std::memcpy(whole.bytes.data() + to * size, parts[i].bytes.data() + from * size,
                            run * size);
            else
                std::move(parts[i].strings.begin() + std::ptrdiff_t(from),
                          parts[i].strings.begin() + std::ptrdiff_t(from + run),
                          whole.strings.begin() + std::ptrdiff_t(to));
        });
}

} // namespace lapidary
