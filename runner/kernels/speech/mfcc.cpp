// SPDX-License-Identifier: Apache-2.0
// Mfcc: mel-frequency cepstral coefficients. Triangular filters, evenly spaced in mel, add up the
// square roots of the spectrogram's bins; a cosine transform is applied to the logarithms of their
// sums. Everything is computed in double.
#include "runner/kernels/kernel.h"
#include "runner/kernels/scratch.h"
#include "runner/kernels/speech/mel_filters.h"
#include "runner/kernels/wide_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lapidary {
namespace {

class Mfcc {
public:
    static Result<Mfcc> make(const MfccSettings& settings, MemoryPool& pool)
    {
        auto shares = Scratch<MelShare>::make(pool, settings.bins);
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
        spreadBins(settings, mfcc.m_shares.all());
        fillCosines(settings, mfcc.m_cosines.all());
        return mfcc;
    }

    const MfccSettings& settings() const { return m_settings; }

    void compute(const float* frame, float* out)
    {
        // The original does not compute frames that end below the highest filter.
        if (m_used.end >= m_settings.bins) {
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
    Mfcc(const MfccSettings& settings, Scratch<MelShare> shares, Scratch<double> magnitudes,
         Scratch<double> sums, Scratch<double> out, Scratch<double> cosines)
        : m_settings(settings)
        , m_shares(std::move(shares))
        , m_magnitudes(std::move(magnitudes))
        , m_sums(std::move(sums))
        , m_out(std::move(out))
        , m_cosines(std::move(cosines))
        , m_used(usedBins(settings))
    {
    }

    // Adds up neighboring bins in local variables as long as the same two filters share them.
    void sumFilters(const float* frame)
    {
        std::ranges::fill(m_sums.all(), 0.0);
        double* const magnitudes = m_magnitudes.all().data();
        wideLoop([&] {
            for (std::int64_t i = m_used.start; i <= m_used.end; ++i)
                magnitudes[i] = std::sqrt(double(frame[i]));
        });
        for (std::int64_t first = m_used.start; first <= m_used.end;) {
            const std::int64_t filter = m_shares[first].filter;
            double own = 0;
            double next = 0;
            std::int64_t i = first;
            for (; i <= m_used.end && m_shares[i].filter == filter; ++i) {
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

    // Computes all coefficients at once, filter by filter.
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

    MfccSettings m_settings;
    Scratch<MelShare> m_shares;
    Scratch<double> m_magnitudes; // by bin
    Scratch<double> m_sums;       // by filter
    Scratch<double> m_out;        // by coefficient
    Scratch<double> m_cosines;    // [filter][coefficient]
    BinRange m_used;
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
    if (const std::string fault = settings.fault(); !fault.empty())
        return context.error(fault);
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
