// SPDX-License-Identifier: Apache-2.0
// Every back end compared with plain sums: random and extreme codes, odd sizes, any zero points.
#include "runner/int8/back_end.h"
#include "runner/int8/own/own.h"
#include "runner/int8/tested.h"
#include "runner/onednn/instructions.h"
#include "runner/threads/team_size.h"
#include "tests/catch.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace lapidary::int8 {
namespace {

struct Shape {
    std::int64_t batch, height, width, channels, filterSize, filters, stride;
    bool same;
};

Convolution convolutionOf(const Shape& s)
{
    Convolution c{.batch = s.batch, .height = s.height, .width = s.width, .channels = s.channels};
    c.filterHeight = c.filterWidth = s.filterSize;
    c.filters = s.filters;
    c.stride = s.stride;
    const auto axis = [&](std::int64_t size, std::int64_t& out, std::int64_t& before) {
        out = s.same ? (size + s.stride - 1) / s.stride : (size - s.filterSize) / s.stride + 1;
        before =
            s.same ? std::max<std::int64_t>(0, (out - 1) * s.stride + s.filterSize - size) / 2 : 0;
    };
    axis(s.height, c.outHeight, c.top);
    axis(s.width, c.outWidth, c.left);
    return c;
}

const Shape shapes[] = {{1, 1, 1, 1, 1, 1, 1, true},       {2, 13, 15, 3, 3, 5, 1, true},
                        {1, 13, 7, 127, 1, 17, 1, true},   {1, 15, 13, 16, 3, 33, 2, false},
                        {3, 5, 6, 13, 2, 64, 2, true},     {1, 3, 3, 2, 5, 3, 1, true},
                        {1, 17, 15, 1, 1, 31, 3, true},    {1, 8, 8, 64, 3, 15, 1, false},
                        {1, 1, 127, 128, 1, 127, 1, true}, {1, 1, 1, 2048, 1, 100, 1, true},
                        {2, 7, 7, 32, 1, 96, 2, true},     {1, 20, 9, 3, 7, 40, 2, true}};

enum class Codes : std::uint8_t { Random, Highest, Ends, Small, Raised };

std::vector<std::uint8_t> codesOf(Codes kind, std::int64_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<std::uint8_t> codes(std::size_t(count), 255);
    for (std::uint8_t& code : codes) {
        const auto any = std::uint8_t(random());
        if (kind == Codes::Random)
            code = any;
        else if (kind == Codes::Ends)
            code = (any & 1U) * 255U;
        else if (kind == Codes::Small)
            code = any > 248 ? any : any / 4;
        else if (kind == Codes::Raised)
            code = 117 + (any > 248 ? 138 : any / 8);
    }
    return codes;
}

using Lines = std::unique_ptr<std::byte, void (*)(void*)>;

Lines linesOf(std::size_t bytes)
{
    constexpr std::size_t line = 64;
    return {static_cast<std::byte*>(std::aligned_alloc(line, (bytes / line + 1) * line)),
            std::free};
}

struct Sums {
    std::vector<std::int32_t> sums;
    ChannelRanges ranges;
};

Sums sumsOf(const Prepared& prepared, const Convolution& c, Zeros zeros,
            const std::vector<std::uint8_t>& input, const std::vector<std::uint8_t>& filter)
{
    const Job job;
    Sums out{std::vector<std::int32_t>(std::size_t(c.outPixels() * c.filters), -7),
             ChannelRanges(c.filters)};
    const Lines packed = linesOf(prepared.packedBytes());
    const Lines work = linesOf(prepared.workBytes(parallelThreads()));
    prepared.pack(filter.data(), packed.get());
    const Status ran = prepared.run({.zeros = zeros,
                                     .input = input.data(),
                                     .filter = filter.data(),
                                     .packed = packed.get(),
                                     .out = out.sums.data(),
                                     .work = work.get(),
                                     .ranges = &out.ranges,
                                     .job = &job});
    CHECK(ran.ok());
    return out;
}

void checkRanges(const Sums& sums, std::int64_t filters)
{
    for (std::int64_t k = 0; k < filters; ++k) {
        auto [least, most] = std::pair(sums.sums[std::size_t(k)], sums.sums[std::size_t(k)]);
        for (auto i = std::size_t(k); i < sums.sums.size(); i += std::size_t(filters)) {
            least = std::min(least, sums.sums[i]);
            most = std::max(most, sums.sums[i]);
        }
        CHECK(sums.ranges.least[std::size_t(k)] == least);
        CHECK(sums.ranges.most[std::size_t(k)] == most);
    }
}

using Prepare = std::unique_ptr<Prepared> (*)(const Convolution&);

void agreesWithPlain(Prepare prepare)
{
    for (const Shape& shape : shapes)
        for (const Codes kind :
             {Codes::Random, Codes::Highest, Codes::Ends, Codes::Small, Codes::Raised})
            for (const Zeros zeros : {Zeros{0, 0},
                                      {255, 255},
                                      {117, 131},
                                      {0, 255},
                                      {128, 128},
                                      {300, -5},
                                      {-1, 1000}}) {
                const Convolution c = convolutionOf(shape);
                const auto prepared = prepare(c);
                if (!prepared->takes(zeros))
                    continue;
                CAPTURE(shape.height, shape.width, shape.channels, shape.filterSize, shape.filters,
                        shape.stride, int(kind), zeros.input, zeros.filter);
                const auto input = codesOf(kind, c.batch * c.height * c.width * c.channels, 1);
                const bool isSmall = kind == Codes::Small || kind == Codes::Raised;
                const auto filter = codesOf(isSmall ? Codes::Ends : kind, c.depth() * c.filters, 2);
                const auto plain = sumsOf(*plainBackEnd().prepare(c), c, zeros, input, filter);
                const auto sums = sumsOf(*prepared, c, zeros, input, filter);
                CHECK(sums.sums == plain.sums);
                checkRanges(sums, c.filters);
            }
}

TEST_CASE("every back end that runs here gives the plain sums", "[int8]")
{
    for (const BackEnd* backEnd : backEnds()) {
        CAPTURE(std::string(backEnd->name));
        if (!backEnd->isAvailable())
            continue;
        CHECK(backEnd->verdict().ok());
        agreesWithPlain(backEnd->prepare);
    }
}

TEST_CASE("our AVX2 kernel gives the plain sums where VNNI would be chosen", "[int8]")
{
    if (onednn::instructions().avx2)
        agreesWithPlain([](const Convolution& c) { return prepareOwn(c, *avx2Tiles()); });
}

// Up to these codes, the products of eight, four and two codes add up in 16 bits.
TEST_CASE("our AVX2 kernel gives the plain sums at the limits of 16 bits", "[int8]")
{
    if (!onednn::instructions().avx2)
        return;
    std::mt19937 random(3);
    for (const std::int64_t depth : {8, 24, 64, 75, 129})
        for (const unsigned level : {32U, 64U, 128U})
            for (const bool exceeds : {false, true})
                for (const int weight : {0, 255, -1}) {
                    CAPTURE(depth, level, exceeds, weight);
                    const Convolution c = convolutionOf({1, 3, 5, depth, 1, 19, 1, true});
                    std::vector<std::uint8_t> input(std::size_t(15 * depth), std::uint8_t(level));
                    for (std::uint8_t& code : input)
                        code += exceeds && random() % 16 == 0 ? 1 : 0;
                    std::vector<std::uint8_t> filter =
                        codesOf(Codes::Ends, depth * c.filters, unsigned(depth));
                    if (weight >= 0)
                        std::ranges::fill(filter, std::uint8_t(weight));
                    const auto plain = sumsOf(*plainBackEnd().prepare(c), c, {}, input, filter);
                    const auto sums = sumsOf(*prepareOwn(c, *avx2Tiles()), c, {}, input, filter);
                    CHECK(sums.sums == plain.sums);
                }
}

TEST_CASE("any zeros are for the back ends that say so", "[int8]")
{
    const Convolution c = convolutionOf(shapes[1]);
    for (const BackEnd* backEnd : backEnds()) {
        if (!backEnd->isAvailable())
            continue;
        CAPTURE(std::string(backEnd->name));
        CHECK(backEnd->prepare(c)->takes({117, 131}));
        CHECK(backEnd->prepare(c)->takes({-1, 0}) == (backEnd == &plainBackEnd()));
    }
}

class Wrong final : public Prepared {
public:
    explicit Wrong(const Convolution& c)
        : m_right(plainBackEnd().prepare(c))
    {
    }
    bool takes(Zeros /*zeros*/) const override { return true; }
    Status run(const Task& task) const override
    {
        const Status ran = m_right->run(task);
        task.out[3] += task.input[0] == 255 ? 1 : 0;
        return ran;
    }

private:
    std::unique_ptr<Prepared> m_right;
};

TEST_CASE("a back end that is wrong on extreme codes fails its test", "[int8]")
{
    const BackEnd wrong{.name = "wrong",
                        .summary = "",
                        .isAvailable = [] { return true; },
                        .prepare = [](const Convolution& c) -> std::unique_ptr<Prepared> {
                            return std::make_unique<Wrong>(c);
                        },
                        .verdict = nullptr};
    const Status verdict = testBackEnd(wrong);
    REQUIRE_FALSE(verdict.ok());
    CHECK(verdict.error().message ==
          "back end wrong gives wrong sums on this processor and is not used");
}

TEST_CASE("back ends are chosen by name", "[int8]")
{
    const auto best = chooseBackEnd("");
    REQUIRE(best);
    CHECK((*best)->isAvailable());
    REQUIRE(chooseBackEnd("plain"));
    CHECK(chooseBackEnd("plain").value() == &plainBackEnd());
    const auto unknown = chooseBackEnd("fpga");
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().message.find("no back end is named fpga; these run here: ") == 0);
}

} // namespace
} // namespace lapidary::int8
