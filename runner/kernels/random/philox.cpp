// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/random/philox.h"

#include <bit>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

namespace lapidary {
namespace {

constexpr int rounds = 10;
constexpr std::uint64_t multiplier0 = 0xD2511F53;
constexpr std::uint64_t multiplier2 = 0xCD9E8D57;
constexpr std::uint32_t keyStep0 = 0x9E3779B9;
constexpr std::uint32_t keyStep1 = 0xBB67AE85;
constexpr double smallest = 1.0e-7; // keeps the logarithm finite

struct Generator {
    Philox philox;
    bool isSeeded = false;
};

// Returns the seeds for nodes whose seeds are both 0. Sessions that draw alike use the name that
// they were given for the node, or else its own name without scopes, because a pass that expands
// functions adds scopes, and number the nodes with the same name in the order in which they run.
std::pair<std::uint64_t, std::uint64_t> ownSeeds(std::string_view node, SessionState& session)
{
    if (!session.drawsAlike) {
        const std::uint64_t first = session.entropy();
        return {first, session.entropy()};
    }
    if (const auto own = session.drawNames.find(node); own != session.drawNames.end())
        return {std::hash<std::string>()(own->second), 0};
    const std::string name(node.substr(node.rfind('/') + 1));
    return {std::hash<std::string>()(name), ++session.draws[name]};
}

} // namespace

Philox::Words Philox::next()
{
    Words c = m_counter;
    std::uint32_t key0 = m_key[0];
    std::uint32_t key1 = m_key[1];
    for (int round = 0; round < rounds; ++round) {
        const std::uint64_t product0 = multiplier0 * c[0];
        const std::uint64_t product2 = multiplier2 * c[2];
        c = {std::uint32_t(product2 >> 32U) ^ c[1] ^ key0, std::uint32_t(product2),
             std::uint32_t(product0 >> 32U) ^ c[3] ^ key1, std::uint32_t(product0)};
        key0 += keyStep0;
        key1 += keyStep1;
    }
    skip(1);
    return c;
}

void Philox::skip(std::uint64_t counters)
{
    std::uint64_t low = m_counter[0] | std::uint64_t(m_counter[1]) << 32U;
    std::uint64_t high = m_counter[2] | std::uint64_t(m_counter[3]) << 32U;
    low += counters;
    high += low < counters ? 1 : 0;
    m_counter = {std::uint32_t(low), std::uint32_t(low >> 32U), std::uint32_t(high),
                 std::uint32_t(high >> 32U)};
}

Philox Philox::stateless(std::uint64_t seed0, std::uint64_t seed1)
{
    Philox mixer;
    mixer.m_key = {0x3EC8F720, 0x02461E29};
    mixer.m_counter = {std::uint32_t(seed0), std::uint32_t(seed0 >> 32U), std::uint32_t(seed1),
                       std::uint32_t(seed1 >> 32U)};
    const Words mix = mixer.next();
    Philox generator;
    generator.m_key = {mix[0], mix[1]};
    generator.m_counter = {0, 0, mix[2], mix[3]};
    return generator;
}

Philox Philox::of(const State& state)
{
    Philox generator(state[2], state[1]);
    generator.m_counter[0] = std::uint32_t(state[0]);
    generator.m_counter[1] = std::uint32_t(state[0] >> 32U);
    return generator;
}

Philox::State Philox::state() const
{
    const auto joined = [](std::uint32_t low, std::uint32_t high) {
        return low | std::uint64_t(high) << 32U;
    };
    return {joined(m_counter[0], m_counter[1]), joined(m_counter[2], m_counter[3]),
            joined(m_key[0], m_key[1])};
}

float unitFloat(std::uint32_t word)
{
    return std::bit_cast<float>(0x3F800000U | (word & 0x7FFFFFU)) - 1.0F;
}

double unitDouble(std::uint32_t high, std::uint32_t low)
{
    const std::uint64_t mantissa = std::uint64_t(high & 0xFFFFFU) << 32U | low;
    return std::bit_cast<double>(std::uint64_t(1023) << 52U | mantissa) - 1.0;
}

std::array<float, 2> normalPair(std::uint32_t first, std::uint32_t second)
{
    const float u = std::max(unitFloat(first), float(smallest));
    const auto v = float(2.0 * M_PI * double(unitFloat(second)));
    const float radius = std::sqrt(-2.0F * std::log(u));
    return {std::sin(v) * radius, std::cos(v) * radius};
}

std::array<double, 2> normalPair(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d)
{
    const double u = std::max(unitDouble(a, b), smallest);
    const double v = 2.0 * M_PI * unitDouble(c, d);
    const double radius = std::sqrt(-2.0 * std::log(u));
    return {std::sin(v) * radius, std::cos(v) * radius};
}

Philox& nodeGenerator(KernelContext& context)
{
    auto& generator = context.state<Generator>();
    if (!generator.isSeeded) {
        auto seed = std::uint64_t(context.intAttr("seed"));
        auto seed2 = std::uint64_t(context.intAttr("seed2"));
        if (seed == 0 && seed2 == 0)
            std::tie(seed, seed2) = ownSeeds(context.node().name(), context.session());
        generator = {Philox(seed, seed2), true};
    }
    return generator.philox;
}

Result<Philox> statelessGenerator(const KernelContext& context, std::size_t i)
{
    const Value& seed = context.input(i);
    if (seed.dims() != Dims{2})
        return context.error("seed must have shape [2], not " + dimsText(seed.dims()));
    const std::vector<std::int64_t> numbers = seed.integers();
    if (numbers.size() != 2)
        return context.error("seed must be int32 or int64, not " + dtypeName(seed.dtype()));
    return Philox::stateless(std::uint64_t(numbers[0]), std::uint64_t(numbers[1]));
}

Result<Dims> shapeInput(const KernelContext& context, std::size_t i)
{
    const Value& shape = context.input(i);
    if (!shape.isVector())
        return context.error("shape must be a vector, but its shape is " + dimsText(shape.dims()));
    Dims dims = shape.integers();
    for (const std::int64_t dim : dims)
        if (dim < 0)
            return context.error("shape has the negative size " + std::to_string(dim));
    return dims;
}

} // namespace lapidary
