#pragma once

// Private to this room: a primitive of one shape whose weights stay in the library's own layout.
#include "runner/onednn/epilogue.h"
#include "runner/onednn/guard.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace lapidary::onednn {

// The bias of so many channels, or none.
dnnl::memory::desc biasDesc(bool hasBias, std::int64_t channels);

struct PackedPrimitive {
    bool hasBias = false;
    std::int64_t channels = 0; // of the output
    dnnl::memory::desc packed; // the weights' layout
    dnnl::memory source;
    dnnl::memory target;
    int sourceArgument = DNNL_ARG_SRC;
    int targetArgument = DNNL_ARG_DST;
    dnnl::primitive primitive;
    dnnl::stream stream;

    std::size_t packedBytes() const { return packed.get_size(); }
    // Takes a copy of the weights, which lie as `plain` says, into `storage`, and of the bias.
    Status pack(const dnnl::memory::desc& plain, const float* values, const float* bias,
                std::shared_ptr<void> storage);
    // Takes the packed weights of another one where the layouts agree; else says false.
    bool sharePacked(const PackedPrimitive& other);
    Status run(const float* from, float* to);

private:
    std::shared_ptr<void> m_storage; // of the weights
    dnnl::memory m_weights;
    dnnl::memory m_bias;
    std::unordered_map<int, dnnl::memory> m_arguments;
};

} // namespace lapidary::onednn
