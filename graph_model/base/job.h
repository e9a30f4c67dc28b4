// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <utility>

namespace lapidary {

// Cancellation and progress of a function that may take longer than a frame. Long loops look at
// cancelled() at least every 50 ms and then return cancelledError().
class Job {
public:
    using Report = std::function<void(double)>; // 0..1

    Job() = default;
    explicit Job(std::stop_token stop, Report report = {})
        : m_stop(std::move(stop))
        , m_report(std::move(report))
    {
    }

    bool cancelled() const { return m_stop.stop_requested(); }
    void progress(double fraction) const
    {
        if (m_report)
            m_report(fraction);
    }

private:
    std::stop_token m_stop;
    Report m_report;
};

} // namespace lapidary
