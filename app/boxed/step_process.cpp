// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/step_process.h"

#include "app/boxed/plan_message.h"
#include "app/boxed/run_limits.h"
#include "app/boxed/serve_steps.h"
#include "app/boxed/value_message.h"
#include "app/boxed/work.h"
#include "graph_model/write/graph_def_source.h"
#include "runner/box/talk_process.h"
#include "runner/guard/machine_memory.h"
#include "runner/plan/fusion.h"

#include <algorithm>
#include <chrono>
#include <list>
#include <mutex>
#include <utility>

namespace lapidary {
namespace {

// The values that a process keeps. The caller decides which, so that both sides know them.
class KeptThere {
public:
    // Begins a question: tells the process to forget values that are no longer known here and, if
    // there are too many, the least recently used ones.
    void begin(const TensorValues& known, Message& question)
    {
        Message keep = Message::array();
        for (Kept& one : m_fresh)
            if (known.contains(one.tensor) && find(one.tensor) == m_kept.end()) {
                keep.push_back(one.tensor);
                m_kept.push_front(std::move(one));
            }
        m_fresh.clear();
        Message forget = Message::array();
        std::uint64_t sum = 0;
        std::erase_if(m_kept, [&](const Kept& one) {
            sum += one.bytes;
            const bool goes = sum > most || !known.contains(one.tensor);
            if (goes)
                forget.push_back(one.tensor);
            return goes;
        });
        question["keep"] = std::move(keep);
        question["forget"] = std::move(forget);
    }

    // Tells whether the process has a value; if not, adds it to the values that it has.
    bool has(const std::string& tensor, const Value& value)
    {
        const auto kept = find(tensor);
        if (kept == m_kept.end()) {
            m_kept.push_front({tensor, bytesHeldBy(value)});
            return false;
        }
        m_kept.splice(m_kept.begin(), m_kept, kept);
        return true;
    }

    void answered(const std::vector<ComputedOutput>& outputs)
    {
        for (const ComputedOutput& output : outputs)
            if (output.value && output.times == 0)
                m_fresh.push_back({output.tensor, bytesHeldBy(*output.value)});
    }

private:
    static constexpr std::uint64_t most = std::uint64_t(256) << 20;
    struct Kept {
        std::string tensor;
        std::uint64_t bytes = 0;
    };
    std::list<Kept>::iterator find(const std::string& tensor)
    {
        return std::ranges::find(m_kept, tensor, &Kept::tensor);
    }

    std::list<Kept> m_kept;    // the most recently used first
    std::vector<Kept> m_fresh; // values of its last answer
};

// Returns the first message to a process, after which it serves only this graph and these feeds.
std::string introduction(const GraphEntry& entry, const std::string& path, const RunPlan& plan)
{
    return encodeMessage({{"work", stepsWork},
                          {"path", path},
                          {"files", filesOf(plan)},
                          {"entry", messageOf(entry)},
                          {"plan", messageOf(plan)}});
}

} // namespace

struct StepProcess::Impl {
    std::timed_mutex mutex;
    GraphPtr graph; // the one that was sent to the process
    GraphPtr run;   // the graph that is run, made from it
    std::string introduction;
    KeptThere kept;
    TalkProcess process;

    bool serves(const GraphPtr& asked, const std::string& words) const
    {
        return process.isRunning() && graph == asked && introduction == words;
    }

    Status start(const GraphEntry& entry, std::string words, bool fuses, const Job& job)
    {
        kept = {};
        graph = entry.graph;
        run = fuses ? fuseGraph(graph).graph : graph;
        introduction = std::move(words);
        return process.start({helper(),
                              {std::string(boxedWorkFlag), "{0}", "{1}"},
                              {sourceOf(introduction), ownGraphSource(*graph)}},
                             job);
    }

    // Sends only those known values that the run starts from and the process does not have.
    std::string question(const TensorRequest& request)
    {
        Message question = {{"tensors", request.tensors}, {"function", request.function}};
        kept.begin(request.known, question);
        Message known = Message::object();
        for (const RunPlan::Feed& feed : planTo(*run, request).feeds)
            if (const auto value = request.known.find(feed.tensor);
                value != request.known.end() && !kept.has(feed.tensor, value->second))
                known[feed.tensor] = messageOf(value->second);
        question["known"] = std::move(known);
        return encodeMessage(question);
    }

    Result<std::vector<ComputedOutput>> step(const TensorRequest& request, const Job& job)
    {
        const std::chrono::seconds limit(runLimits().seconds);
        ASSIGN_OR_RETURN(const TalkAnswer answer, process.ask(question(request), limit, job));
        MemoryPool pool(usualMemoryLimit());
        const auto read = [&](const Message& said) { return computedOutputsOf(said, pool); };
        if (answer.end && answer.end->out.empty())
            return lostError(*answer.end, answer.end->err);
        auto outputs = readAnswer(answer.end ? answer.end->out : answer.text, read);
        if (outputs && !answer.end && request.function.empty())
            kept.answered(*outputs);
        return outputs;
    }
};

StepProcess::StepProcess()
    : m_impl(std::make_unique<Impl>())
{
}

StepProcess::~StepProcess() = default;

Result<std::vector<ComputedOutput>> StepProcess::compute(const GraphEntry& entry,
                                                         const std::string& path,
                                                         const TensorRequest& request,
                                                         const Job& job)
{
    if (helper().empty())
        return computeTensors(entry, path, request, job);
    constexpr std::chrono::milliseconds look{20};
    std::unique_lock lock(m_impl->mutex, std::defer_lock);
    while (!lock.try_lock_for(look))
        if (job.cancelled())
            return cancelledError();
    std::string words = introduction(entry, path, request.plan);
    if (!m_impl->serves(entry.graph, words))
        RETURN_IF_ERROR(m_impl->start(entry, std::move(words), request.plan.session.fuse, job));
    return m_impl->step(request, job);
}

void StepProcess::end()
{
    const std::unique_lock lock(m_impl->mutex, std::try_to_lock);
    if (lock)
        m_impl->process.end();
}

} // namespace lapidary
