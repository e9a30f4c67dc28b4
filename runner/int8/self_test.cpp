// SPDX-License-Identifier: Apache-2.0
#include "runner/int8/tested.h"
#include "runner/threads/team_size.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lapidary::int8 {
namespace {

enum class Codes : std::uint8_t { Highest, Ends, Mixed, Small };

std::vector<std::uint8_t> codesOf(Codes kind, std::int64_t count, std::uint32_t seed)
{
    std::vector<std::uint8_t> codes;
    codes.reserve(std::size_t(count));
    std::uint32_t state = seed;
    for (std::int64_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        const auto mixed = std::uint8_t(state >> 24U);
        switch (kind) {
        case Codes::Highest: codes.push_back(255); break;
        case Codes::Ends: codes.push_back(mixed > 127 ? 255 : 0); break;
        case Codes::Mixed: codes.push_back(mixed); break;
        case Codes::Small: // as after a Relu: 32 on average, few of them large
            codes.push_back(mixed > 248 ? mixed : mixed / 4);
            break;
        }
    }
    return codes;
}

class Lines {
public:
    explicit Lines(std::size_t bytes)
        : m_bytes(bytes + line)
    {
    }
    std::byte* data()
    {
        const auto at = reinterpret_cast<std::uintptr_t>(m_bytes.data());
        return m_bytes.data() + (line - at % line) % line;
    }

private:
    static constexpr std::size_t line = 64;
    std::vector<std::byte> m_bytes;
};

bool agrees(const BackEnd& backEnd, const Convolution& shape, Zeros zeros, Codes kind)
{
    const Job job;
    const auto input = codesOf(kind, shape.batch * shape.height * shape.width * shape.channels, 17);
    const auto filter =
        codesOf(kind == Codes::Small ? Codes::Ends : kind, shape.depth() * shape.filters, 4711);
    std::vector<std::int32_t> plain(std::size_t(shape.outPixels() * shape.filters));
    std::vector<std::int32_t> sums(plain.size(), -1);
    convolvePlainly(shape, zeros, input.data(), filter.data(), plain.data(), job);
    const auto prepared = backEnd.prepare(shape);
    if (!prepared->takes(zeros))
        return true;
    Lines packed(prepared->packedBytes());
    Lines work(prepared->workBytes(parallelThreads()));
    prepared->pack(filter.data(), packed.data());
    ChannelRanges ranges(shape.filters);
    const Status ran = prepared->run({.zeros = zeros,
                                      .input = input.data(),
                                      .filter = filter.data(),
                                      .packed = packed.data(),
                                      .out = sums.data(),
                                      .work = work.data(),
                                      .ranges = &ranges,
                                      .job = &job});
    ChannelRanges wanted(shape.filters);
    includeRows(plain, wanted);
    return ran.ok() && sums == plain && ranges.least == wanted.least && ranges.most == wanted.most;
}

} // namespace

Status testBackEnd(const BackEnd& backEnd)
{
    Convolution picture{.height = 5, .width = 7, .channels = 13};
    picture.filterHeight = picture.filterWidth = 3;
    picture.filters = 37;
    picture.top = picture.left = 1;
    picture.outHeight = 5;
    picture.outWidth = 7;
    const Convolution product{
        .width = 17, .channels = 1152, .filters = 33, .outHeight = 1, .outWidth = 17};
    for (const Convolution& shape : {picture, product})
        for (const Zeros zeros : {Zeros{0, 0}, {255, 255}, {0, 255}, {117, 131}})
            for (const Codes kind : {Codes::Highest, Codes::Ends, Codes::Mixed, Codes::Small})
                if (!agrees(backEnd, shape, zeros, kind))
                    return Error{ErrorCode::Unsupported,
                                 "back end " + std::string(backEnd.name) +
                                     " gives wrong sums on this processor and is not used"};
    return Done{};
}

} // namespace lapidary::int8
