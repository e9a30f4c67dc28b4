// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/onednn/epilogue.h"

#include <array>
#include <cstdint>
#include <memory>

namespace lapidary::onednn {

enum class ConvKind : std::uint8_t {
    Dense,      // filter [h, w, input channels, output channels]
    Depthwise,  // filter [h, w, input channels, multiplier]
    Transposed, // the gradient of Dense: `input` and `output` are those of the forward convolution
};

// One float convolution. Activations are NHWC; ConvKind has the filter's layout, which is
// TensorFlow's. Padding at the end follows from the output's size.
struct ConvShape {
    ConvKind kind = ConvKind::Dense;
    std::array<std::int64_t, 4> input{};
    std::array<std::int64_t, 4> output{};
    std::array<std::int64_t, 2> kernel{};
    std::array<std::int64_t, 2> stride{1, 1};
    std::array<std::int64_t, 2> dilation{1, 1};
    std::array<std::int64_t, 2> padBefore{};

    bool operator==(const ConvShape&) const = default;
};

// A convolution of one shape, with its filter in the library's own layout. No size may be 0.
class Convolution {
public:
    static Result<Convolution> make(const ConvShape& shape, const Epilogue& epilogue);
    ~Convolution();
    Convolution(Convolution&&) noexcept;
    Convolution& operator=(Convolution&&) noexcept;

    std::size_t packedBytes() const;
    // Copies the filter into `storage`, which has packedBytes() and is kept, and the bias if the
    // epilogue has one.
    Status pack(const float* filter, const float* bias, std::shared_ptr<void> storage);
    // Shares the packed filter of another shape if the layouts agree; otherwise returns false.
    bool sharePacked(const Convolution& other);
    Status run(const float* input, float* output);

private:
    struct Impl;
    explicit Convolution(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace lapidary::onednn
