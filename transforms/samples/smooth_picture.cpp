// SPDX-License-Identifier: Apache-2.0
#include "transforms/samples/smooth_picture.h"

namespace lapidary {

void smoothPicture(Value& picture)
{
    constexpr std::int64_t cell = 8;
    if (picture.dtype() != DType::Float || picture.rank() != 4)
        return;
    const std::int64_t height = picture.dim(1);
    const std::int64_t width = picture.dim(2);
    const std::int64_t channels = picture.dim(3);
    const auto values = picture.mutableAs<float>();
    for (std::int64_t i = 0; i < picture.elements(); ++i) {
        const std::int64_t channel = i % channels;
        const std::int64_t column = i / channels % width;
        const std::int64_t row = i / channels / width % height;
        const std::int64_t image = i / channels / width / height;
        const std::int64_t from =
            ((image * height + row / cell * cell) * width + column / cell * cell) * channels +
            channel;
        values[std::size_t(i)] = values[std::size_t(from)];
    }
}

} // namespace lapidary
