// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to this folder: a primitive of one shape whose weights stay in the library's own layout.
#include "runner/onednn/epilogue.h"
#include "runner/onednn/guard.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace lapidary::onednn {

// Describes the bias of `channels` channels; empty without a bias.
dnnl::memory::desc biasDesc(bool hasBias, std::int64_t channels);

struct PackedPrimitive {
    bool hasBias = false;
    std::int64_t channels = 0; // output channels
    dnnl::memory::desc packed; // the weights' layout
    dnnl::memory source;
    dnnl::memory target;
    int sourceArgument = DNNL_ARG_SRC;
    int targetArgument = DNNL_ARG_DST;
    dnnl::primitive primitive;
    dnnl::stream stream;

    std::size_t packedBytes() const { return packed.get_size(); }
    // Copies the weights, laid out as `plain` describes, into `storage`, and the bias.
    Status pack(const dnnl::memory::desc& plain, const float* values, const float* bias,
                std::shared_ptr<void> storage);
    // Shares the packed weights of another primitive of the same layout; otherwise returns false.
    bool sharePacked(const PackedPrimitive& other);
    Status run(const float* from, float* to);

private:
    std::shared_ptr<void> m_storage; // of the weights
    dnnl::memory m_weights;
    dnnl::memory m_bias;
    std::unordered_map<int, dnnl::memory> m_arguments;
};

} // namespace lapidary::onednn
