// SPDX-License-Identifier: Apache-2.0
#include "app/document/file/graph_choice.h"

#include "app/document/base/document_work.h"
#include "app/document/file/opened_file.h"
#include "app/document/picture/picture.h"
#include "graph_model/explore/served_network.h"
#include "graph_model/graph/function.h"
#include "views/models/display_text.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QString networkTitle(const GraphEntry& network)
{
    return network.signatures.empty() ? plainText(network.title)
                                      : u"network of "_s + plainText(network.title);
}

} // namespace

GraphChoice::GraphChoice(DocumentWork& work, const OpenedFile& file, const Picture& picture,
                         QObject* parent)
    : QObject(parent)
    , m_work(work)
    , m_file(file)
    , m_picture(picture)
{
}

VariableStore GraphChoice::variables() const
{
    return {m_file.checkpoint(), m_file.isUsable() ? entry().bound : BoundInputs()};
}

const GraphEntry& GraphChoice::entry() const
{
    return m_file.model()->graphs[std::size_t(m_entry)];
}

QStringList GraphChoice::titles() const
{
    QStringList titles;
    if (!m_file.model() || m_file.model()->graphs.empty())
        return titles;
    for (const GraphEntry& entry : m_file.model()->graphs)
        titles.append(entry.title.empty() ? u"main graph"_s : plainText(entry.title));
    if (network() != nullptr)
        titles.append(networkTitle(*network()));
    const FunctionLibrary* library = entry().graph->functions();
    constexpr std::size_t mostFunctions = 500;
    if (library != nullptr && library->functions.size() <= mostFunctions)
        for (const FunctionPtr& function : library->functions)
            titles.append(u"\u0192 "_s + plainText(function->name));
    return titles;
}

int GraphChoice::number() const
{
    if (isInNetwork())
        return int(m_file.model()->graphs.size());
    return isInFunction() ? int(titles().indexOf(u"\u0192 "_s + m_function)) : m_entry;
}

void GraphChoice::choose(int number)
{
    if (!m_file.model() || number < 0 || number == this->number())
        return;
    const std::size_t graphs = m_file.model()->graphs.size();
    if (number == m_entry)
        return closeFunctions(0);
    if (std::size_t(number) < graphs)
        return start(number);
    const bool hasNetwork = network() != nullptr;
    if (hasNetwork && std::size_t(number) == graphs) {
        m_callers.clear();
        return openNetwork();
    }
    const FunctionLibrary* library = entry().graph->functions();
    const std::size_t function = std::size_t(number) - graphs - (hasNetwork ? 1 : 0);
    if (library != nullptr && function < library->functions.size())
        openFunction(std::string(library->functions[function]->name));
}

void GraphChoice::start(int entry)
{
    m_callers.clear();
    m_function.clear();
    m_isInNetwork = false;
    m_entry = std::clamp(entry, 0, int(m_file.model()->graphs.size()) - 1);
    emit entryChosen();
}

bool GraphChoice::isOriginal() const
{
    return isInFunction() || !m_file.isUsable() || m_picture.graph() == entry().graph;
}

QStringList GraphChoice::path() const
{
    QStringList path;
    for (const Frame& frame : m_callers)
        path.append(frame.title);
    path.append(isInFunction() ? m_function : m_file.title());
    return path;
}

std::string GraphChoice::function() const
{
    return isInFunction() ? m_function.toStdString() : std::string();
}

const GraphEntry* GraphChoice::network() const
{
    return m_file.isUsable() ? m_file.network(m_entry) : nullptr;
}

std::string GraphChoice::nameInFile(const std::string& tensor) const
{
    if (!isInNetwork() || network()->signatures.empty())
        return tensor;
    const auto& mine = network()->signatures.front().outputs;
    const std::optional<Signature> file = servedSignature(entry());
    for (std::size_t i = 0; file && i < std::min(mine.size(), file->outputs.size()); ++i)
        if (mine[i].tensor == tensor)
            return file->outputs[i].tensor;
    return tensor;
}

void GraphChoice::openNetwork(const OpenPaths& open)
{
    if (network() == nullptr || isInNetwork())
        return;
    m_callers = {{m_file.title(), entry().graph, std::nullopt}};
    m_isInNetwork = true;
    m_function = plainText(network()->title);
    emit functionChosen(network()->graph, open);
}

void GraphChoice::openFunction(const std::string& name)
{
    const FunctionLibrary* library = m_file.model() ? entry().graph->functions() : nullptr;
    const FunctionPtr function = library != nullptr ? library->find(name) : nullptr;
    if (!function || !function->body) {
        emit m_work.notice(u"There is no function %1 in this file"_s.arg(plainText(name)));
        return;
    }
    // The recipe finds a state again, so the original is stored.
    const GraphPtr caller = isInFunction() ? m_picture.graph() : entry().graph;
    m_callers.push_back({path().constLast(), caller, openPaths(m_picture)});
    m_function = plainText(name);
    emit functionChosen(function->body, std::nullopt);
}

void GraphChoice::closeFunctions(int depth)
{
    if (depth < 0 || depth >= int(m_callers.size()))
        return;
    const Frame frame = m_callers[std::size_t(depth)];
    m_callers.resize(std::size_t(depth));
    m_function = depth == 0 ? QString() : frame.title;
    m_isInNetwork = m_isInNetwork && depth > 0;
    emit functionChosen(frame.graph, frame.open);
}

} // namespace lapidary
