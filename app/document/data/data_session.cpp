// SPDX-License-Identifier: Apache-2.0
#include "app/document/data/data_session.h"

#include "runner/node_data/cost_data.h"
#include "runner/setup/estimate_cost.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace lapidary {

using nlohmann::json;

namespace {

constexpr const char* costKind = "cost";

// The program's own columns come first, so that the columns of files keep their order.
int rankOf(const std::string& kind)
{
    return kind == costKind ? 0 : kind.empty() ? 2 : 1;
}

std::string textAt(const json& object, const char* key)
{
    const json text = object.is_object() ? object.value(key, json()) : json();
    return text.is_string() ? text.get<std::string>() : std::string();
}

std::optional<NodeData> columnOf(const json& kept)
{
    NodeData data;
    data.name = textAt(kept, "name");
    const json scopes = kept.is_object() ? kept.value("scopes", json()) : json();
    if (scopes.is_number_integer() && scopes.get<int>() >= 0 && scopes.get<int>() <= 3)
        data.ofScope = ScopeNumber(scopes.get<int>());
    return data.name.empty() ? std::nullopt : std::optional(data);
}

// Returns the data of a column. Columns are those of the table, which may be older than
// `held`.
template <class HeldList>
auto placeOf(HeldList& held, const DataTablePtr& table, std::size_t column)
{
    if (!table || column >= table->columns().size())
        return held.end();
    const DataTable::Column& wanted = table->columns()[column];
    return std::ranges::find_if(held, [&](const auto& one) {
        return one.data.source == wanted.source && one.data.name == wanted.name;
    });
}

} // namespace

DataSession::DataSession(QObject* parent)
    : QObject(parent)
{
    for (LatestJob* job : {&m_readJob, &m_costJob, &m_matchJob})
        connect(job, &LatestJob::runningChanged, this, &DataSession::busyChanged);
}

bool DataSession::isBusy() const
{
    return m_readJob.isRunning() || m_costJob.isRunning() || m_matchJob.isRunning();
}

void DataSession::open(const std::filesystem::path& path)
{
    std::error_code failed;
    const auto whole = std::filesystem::absolute(path, failed);
    m_wanted.push_back({failed ? path : whole, {}});
    readNext();
}

void DataSession::readNext()
{
    if (m_readJob.isRunning() || m_wanted.empty())
        return;
    m_failure.clear();
    const Wanted wanted = m_wanted.front();
    m_wanted.pop_front();
    m_readJob.start([path = wanted.path](const Job& job) { return readNodeData(path, job); },
                    [this, wanted](Result<std::vector<NodeData>> data) {
                        take(wanted, std::move(data));
                        readNext();
                    });
}

void DataSession::take(const Wanted& wanted, Result<std::vector<NodeData>> data)
{
    if (!data) {
        m_failure = plainText(data.error().message);
        emit changed();
        return;
    }
    const bool isRestored = !wanted.only.empty();
    std::erase_if(m_held, [&](const Held& held) {
        return held.kind.empty() && held.path == wanted.path && !isRestored;
    });
    for (NodeData& column : *data) {
        const auto kept = std::ranges::find(wanted.only, column.name, &NodeData::name);
        if (isRestored && kept == wanted.only.end())
            continue;
        if (isRestored)
            column.ofScope = kept->ofScope;
        m_held.push_back({{}, wanted.path, std::move(column)});
    }
    if (!isRestored) {
        const NodeData& first = m_held[m_held.size() - data->size()].data;
        m_shown = Name{first.source, first.name};
        emit opened();
    }
    match();
}

void DataSession::remove(std::size_t column)
{
    const auto held = placeOf(m_held, m_table, column);
    if (held == m_held.end() || !held->kind.empty())
        return;
    if (shown() == column)
        hide();
    m_held.erase(held);
    match();
}

bool DataSession::isOfFile(std::size_t column) const
{
    const auto held = placeOf(m_held, m_table, column);
    return held != m_held.end() && held->kind.empty();
}

void DataSession::setScopeNumber(std::size_t column, ScopeNumber number)
{
    const auto held = placeOf(m_held, m_table, column);
    if (held == m_held.end())
        return;
    held->data.ofScope = number;
    match();
}

void DataSession::setFound(const std::string& kind, std::vector<NodeData> data)
{
    const auto erased = std::erase_if(m_held, [&](const Held& held) { return held.kind == kind; });
    if (erased == 0 && data.empty())
        return;
    const auto place = std::ranges::find_if(
        m_held, [&](const Held& held) { return rankOf(held.kind) > rankOf(kind); });
    std::vector<Held> found;
    for (NodeData& column : data)
        found.push_back({kind, {}, std::move(column)});
    m_held.insert(place, std::make_move_iterator(found.begin()),
                  std::make_move_iterator(found.end()));
    match();
}

void DataSession::wantCost()
{
    if (std::exchange(m_wantsCost, true))
        return;
    renewCost();
}

void DataSession::setGraph(PreparationPtr preparation, ShapesPtr shapes)
{
    const bool isSame = preparation == m_preparation && shapes == m_shapes;
    m_preparation = std::move(preparation);
    m_shapes = std::move(shapes);
    if (isSame)
        return;
    renewCost();
    match();
}

void DataSession::renewCost()
{
    if (!m_wantsCost || !m_preparation || !m_shapes)
        return;
    m_costJob.start(
        [preparation = m_preparation,
         shapes = m_shapes](const Job& job) -> Result<std::vector<NodeData>> {
            const Graph& graph = preparation->graph();
            ASSIGN_OR_RETURN(const GraphCost cost, proposedCost(graph, *shapes, job));
            return costData(graph, cost);
        },
        [this](Result<std::vector<NodeData>> data) {
            if (data)
                setFound(costKind, *std::move(data));
        });
}

void DataSession::match()
{
    if (!m_preparation || m_held.empty()) {
        m_matchJob.cancel();
        m_table.reset();
        emit changed();
        return;
    }
    std::vector<NodeData> data;
    for (const Held& held : m_held)
        data.push_back(held.data);
    m_matchJob.start([data = std::move(data), graph = m_preparation->sharedGraph()](
                         const Job& job) { return DataTable::make(graph, data, job); },
                     [this](Result<DataTablePtr> table) {
                         if (table)
                             m_table = *std::move(table);
                         emit changed();
                     });
}

std::optional<std::size_t> DataSession::shown() const
{
    if (!m_table || !m_shown)
        return {};
    const auto& columns = m_table->columns();
    const auto found = std::ranges::find_if(columns, [&](const DataTable::Column& column) {
        return Name{column.source, column.name} == *m_shown;
    });
    return found == columns.end() ? std::nullopt
                                  : std::optional(std::size_t(found - columns.begin()));
}

void DataSession::show(std::size_t column)
{
    if (m_table && column < m_table->columns().size())
        showNamed(m_table->columns()[column].source, m_table->columns()[column].name);
}

void DataSession::showNamed(const std::string& source, const std::string& name)
{
    m_shown = Name{source, name};
    emit shownChanged();
}

void DataSession::hide()
{
    m_shown.reset();
    emit shownChanged();
}

json DataSession::remembered() const
{
    json files = json::array();
    for (const Held& held : m_held)
        if (held.kind.empty())
            files.push_back({{"path", held.path.string()},
                             {"name", held.data.name},
                             {"scopes", int(held.data.ofScope)}});
    json state{{"columns", files}, {"cost", m_wantsCost}};
    if (m_shown)
        state["shown"] = {{"source", m_shown->source}, {"name", m_shown->name}};
    return state;
}

void DataSession::restore(const json& state)
{
    if (!state.is_object())
        return;
    const json columns = state.value("columns", json());
    std::vector<Wanted> files;
    for (const json& column : columns.is_array() ? columns : json::array()) {
        const std::filesystem::path path = textAt(column, "path");
        const auto kept = columnOf(column);
        if (path.empty() || !kept)
            continue;
        auto file = std::ranges::find(files, path, &Wanted::path);
        if (file == files.end())
            file = files.insert(files.end(), Wanted{path, {}});
        file->only.push_back(*kept);
    }
    std::erase_if(m_held, [](const Held& held) { return held.kind.empty(); });
    m_wanted.assign(files.begin(), files.end());
    const json shown = state.value("shown", json());
    if (const std::string name = textAt(shown, "name"); !name.empty())
        m_shown = Name{textAt(shown, "source"), name};
    const json cost = state.value("cost", json());
    if (cost.is_boolean() && cost.get<bool>())
        wantCost();
    readNext();
}

} // namespace lapidary
