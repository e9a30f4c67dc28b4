// SPDX-License-Identifier: Apache-2.0
#include "app/document/file/search_session.h"

#include "transforms/support/explain_message.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

constexpr std::int32_t mostOutputs = 4;
constexpr std::size_t mostInputs = 8;

std::string sizes(const Shape& shape)
{
    if (shape.unknownRank)
        return {};
    std::string out;
    for (const std::int64_t dim : shape.dims)
        out += (out.empty() ? "" : "x") + (dim < 0 ? std::string("?") : std::to_string(dim));
    return shape.dims.empty() ? "scalar" : out;
}

void append(std::string& out, const std::string& word)
{
    if (!word.empty())
        out += (out.empty() ? "" : " ") + word;
}

// Returns the nodes that a message of another program is about; none if the query is not such a
// message.
std::optional<SearchAnswer> answerToMessage(const Graph& graph, std::string_view query)
{
    auto message = parseKernelMessage(query);
    if (!message)
        return {};
    const MessageAnswer explained = explainMessage(graph, *std::move(message), OpSupport());
    SearchAnswer answer;
    for (const NodeId id : explained.nodes)
        answer.hits.push_back({id, SearchField::Op});
    answer.note = explanationOf(explained);
    return answer;
}

} // namespace

SearchFacts searchFacts(const Graph& graph, const InferredShapes* shapes, NodeId id)
{
    SearchFacts facts;
    for (std::int32_t port = 0; port < mostOutputs; ++port) {
        const TensorLabel tensor = knownTensor(graph, shapes, {id, port});
        if (tensor.dtype == DType::Invalid && tensor.shape.unknownRank)
            break;
        if (tensor.dtype != DType::Invalid)
            append(facts.dtype, dtypeName(tensor.dtype));
        if (!tensor.shape.unknownRank)
            append(facts.shape, sizes(tensor.shape));
    }
    const std::span<const Endpoint> inputs = graph.inputs(id);
    for (const Endpoint& from : inputs.first(std::min(inputs.size(), mostInputs))) {
        if (!from.node.isValid() || from.isControl())
            continue;
        const TensorLabel tensor = knownTensor(graph, shapes, from);
        // Inputs are listed by index: the second one of a convolution is its filter.
        append(facts.inputShapes, tensor.shape.unknownRank ? "?" : sizes(tensor.shape));
    }
    return facts;
}

SearchSession::SearchSession(QObject* parent)
    : QObject(parent)
{
    connect(&m_job, &LatestJob::runningChanged, this, &SearchSession::busyChanged);
}

void SearchSession::setGraph(PreparationPtr preparation, GraphShapesPtr shapes)
{
    const bool isSameGraph = m_preparation && preparation && m_shapes == shapes &&
                             m_preparation->sharedGraph() == preparation->sharedGraph();
    const bool isOther =
        m_preparation && preparation && m_preparation->sharedGraph() != preparation->sharedGraph();
    if (isOther) { // hits are nodes of the previous graph
        m_answer = {};
        m_current = -1;
    }
    m_preparation = std::move(preparation);
    m_shapes = std::move(shapes);
    if (!isSameGraph)
        m_index.reset();
    if (!m_query.isEmpty())
        ask();
}

void SearchSession::setQuery(const QString& query)
{
    if (m_query == query)
        return;
    m_query = query;
    ask();
}

void SearchSession::ask()
{
    m_current = -1;
    if (!m_preparation || m_query.trimmed().isEmpty()) {
        m_job.cancel();
        m_answer = {};
        emit answered();
        return;
    }
    struct Found {
        SearchIndexPtr index;
        SearchAnswer answer;
    };
    const PreparationPtr preparation = m_preparation;
    const auto work = [preparation, index = m_index, shapes = m_shapes,
                       query = m_query.toStdString()](const Job& job) -> Result<Found> {
        Found found{index, {}};
        if (!found.index) {
            const auto facts = [known = shapes ? &shapes->inferred : nullptr](const Graph& graph,
                                                                              NodeId id) {
                return searchFacts(graph, known, id);
            };
            ASSIGN_OR_RETURN(auto made, SearchIndex::make(preparation->sharedGraph(), facts, job));
            found.index = std::move(made);
        }
        if (auto answer = answerToMessage(*preparation->sharedGraph(), query)) {
            found.answer = *std::move(answer);
        } else {
            ASSIGN_OR_RETURN(found.answer, found.index->find(query, job));
        }
        // Sorts hits by scope, as the list does, so that steps go down the list.
        const ScopeTree& tree = preparation->tree();
        std::stable_sort(found.answer.hits.begin(), found.answer.hits.end(),
                         [&tree](const SearchHit& a, const SearchHit& b) {
                             return tree.parentOf(a.node) < tree.parentOf(b.node);
                         });
        return found;
    };
    m_job.start(work, [this](Result<Found> result) {
        if (!result) {
            emit failed(plainText(result.error().message));
            return;
        }
        m_index = result->index;
        m_answer = std::move(result->answer);
        emit answered();
    });
}

NodeId SearchSession::currentNode() const
{
    return m_current < 0 ? NodeId{} : m_answer.hits[std::size_t(m_current)].node;
}

void SearchSession::step(int by)
{
    const int count = int(m_answer.hits.size());
    if (count == 0)
        return;
    setCurrent(m_current < 0 ? (by > 0 ? 0 : count - 1) : (m_current + by + count) % count);
}

void SearchSession::setCurrent(int number)
{
    if (number < 0 || number >= int(m_answer.hits.size()))
        return;
    m_current = number;
    emit currentChanged();
}

} // namespace lapidary
