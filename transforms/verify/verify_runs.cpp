// SPDX-License-Identifier: Apache-2.0
#include "transforms/verify/verify_runs.h"

#include "transforms/verify/first_differences.h"
#include "transforms/verify/inner_tensors.h"
#include "transforms/verify/sample_work.h"

#include <algorithm>
#include <chrono>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t mostOutputBytes = std::uint64_t(256) << 20; // all outputs of `a`

std::string described(const Value& value)
{
    return std::string(dtypeName(value.dtype())) + " " + dimsText(value.dims());
}

// Compares values that are not numbers: strings and quantized values agree if they are equal.
bool isSameText(const Value& a, const Value& b)
{
    if (a.dtype() != b.dtype() || a.dims() != b.dims())
        return false;
    return a.dtype() == DType::String ? std::ranges::equal(a.strings(), b.strings())
                                      : a.bytes() == b.bytes();
}

std::uint64_t bytesOf(const std::vector<Value>& values)
{
    std::uint64_t bytes = 0;
    for (const Value& value : values)
        bytes += value.isSet() ? value.byteCount() : 0;
    return bytes;
}

class Verifier {
public:
    Verifier(VerifySide a, VerifySide b, std::span<const NodeId> counterparts,
             const VerifyOptions& options, const Job& job)
        : m_a(std::move(a))
        , m_b(std::move(b))
        , m_graphs{m_a.graph, m_b.graph, counterparts}
        , m_options(options)
        , m_job(job)
        , m_inner(m_graphs, options)
        , m_sums(m_a.request.fetches.size())
        , m_faults(m_a.request.fetches.size())
    {
    }

    Result<Verification> run()
    {
        RETURN_IF_ERROR(runFirst());
        { // frees the packed weights of `a` before `b` runs
            const Session done = std::move(m_a.session);
        }
        RETURN_IF_ERROR(runSecond());
        m_inner.list(m_options, m_found);
        listOutputs();
        findFirstDifferences(m_graphs, m_found);
        return std::move(m_found);
    }

private:
    // Runs all samples, as far as time and memory allow. If a sample other than the first cannot be
    // made or run, only those before it are used.
    Status runFirst()
    {
        const auto began = Clock::now();
        std::uint64_t bytes = 0;
        if (m_options.comparesRanges)
            keepFeeds();
        std::size_t most = m_options.samples.most;
        for (std::size_t i = 0; i < most; ++i) {
            const std::chrono::duration<double> spent = Clock::now() - began;
            if (i > 0 && !m_a.feed)
                break;
            m_found.isStopped =
                i > 0 && (spent.count() > m_options.samples.seconds || bytes > mostOutputBytes);
            if (m_found.isStopped)
                break;
            SampleWork work(m_a.graph);
            auto outputs = runSample(m_a, i, [&](const NodeRun& run, auto values) {
                if (i == 0)
                    work.add(run, values);
                if (run.function.empty())
                    m_inner.keep(i, run.node, values);
            });
            if (!outputs && (i == 0 || outputs.error().code == ErrorCode::Cancelled))
                return outputs.error().within("the first graph");
            if (!outputs)
                break;
            if (i == 0)
                most = samplesFor(work);
            bytes += bytesOf(*outputs);
            m_outputs.push_back(*std::move(outputs));
            m_job.progress(0.5 * double(i + 1) / double(most));
        }
        m_found.samples = m_outputs.size();
        return Done{};
    }

    // Returns how many samples the work of the first one allows.
    std::size_t samplesFor(const SampleWork& first) const
    {
        const SampleCount& samples = m_options.samples;
        const double affordable = samples.operations / std::max(first.operations(), 1.0);
        if (affordable >= double(samples.most))
            return samples.most;
        return std::min(samples.most, std::max(samples.least, std::size_t(affordable)));
    }

    // Fed values are not computed, but may be rounded.
    void keepFeeds()
    {
        for (const auto& [tensor, value] : m_a.request.feeds) {
            const Input input = parseInput(tensor);
            const NodeId id = m_a.graph.find(input.node);
            if (id.isValid() && input.port == 0)
                m_inner.keep(0, id, {&value, 1});
        }
    }

    Status runSecond()
    {
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            auto outputs = runSample(m_b, i, [&](const NodeRun& run, auto values) {
                if (run.function.empty())
                    m_inner.compare(i, run.node, values);
            });
            if (!outputs)
                return outputs.error().within("the second graph");
            compareOutputs(m_outputs[i], *outputs);
            m_outputs[i].clear();
            m_job.progress(0.5 + 0.5 * double(i + 1) / double(m_outputs.size()));
        }
        return Done{};
    }

    // `look` is called after each node.
    template <class Look>
    Result<std::vector<Value>> runSample(VerifySide& side, std::size_t i, const Look& look)
    {
        if (i > 0)
            RETURN_IF_ERROR(side.feed(i, side.request, side.session.pool()));
        return side.session.run(side.request, m_job, look);
    }

    void compareOutputs(const std::vector<Value>& left, const std::vector<Value>& right)
    {
        for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
            if (!m_faults[i].empty() || m_sums[i].add(left[i], right[i]))
                continue;
            if (!isSameText(left[i], right[i]))
                m_faults[i] = m_a.request.fetches[i] + ": " + described(left[i]) + " and " +
                              described(right[i]);
        }
    }

    void listOutputs()
    {
        for (std::size_t i = 0; i < m_sums.size(); ++i) {
            if (!m_faults[i].empty())
                m_found.incomparable.push_back(m_faults[i]);
            if (m_sums[i].isEmpty())
                continue;
            VerifiedPair pair{.a = m_a.request.fetches[i],
                              .b = m_b.request.fetches[i],
                              .isOutput = true,
                              .agreement = m_sums[i].result(),
                              .node = m_a.graph.find(parseInput(m_a.request.fetches[i]).node)};
            pair.isWithin =
                pair.agreement.isWithin(m_options.tolerance.abs, m_options.tolerance.rel);
            pair.grade = gradeOf(pair.agreement, pair.isWithin, m_options.limits);
            m_found.pairs.push_back(std::move(pair));
        }
    }

    VerifySide m_a;
    VerifySide m_b;
    ComparedGraphs m_graphs;
    const VerifyOptions& m_options;
    const Job& m_job;
    InnerTensors m_inner;
    std::vector<std::vector<Value>> m_outputs; // of a, by sample
    std::vector<AgreementSums> m_sums;         // by output
    std::vector<std::string> m_faults;         // by output: why it cannot be compared
    Verification m_found;
};

} // namespace

bool Verification::isSame() const
{
    return missing.empty() && incomparable.empty() &&
           std::ranges::all_of(
               pairs, [](const VerifiedPair& pair) { return pair.isWithin || !pair.isOutput; });
}

Grade Verification::grade() const
{
    if (!missing.empty() || !incomparable.empty())
        return Grade::Broken;
    Grade worst = Grade::Same;
    for (const VerifiedPair& pair : pairs)
        if (pair.isOutput)
            worst = std::max(worst, pair.grade);
    return worst;
}

Result<Verification> verifyRuns(VerifySide a, VerifySide b, std::span<const NodeId> counterparts,
                                const VerifyOptions& options, const Job& job)
{
    return Verifier(std::move(a), std::move(b), counterparts, options, job).run();
}

} // namespace lapidary
