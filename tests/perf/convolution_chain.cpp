// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/convolution_chain.h"

#include <algorithm>

namespace lapidary::perf {

std::vector<ResNetConv> resNetConvolutions()
{
    std::vector<ResNetConv> all{{224, 3, 64, 7, 2, false, true}};
    std::int64_t in = 64;
    std::int64_t size = 56;
    const std::vector<std::pair<int, std::int64_t>> blocks{{3, 64}, {4, 128}, {6, 256}, {3, 512}};
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        const auto [units, depth] = blocks[block];
        for (int unit = 0; unit < units; ++unit) {
            const bool isLast = unit + 1 == units && block + 1 < blocks.size();
            const std::int64_t stride = isLast ? 2 : 1;
            if (unit == 0)
                all.push_back({size, in, depth * 4, 1, stride, false, false});
            all.push_back({size, in, depth, 1, 1, false, true});
            all.push_back({size, depth, depth, 3, stride, false, true});
            size = (size + stride - 1) / stride;
            all.push_back({size, depth, depth * 4, 1, 1, true, true});
            in = depth * 4;
        }
    }
    return all;
}

ConvolutionChain::ConvolutionChain(int threads)
    : m_threads(threads)
    , m_buffers(3)
{
    const ThreadTeam team(threads);
    constexpr std::size_t largest = std::size_t(112) * 112 * 64;
    for (auto& buffer : m_buffers)
        buffer.assign(largest * 2, 0.1F);
    for (const ResNetConv& c : resNetConvolutions()) {
        const std::int64_t out = c.outSize();
        const onednn::ConvShape shape{
            .input = {1, c.size, c.size, c.inChannels},
            .output = {1, out, out, c.outChannels},
            .kernel = {c.kernel, c.kernel},
            .stride = {c.stride, c.stride},
            .padBefore = {(c.kernel - c.stride + 1) / 2, (c.kernel - c.stride + 1) / 2}};
        const onednn::Epilogue epilogue{.bias = true,
                                        .addToOutput = c.addsShortcut,
                                        .activation = c.relu ? onednn::Activation::Relu
                                                             : onednn::Activation::None};
        auto made = onednn::Convolution::make(shape, epilogue);
        const std::vector<float> filter(
            std::size_t(c.kernel * c.kernel * c.inChannels * c.outChannels), 0.001F);
        const std::vector<float> bias(std::size_t(c.outChannels), 0.0F);
        if (!made)
            continue;
        auto storage = m_pool.allocate(made->packedBytes());
        if (storage && made->pack(filter.data(), bias.data(), storage.value()).ok())
            m_convolutions.push_back(*std::move(made));
    }
}

void ConvolutionChain::run()
{
    const ThreadTeam team(m_threads);
    std::size_t at = 0;
    for (onednn::Convolution& convolution : m_convolutions) {
        static_cast<void>(
            convolution.run(m_buffers[at % 3].data(), m_buffers[(at + 1) % 3].data()));
        ++at;
    }
}

} // namespace lapidary::perf
