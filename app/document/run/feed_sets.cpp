// SPDX-License-Identifier: Apache-2.0
// Named sets of feeds.
#include "app/document/file/interface_session.h"
#include "app/document/run/feed_session.h"
#include "graph_model/interface/interface_flags.h"

#include <nlohmann/json.hpp>

namespace lapidary {

FeedSession::FeedSet FeedSession::fedNow() const
{
    FeedSet set;
    for (const FedInput& input : m_inputs)
        set[input.tensor.tensor] = {input.words, input.tensor.shape.unknownRank
                                                     ? std::string()
                                                     : typedShape(input.tensor.shape)};
    return set;
}

void FeedSession::keepSet(const std::string& name)
{
    if (name.empty())
        return;
    m_sets[name] = fedNow();
    emit changed();
}

bool FeedSession::useSet(const std::string& name)
{
    const auto found = m_sets.find(name);
    if (found == m_sets.end())
        return false;
    const FeedSet set = found->second;
    for (const auto& [tensor, fed] : set) {
        m_words[tensor] = fed.words;
        const auto shape = fed.shape.empty() ? Result<Shape>(Error()) : parseShape(fed.shape);
        if (shape)
            setShape(tensor, *shape);
    }
    renew();
    emit changed();
    return true;
}

void FeedSession::forgetSet(const std::string& name)
{
    if (m_sets.erase(name) > 0)
        emit changed();
}

std::vector<std::string> FeedSession::setNames() const
{
    std::vector<std::string> names;
    for (const auto& [name, set] : m_sets)
        names.push_back(name);
    return names;
}

std::string FeedSession::currentSet() const
{
    const FeedSet now = fedNow();
    for (const auto& [name, set] : m_sets)
        if (set == now)
            return name;
    return {};
}

nlohmann::json FeedSession::rememberedSets() const
{
    nlohmann::json sets = nlohmann::json::object();
    for (const auto& [name, set] : m_sets) {
        nlohmann::json& kept = sets[name] = nlohmann::json::object();
        for (const auto& [tensor, fed] : set)
            kept[tensor] = {fed.words, fed.shape};
    }
    return sets;
}

void FeedSession::restoreSets(const nlohmann::json& state)
{
    m_sets.clear();
    if (!state.is_object())
        return;
    for (const auto& [name, kept] : state.items()) {
        if (!kept.is_object())
            continue;
        FeedSet& set = m_sets[name];
        for (const auto& [tensor, fed] : kept.items())
            if (fed.is_array() && fed.size() == 2 && fed[0].is_string() && fed[1].is_string())
                set[tensor] = {fed[0].get<std::string>(), fed[1].get<std::string>()};
    }
}

} // namespace lapidary
