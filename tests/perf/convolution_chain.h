// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/onednn/convolution.h"
#include "runner/threads/thread_team.h"
#include "runner/values/memory_pool.h"

#include <vector>

namespace lapidary::perf {

constexpr double resNetGflop = 7.71;

// One of the 53 convolutions of ResNet-50 v1 at 224 x 224: their sum is a lower bound for a whole
// run.
struct ResNetConv {
    std::int64_t size;
    std::int64_t inChannels;
    std::int64_t outChannels;
    std::int64_t kernel;
    std::int64_t stride;
    bool addsShortcut;
    bool relu;

    std::int64_t outSize() const { return (size + stride - 1) / stride; }
};
std::vector<ResNetConv> resNetConvolutions();

// Runs the 53 primitives one after the other, with bias, shortcut sums and activations, and packed
// weights.
class ConvolutionChain {
public:
    explicit ConvolutionChain(int threads);
    void run();

private:
    int m_threads = 1;
    MemoryPool m_pool{std::uint64_t(1) << 30};
    std::vector<onednn::Convolution> m_convolutions;
    std::vector<std::vector<float>> m_buffers; // three buffers, used in turn
};

} // namespace lapidary::perf
