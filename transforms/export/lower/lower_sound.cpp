// SPDX-License-Identifier: Apache-2.0
// Ops that compute features of sound. A Fourier transform of N1 * N2 samples becomes two products
// with small matrices: transforms of N1 and of N2 samples, with a rotation of each number between
// them.
#include "runner/kernels/speech/mel_filters.h"
#include "transforms/export/lower/lower_steps.h"

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Dims = LowerSteps::Dims;

// Makes a constant [rows, columns] of value(row, column).
TensorIndex matrix(LowerNode& n, std::string_view what, std::int64_t rows, std::int64_t columns,
                   const std::function<double(std::int64_t, std::int64_t)>& value)
{
    std::vector<float> values;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            values.push_back(float(value(row, column)));
    return n.constant(what, {rows, columns}, values);
}

class Spectrogram {
public:
    explicit Spectrogram(LowerNode& node)
        : m_node(node)
        , m_steps(node)
    {
    }

    Status lower()
    {
        RETURN_IF_ERROR(readSizes());
        const TensorIndex squares = squaresOf(rotated(firstTransform(frames())));
        if (m_node.boolAttr("magnitude_squared", false)) {
            m_node.emit(Kind::Reshape, {squares});
            return Done{};
        }
        m_node.emit(Kind::Reshape, {m_steps.made(Kind::Sqrt, {squares}, {m_rows, m_bins})});
        return Done{};
    }

private:
    struct Complex {
        TensorIndex real;
        TensorIndex imaginary;
    };

    Status readSizes()
    {
        const Dims dims = m_node.dims(0);
        m_size = m_node.intAttr("window_size", 0);
        m_stride = m_node.intAttr("stride", 0);
        constexpr std::int64_t mostSize = 1 << 14;
        if (dims.size() != 2 || dims[0] < m_size || dims[1] < 1 || m_size < 2 || m_stride < 1 ||
            m_size > mostSize)
            return unsuited("it needs sound that is longer than a window, of at most " +
                            std::to_string(mostSize) + " samples");
        m_samples = dims[0];
        m_channels = dims[1];
        m_count = 1 + (m_samples - m_size) / m_stride;
        m_rows = m_channels * m_count;
        const auto length = std::bit_ceil(std::uint64_t(m_size));
        const int bits = std::countr_zero(length);
        m_first = std::int64_t(1) << ((bits + 1) / 2);
        m_second = std::int64_t(1) << (bits / 2);
        m_bins = std::int64_t(length) / 2 + 1;
        return Done{};
    }

    std::int64_t length() const { return m_first * m_second; }
    // Returns 2 pi * a * b / circle without whole turns.
    static double angle(std::int64_t a, std::int64_t b, std::int64_t circle)
    {
        return 2 * std::numbers::pi * double(a * b % circle) / double(circle);
    }

    TensorIndex turned(TensorIndex x, Dims dims)
    {
        const TensorIndex output = m_node.between("turned", DType::Float, std::move(dims));
        m_node.emit(Kind::Transpose, {x}, {output}).parameters.axes =
            m_node.tensor(output).dims.size() == 2 ? Dims{1, 0} : Dims{0, 2, 1};
        return output;
    }

    // Returns the first `count` elements of axis 1.
    TensorIndex firstOf(TensorIndex x, std::int64_t rows, std::int64_t count)
    {
        const TensorIndex output = m_node.between("part", DType::Float, {rows, count});
        PortableParameters& p = m_node.emit(Kind::StridedSlice, {x}, {output}).parameters;
        p.begin = {0, 0};
        p.end = {rows, count};
        p.step = {1, 1};
        p.shrink = {false, false};
        return output;
    }

    Complex halves(TensorIndex x, std::int64_t rows, std::int64_t columns)
    {
        const Complex made{m_node.between("half", DType::Float, {rows, columns}),
                           m_node.between("half", DType::Float, {rows, columns})};
        PortableParameters& p =
            m_node.emit(Kind::Split, {x}, {made.real, made.imaginary}).parameters;
        p.axis = 1;
        p.sizes = {columns, columns};
        return made;
    }

    TensorIndex product(TensorIndex x, TensorIndex weights, std::int64_t rows, std::int64_t columns)
    {
        return m_steps.made(Kind::FullyConnected, {x, weights, noTensor}, {rows, columns});
    }

    // Returns the windows of all channels, weighted and padded to the length of the transform. They
    // are made of blocks that no window cuts.
    TensorIndex frames()
    {
        const std::int64_t block = std::gcd(m_size, m_stride);
        const std::int64_t parts = m_size / block;
        const std::int64_t blocks = m_samples / block;
        TensorIndex x = turned(m_node.input(0), {m_channels, m_samples});
        if (blocks * block != m_samples)
            x = firstOf(x, m_channels, blocks * block);
        x = m_steps.made(Kind::Reshape, {x}, {m_channels, blocks, block});
        Dims places;
        for (std::int64_t i = 0; i < m_count; ++i)
            for (std::int64_t part = 0; part < parts; ++part)
                places.push_back(i * (m_stride / block) + part);
        const TensorIndex gathered =
            m_node.between("blocks", DType::Float, {m_channels, m_count * parts, block});
        m_node.emit(Kind::Gather, {x, m_steps.int32s({m_count * parts}, places)}, {gathered})
            .parameters.axis = 1;
        x = m_steps.made(Kind::Reshape, {gathered}, {m_rows, m_size});
        const TensorIndex window = matrix(m_node, "window", 1, m_size, [&](auto, auto i) {
            return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * double(i) / double(m_size));
        });
        x = m_steps.made(Kind::Mul, {x, window}, {m_rows, m_size});
        if (m_size == length())
            return x;
        const TensorIndex padded = m_node.between("padded", DType::Float, {m_rows, length()});
        PortableParameters& p = m_node.emit(Kind::Pad, {x}, {padded}).parameters;
        p.before = {0, 0};
        p.after = {0, length() - m_size};
        return padded;
    }

    // Transforms every m_second-th sample: [rows, second, first] each.
    Complex firstTransform(TensorIndex x)
    {
        x = m_steps.made(Kind::Reshape, {x}, {m_rows, m_first, m_second});
        x = turned(x, {m_rows, m_second, m_first});
        const std::int64_t rows = m_rows * m_second;
        x = m_steps.made(Kind::Reshape, {x}, {rows, m_first});
        const TensorIndex waves =
            matrix(m_node, "waves", m_first, 2 * m_first, [&](auto sample, auto column) {
                const double at = angle(sample, column % m_first, m_first);
                return column < m_first ? std::cos(at) : -std::sin(at);
            });
        Complex made = halves(product(x, waves, rows, 2 * m_first), rows, m_first);
        for (TensorIndex* part : {&made.real, &made.imaginary})
            *part = m_steps.made(Kind::Reshape, {*part}, {m_rows, m_second, m_first});
        return made;
    }

    // Returns each number times e^(-2 pi i * sample * frequency / length), as one tensor [rows, 2 *
    // second, first].
    TensorIndex rotated(Complex x)
    {
        const Dims dims{m_rows, m_second, m_first};
        const auto share = [&](double (*wave)(double)) {
            return matrix(m_node, "turns", m_second, m_first, [&](auto sample, auto frequency) {
                return wave(angle(sample, frequency, length()));
            });
        };
        const TensorIndex cosines = share([](double at) { return std::cos(at); });
        const TensorIndex sines = share([](double at) { return std::sin(at); });
        const auto times = [&](TensorIndex part, TensorIndex by) {
            return m_steps.made(Kind::Mul, {part, by}, dims);
        };
        const TensorIndex real =
            m_steps.made(Kind::Add, {times(x.real, cosines), times(x.imaginary, sines)}, dims);
        const TensorIndex imaginary =
            m_steps.made(Kind::Sub, {times(x.imaginary, cosines), times(x.real, sines)}, dims);
        const TensorIndex both =
            m_node.between("both", DType::Float, {m_rows, 2 * m_second, m_first});
        m_node.emit(Kind::Concat, {real, imaginary}, {both}).parameters.axis = 1;
        return both;
    }

    // Computes the second transform for the wanted bins, and returns their squares, [rows, bins].
    TensorIndex squaresOf(TensorIndex x)
    {
        const std::int64_t kept = m_second / 2 + 1;
        const std::int64_t rows = m_rows * m_first;
        x = turned(x, {m_rows, m_first, 2 * m_second});
        x = m_steps.made(Kind::Reshape, {x}, {rows, 2 * m_second});
        const TensorIndex waves =
            matrix(m_node, "waves", 2 * m_second, 2 * kept, [&](auto row, auto column) {
                const double at = angle(row % m_second, column % kept, m_second);
                if ((row < m_second) == (column < kept))
                    return std::cos(at);
                return row < m_second ? -std::sin(at) : std::sin(at);
            });
        x = m_steps.made(Kind::Square, {product(x, waves, rows, 2 * kept)}, {rows, 2 * kept});
        const Complex parts = halves(x, rows, kept);
        x = m_steps.made(Kind::Add, {parts.real, parts.imaginary}, {rows, kept});
        x = m_steps.made(Kind::Reshape, {x}, {m_rows, m_first, kept});
        x = turned(x, {m_rows, kept, m_first});
        return firstOf(m_steps.made(Kind::Reshape, {x}, {m_rows, kept * m_first}), m_rows, m_bins);
    }

    LowerNode& m_node;
    LowerSteps m_steps;
    std::int64_t m_samples = 0;
    std::int64_t m_channels = 0;
    std::int64_t m_size = 0; // length of a window
    std::int64_t m_stride = 0;
    std::int64_t m_count = 0; // number of windows
    std::int64_t m_rows = 0;  // windows of all channels
    std::int64_t m_first = 0; // N1
    std::int64_t m_second = 0;
    std::int64_t m_bins = 0;
};

Status spectrogram(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    return Spectrogram(n).lower();
}

// Makes the filters, [used bins, filters].
TensorIndex filterBank(LowerNode& n, const MfccSettings& settings, BinRange used)
{
    std::vector<MelShare> shares(std::size_t(settings.bins), MelShare{-1, 0});
    spreadBins(settings, shares);
    return matrix(n, "filters", used.end - used.start + 1, settings.filters,
                  [&](auto row, auto filter) {
                      const MelShare share = shares[std::size_t(used.start + row)];
                      if (filter == share.filter)
                          return share.weight;
                      return filter == share.filter + 1 ? 1 - share.weight : 0.0;
                  });
}

Status mfcc(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const Dims dims = n.dims(0);
    if (!n.isConstant(1))
        return unsuited("its sample rate, which makes the filters, must be set to a constant");
    ASSIGN_OR_RETURN(const std::int64_t rate, n.oneInt(1, "sample rate"));
    if (dims.size() != 3)
        return unsuited("its spectrogram does not have three axes");
    constexpr float usualHigh = 4000;
    MfccSettings settings;
    settings.low = n.floatAttr("lower_frequency_limit", 20);
    settings.high = n.floatAttr("upper_frequency_limit", usualHigh);
    settings.rate = double(rate);
    settings.filters = n.intAttr("filterbank_channel_count", 40);
    settings.coefficients = n.intAttr("dct_coefficient_count", 13);
    settings.bins = dims[2];
    if (const std::string fault = settings.fault(); !fault.empty())
        return unsuited(fault);
    const BinRange used = usedBins(settings);
    constexpr std::int64_t mostFilters = 1 << 12;
    if (used.end >= settings.bins || used.end < used.start || settings.filters > mostFilters)
        return unsuited("its filters are outside the spectrogram, or too many");
    LowerSteps steps(n);
    const std::int64_t width = used.end - used.start + 1;
    const std::int64_t rows = dims[0] * dims[1];
    const TensorIndex bins = n.between("bins", DType::Float, {dims[0], dims[1], width});
    PortableParameters& p = n.emit(Kind::StridedSlice, {n.input(0)}, {bins}).parameters;
    p.begin = {0, 0, used.start};
    p.end = {dims[0], dims[1], used.end + 1};
    p.step = {1, 1, 1};
    p.shrink = {false, false, false};
    TensorIndex x = steps.made(Kind::Sqrt, {bins}, {dims[0], dims[1], width});
    x = steps.made(Kind::Reshape, {x}, {rows, width});
    const auto product = [&](TensorIndex weights, std::int64_t columns) {
        return steps.made(Kind::FullyConnected, {x, weights, noTensor}, {rows, columns});
    };
    constexpr float least = 1e-12F;
    x = product(filterBank(n, settings, used), settings.filters);
    x = steps.made(Kind::Maximum, {x, steps.number(least)}, {rows, settings.filters});
    x = steps.made(Kind::Log, {x}, {rows, settings.filters});
    std::vector<double> cosines(std::size_t(settings.filters * settings.coefficients));
    fillCosines(settings, cosines);
    const TensorIndex transform = n.constant("cosines", {settings.filters, settings.coefficients},
                                             {cosines.begin(), cosines.end()});
    n.emit(Kind::Reshape, {product(transform, settings.coefficients)});
    return Done{};
}

constexpr std::array soundRows{
    LowerRow{"AudioSpectrogram", spectrogram, "Gather, Mul, FullyConnected, Square",
             "sound of a known length, windows of at most 16384 samples"},
    LowerRow{"Mfcc", mfcc, "Sqrt, FullyConnected, Maximum, Log",
             "constant sample rate, filters within the spectrogram"},
};

} // namespace

std::span<const LowerRow> lowerSoundRows()
{
    return soundRows;
}

} // namespace lapidary
