// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/serve_steps.h"

#include "app/boxed/plan_message.h"
#include "app/boxed/value_message.h"
#include "app/boxed/work.h"
#include "runner/box/talk_process.h"
#include "runner/guard/machine_memory.h"
#include "runner/setup/compute_tensors.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <unistd.h>

namespace lapidary {
namespace {

// One graph, its feeds, and the values that are kept.
class Steps {
public:
    Steps(const Message& asked, const std::string& graphFile)
        : m_path(asked.at("path"))
        , m_entry(entryOf(asked.at("entry")))
        , m_plan(runPlanOf(asked.at("plan"), m_pool))
    {
        auto read = readGraphOf(graphFile, Job());
        if (read)
            m_entry.graph = *std::move(read);
        else
            m_fault = read.error();
    }

    Result<Message> compute(const Message& question, const Job& job)
    {
        if (m_fault)
            return *m_fault;
        keep(question);
        TensorRequest request{.tensors = question.at("tensors").get<std::vector<std::string>>(),
                              .plan = m_plan,
                              .known = m_kept,
                              .function = question.at("function")};
        auto outputs = computeTensors(m_entry, m_path, request, job);
        if (!outputs)
            return outputs.error();
        m_last = *std::move(outputs);
        return messageOf(m_last);
    }

private:
    void keep(const Message& question)
    {
        const auto kept = question.at("keep").get<std::vector<std::string>>();
        for (const ComputedOutput& output : m_last)
            if (output.value && std::ranges::find(kept, output.tensor) != kept.end())
                m_kept.insert_or_assign(output.tensor, *output.value);
        m_last.clear();
        for (const Message& tensor : question.at("forget"))
            m_kept.erase(tensor.get<std::string>());
        // Only for this step; values that were freed do not count.
        MemoryPool pool(usualMemoryLimit());
        for (const auto& [tensor, known] : question.at("known").items())
            if (auto value = valueOf(known, pool))
                m_kept.insert_or_assign(tensor, *std::move(value));
    }

    std::string m_path;
    MemoryPool m_pool{usualMemoryLimit()}; // for the values that are fed
    GraphEntry m_entry;
    RunPlan m_plan;
    std::optional<Error> m_fault; // the reason why there is no graph
    TensorValues m_kept;
    std::vector<ComputedOutput> m_last;
};

std::string textOf(const Result<Message>& made)
{
    return encodeMessage(made ? Message{{"result", *made}}
                              : Message{{"error", messageOf(made.error())}});
}

} // namespace

void serveSteps(const Message& asked, const std::string& graphFile)
{
    Steps steps(asked, graphFile);
    answerQuestions(STDIN_FILENO, [&](std::string_view text, const Job& job) {
        const auto made = decodeMessage(
            text, [&](const Message& question) { return textOf(steps.compute(question, job)); });
        return made ? *made : textOf(made.error());
    });
}

} // namespace lapidary
