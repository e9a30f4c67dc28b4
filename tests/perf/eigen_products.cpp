// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/eigen_products.h"

#include "tests/perf/convolution_chain.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <Eigen/Core>
#if defined(__AVX512F__) || defined(__FMA__)
#include <immintrin.h>
#endif

namespace lapidary::perf {
namespace {

using Clock = std::chrono::steady_clock;
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void gatherPatches(const ResNetConv& c, const std::vector<float>& image, Matrix& patches)
{
    const std::int64_t out = c.outSize();
    const std::int64_t before = (c.kernel - c.stride + 1) / 2;
    float* to = patches.data();
    for (std::int64_t pixel = 0; pixel < out * out; ++pixel)
        for (std::int64_t tap = 0; tap < c.kernel * c.kernel; ++tap, to += c.inChannels) {
            const std::int64_t y = pixel / out * c.stride - before + tap / c.kernel;
            const std::int64_t x = pixel % out * c.stride - before + tap % c.kernel;
            if (y < 0 || y >= c.size || x < 0 || x >= c.size)
                std::memset(to, 0, std::size_t(c.inChannels) * sizeof(float));
            else
                std::memcpy(to, image.data() + (y * c.size + x) * c.inChannels,
                            std::size_t(c.inChannels) * sizeof(float));
        }
}

double seconds(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

} // namespace

double eigenResNetMilliseconds()
{
    double total = 0;
    const std::vector<float> image(std::size_t(224) * 224 * 64, 0.1F);
    for (const ResNetConv& c : resNetConvolutions()) {
        const std::int64_t depth = c.kernel * c.kernel * c.inChannels;
        const std::int64_t pixels = c.outSize() * c.outSize();
        const Matrix filter = Matrix::Constant(depth, c.outChannels, 0.001F);
        Matrix patches = Matrix::Zero(pixels, depth);
        Matrix product = Matrix::Zero(pixels, c.outChannels);
        const auto begin = Clock::now();
        if (c.kernel == 1 && c.stride == 1) {
            const Eigen::Map<const Matrix> input(image.data(), pixels, depth);
            product.noalias() = input * filter;
        } else {
            gatherPatches(c, image, patches);
            product.noalias() = patches * filter;
        }
        product = product.cwiseMax(0.0F);
        total += seconds(begin) * 1e3;
    }
    return total;
}

double fmaPeakGflops()
{
#if defined(__AVX512F__)
    constexpr int chains = 16;
    constexpr int steps = 2'000'000;
    __m512 sums[chains];
    for (auto& sum : sums)
        sum = _mm512_set1_ps(1.0F);
    const __m512 factor = _mm512_set1_ps(0.999F);
    const auto begin = Clock::now();
    for (int i = 0; i < steps; ++i)
        for (auto& sum : sums)
            sum = _mm512_fmadd_ps(sum, factor, factor);
    const double time = seconds(begin);
    __m512 all = sums[0];
    for (const auto& sum : sums)
        all = _mm512_add_ps(all, sum);
    volatile float keep = _mm512_reduce_add_ps(all);
    static_cast<void>(keep);
    return 2.0 * 16 * chains * steps / time / 1e9;
#else
    return 0;
#endif
}

} // namespace lapidary::perf
