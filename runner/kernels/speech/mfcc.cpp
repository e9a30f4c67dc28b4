// SPDX-License-Identifier: Apache-2.0
// Mfcc: mel-frequency cepstral coefficients. Square roots of the spectrogram's bins go to
// triangular filters, evenly spaced in mel; the logarithms of their sums go through a cosine
// transform. All in double.
#include "runner/kernels/kernel.h"
#include "runner/kernels/scratch.h"
#include "runner/kernels/wide_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace lapidary {
namespace {

double melOf(double hertz)
{
    return 1127.0 * std::log1p(hertz / 700.0);
}

struct MfccSettings {
    double low = 0;
    double high = 0;
    double rate = 0;
    std::int64_t filters = 0;
    std::int64_t coefficients = 0;
    std::int64_t bins = 0;

    bool operator==(const MfccSettings&) const = default;
};

// How a bin is shared between two neighboring filters.
struct Share {
    std::int64_t filter; // -1: only the next one gets a part
    double weight;       // of `filter`; the next one gets the rest
};

class Mfcc {
public:
    static Result<Mfcc> make(const MfccSettings& settings, MemoryPool& pool)
    {
        auto shares = Scratch<Share>::make(pool, settings.bins);
        auto magnitudes = Scratch<double>::make(pool, settings.bins);
        auto sums = Scratch<double>::make(pool, settings.filters);
        auto out = Scratch<double>::make(pool, settings.coefficients);
        std::int64_t products = 0;
        if (__builtin_mul_overflow(settings.coefficients, settings.filters, &products))
            products = std::numeric_limits<std::int64_t>::max(); // more than any memory holds
        auto cosines = Scratch<double>::make(pool, products);
        for (const Error* error :
             {shares ? nullptr : &shares.error(), magnitudes ? nullptr : &magnitudes.error(),
              sums ? nullptr : &sums.error(), out ? nullptr : &out.error(),
              cosines ? nullptr : &cosines.error()})
            if (error != nullptr)
                return *error;
        Mfcc mfcc(settings, std::move(shares).value(), std::move(magnitudes).value(),
                  std::move(sums).value(), std::move(out).value(), std::move(cosines).value());
        mfcc.spreadBins();
        mfcc.fillCosines();
        return mfcc;
    }

    const MfccSettings& settings() const { return m_settings; }

    void compute(const float* frame, float* out)
    {
        // The original leaves frames alone that end below the highest filter.
        if (m_end >= m_settings.bins) {
            std::fill_n(out, m_settings.coefficients, 0.0F);
            return;
        }
        sumFilters(frame);
        constexpr double least = 1e-12;
        for (double& sum : m_sums.all())
            sum = std::log(std::max(sum, least));
        transformSums();
        std::ranges::transform(m_out.all(), out, [](double sum) { return float(sum); });
    }

private:
    Mfcc(const MfccSettings& settings, Scratch<Share> shares, Scratch<double> magnitudes,
         Scratch<double> sums, Scratch<double> out, Scratch<double> cosines)
        : m_settings(settings)
        , m_shares(std::move(shares))
        , m_magnitudes(std::move(magnitudes))
        , m_sums(std::move(sums))
        , m_out(std::move(out))
        , m_cosines(std::move(cosines))
    {
    }

    // Neighboring bins are shared between the same two filters, as long as their sums last.
    void sumFilters(const float* frame)
    {
        std::ranges::fill(m_sums.all(), 0.0);
        double* const magnitudes = m_magnitudes.all().data();
        wideLoop([&] {
            for (std::int64_t i = m_start; i <= m_end; ++i)
                magnitudes[i] = std::sqrt(double(frame[i]));
        });
        for (std::int64_t first = m_start; first <= m_end;) {
            const std::int64_t filter = m_shares[first].filter;
            double own = 0;
            double next = 0;
            std::int64_t i = first;
            for (; i <= m_end && m_shares[i].filter == filter; ++i) {
                const double part = magnitudes[i] * m_shares[i].weight;
                own += part;
                next += magnitudes[i] - part;
            }
            if (filter >= 0)
                m_sums[filter] += own;
            if (filter + 1 < m_settings.filters)
                m_sums[filter + 1] += next;
            first = i;
        }
    }

    // All coefficients at once, filter by filter.
    void transformSums()
    {
        const std::int64_t count = m_settings.coefficients;
        double* const out = m_out.all().data();
        std::fill_n(out, count, 0.0);
        wideLoop([&] {
            for (std::int64_t j = 0; j < m_settings.filters; ++j) {
                const double sum = m_sums[j];
                const double* const cosines = m_cosines.all().data() + j * count;
                for (std::int64_t k = 0; k < count; ++k)
                    out[k] += cosines[k] * sum;
            }
        });
    }

    double center(std::int64_t i) const
    {
        const double low = melOf(m_settings.low);
        const double spacing = (melOf(m_settings.high) - low) / double(m_settings.filters + 1);
        return low + spacing * double(i + 1);
    }

    void spreadBins()
    {
        const double hertz = 0.5 * m_settings.rate / double(m_settings.bins - 1);
        constexpr double farAway = 1e15; // beyond any bin, and inside int64
        m_start = std::int64_t(std::min(1.5 + m_settings.low / hertz, farAway));
        m_end = std::int64_t(std::min(m_settings.high / hertz, farAway));
        std::int64_t passed = 0;
        for (std::int64_t i = m_start; i <= std::min(m_end, m_settings.bins - 1); ++i) {
            const double mel = melOf(double(i) * hertz);
            while (passed < m_settings.filters && center(passed) < mel)
                ++passed;
            const double above = center(passed);
            const double below = passed > 0 ? center(passed - 1) : melOf(m_settings.low);
            m_shares[i] = {passed - 1, (above - mel) / (above - below)};
        }
    }

    void fillCosines()
    {
        const double scale = std::sqrt(2.0 / double(m_settings.filters));
        const double arc = std::numbers::pi / double(m_settings.filters);
        for (std::int64_t k = 0; k < m_settings.coefficients; ++k)
            for (std::int64_t j = 0; j < m_settings.filters; ++j)
                m_cosines[j * m_settings.coefficients + k] =
                    scale * std::cos(double(k) * arc * (double(j) + 0.5));
    }

    MfccSettings m_settings;
    Scratch<Share> m_shares;
    Scratch<double> m_magnitudes; // by bin
    Scratch<double> m_sums;       // by filter
    Scratch<double> m_out;        // by coefficient
    Scratch<double> m_cosines;    // [filter][coefficient]
    std::int64_t m_start = 0;
    std::int64_t m_end = 0;
};

Result<MfccSettings> settingsOf(const KernelContext& context)
{
    const Value& spectrogram = context.input(0);
    const Value& rate = context.input(1);
    if (spectrogram.rank() != 3)
        return context.error("spectrogram must be 3-dimensional, got shape " +
                             dimsText(spectrogram.dims()));
    if (!rate.isScalar())
        return context.error("sample_rate must be scalar, got shape " + dimsText(rate.dims()));
    MfccSettings settings;
    settings.low = context.floatAttr("lower_frequency_limit", 20);
    settings.high = context.floatAttr("upper_frequency_limit", 4000);
    settings.filters = context.intAttr("filterbank_channel_count", 40);
    settings.coefficients = context.intAttr("dct_coefficient_count", 13);
    settings.rate = rate.as<std::int32_t>()[0];
    settings.bins = spectrogram.dim(2);
    if (settings.coefficients < 1 || settings.coefficients > settings.filters)
        return context.error("dct_coefficient_count must be between 1 and "
                             "filterbank_channel_count");
    if (!(settings.low >= 0) || !(settings.low < settings.high))
        return context.error("lower_frequency_limit must be 0 or more and below "
                             "upper_frequency_limit");
    if (settings.rate <= 0 || settings.bins < 2)
        return context.error("a sample rate above 0 and at least 2 frequencies are needed");
    return settings;
}

Status runMfcc(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto settings, settingsOf(context));
    const Value& spectrogram = context.input(0);
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::Float,
                                                  {spectrogram.dim(0), spectrogram.dim(1),
                                                   settings.coefficients}));
    if (out.elements() == 0)
        return Done{};
    auto& kept = context.state<std::optional<Mfcc>>();
    if (!kept || !(kept->settings() == settings)) {
        auto made = Mfcc::make(settings, context.session().pool);
        if (!made)
            return context.error(made.error().message);
        kept = *std::move(made);
    }
    const std::int64_t frames = spectrogram.dim(0) * spectrogram.dim(1);
    const float* frame = spectrogram.as<float>().data();
    float* to = out.mutableAs<float>().data();
    for (std::int64_t i = 0; i < frames; ++i) {
        if (context.job().cancelled())
            return cancelledError();
        kept->compute(frame, to);
        frame += settings.bins;
        to += settings.coefficients;
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Mfcc, runMfcc);

} // namespace lapidary
