// SPDX-License-Identifier: Apache-2.0
// oneDNN's 8-bit product of patches that are written to memory. Its convolutions are not used,
// because they convert sums beyond 2^24 to floats.
#include "runner/int8/patches.h"
#include "runner/int8/tested.h"
#include "runner/onednn/gemm.h"
#include "runner/onednn/instructions.h"
#include "runner/threads/parallel_for.h"

namespace lapidary::int8 {
namespace {

constexpr int highestCode = 255;
constexpr int filterShift = 128;

class OneDnn final : public Prepared {
public:
    explicit OneDnn(const Convolution& shape)
        : m_c(shape)
    {
    }

    std::size_t packedBytes() const override { return std::size_t(m_c.depth() * m_c.filters); }
    void pack(const std::uint8_t* filter, std::byte* packed) const override
    {
        for (std::size_t i = 0; i < packedBytes(); ++i)
            packed[i] = std::byte(std::uint8_t(filter[i] - filterShift));
    }
    bool sharesPacked(const Prepared& other) const override
    {
        const auto* same = dynamic_cast<const OneDnn*>(&other);
        return same != nullptr && same->packedBytes() == packedBytes();
    }
    std::size_t workBytes(int /*threads*/) const override
    {
        return m_c.isMatrixProduct() ? 0 : std::size_t(m_c.outPixels() * m_c.depth());
    }
    bool takes(Zeros zeros) const override
    {
        return zeros.input >= 0 && zeros.input <= highestCode && zeros.filter >= 0 &&
               zeros.filter <= highestCode;
    }

    Status run(const Task& task) const override
    {
        const std::uint8_t* rows = task.input;
        if (!m_c.isMatrixProduct()) {
            auto* written = reinterpret_cast<std::uint8_t*>(task.work);
            writePatches(m_c, task, written);
            rows = written;
        }
        const Status done = onednn::multiply(
            onednn::CodeGemm{.rows = m_c.outPixels(),
                             .columns = m_c.filters,
                             .depth = m_c.depth(),
                             .aZero = std::uint8_t(task.zeros.input),
                             .bZero = std::int8_t(task.zeros.filter - filterShift)},
            rows, reinterpret_cast<const std::int8_t*>(task.packed), task.out);
        if (task.ranges != nullptr)
            includeRows({task.out, std::size_t(m_c.outPixels() * m_c.filters)}, *task.ranges);
        return done;
    }

private:
    Convolution m_c;
};

} // namespace

const BackEnd onednnBackEnd{
    .name = "onednn",
    .summary = "oneDNN's product of codes; needs VNNI",
    .isAvailable = [] { return onednn::instructions().vnni; },
    .prepare = [](const Convolution& shape) -> std::unique_ptr<Prepared> {
        return std::make_unique<OneDnn>(shape);
    },
    .verdict = &verdictOf<onednnBackEnd>,
};

} // namespace lapidary::int8
