// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/edit_rewiring.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace lapidary {
namespace {

void dropRepeatedControls(std::vector<std::string>& inputs)
{
    std::unordered_set<std::string> seen;
    std::erase_if(inputs, [&](const std::string& text) {
        return text.starts_with('^') && !seen.insert(text).second;
    });
}

// Takes out control inputs that were moved and now repeat another one, or wait for a node that is
// read anyway. `isMoved`: one flag for each input.
void dropNeedlessControls(std::vector<std::string>& inputs, const std::vector<char>& isMoved)
{
    if (std::ranges::find(isMoved, 1) == isMoved.end())
        return;
    std::unordered_set<std::string> known; // nodes that are read, and control inputs
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!inputs[i].starts_with('^'))
            known.emplace(parseInput(inputs[i]).node);
        else if (isMoved[i] == 0)
            known.insert(inputs[i]);
    std::size_t at = 0;
    std::erase_if(inputs, [&](const std::string& text) {
        const bool moved = isMoved[at++] != 0;
        return moved && text.starts_with('^') &&
               (known.contains(text.substr(1)) || !known.insert(text).second);
    });
}

} // namespace

EditRewiring::EditRewiring(const GraphEdit& edit)
    : m_edit(edit)
    , m_base(*edit.m_base)
    , m_isNeeded(!edit.m_redirects.empty() ||
                 std::ranges::any_of(edit.m_changes, [](const GraphEdit::Change& change) {
                     return change.isBypassed || change.newName.has_value();
                 }))
{
    if (!m_isNeeded)
        return;
    m_onlyRenames = edit.m_redirects.empty() &&
                    std::ranges::none_of(edit.m_changes, &GraphEdit::Change::isBypassed);
    m_isTouched.assign(m_base.size(), 0);
    for (const GraphEdit::Change& change : m_edit.m_changes)
        if (change.isBypassed || change.newName)
            m_isTouched[change.id.value] = 1;
    for (const auto& [from, to] : m_edit.m_redirects) {
        const NodeId id = m_base.find(parseInput(from).node);
        m_targets.emplace(parseInput(to).node);
        if (id.isValid())
            m_isTouched[id.value] = 1;
        else
            m_redirectsUnknown = true;
    }
}

std::string EditRewiring::canonical(const Input& input)
{
    if (input.isControl())
        return "^" + std::string(input.node);
    if (!input.output.empty())
        return std::string(input.text);
    std::string text(input.node);
    if (input.port > 0)
        text.append(":").append(std::to_string(input.port));
    return text;
}

bool EditRewiring::isTouched(NodeId id) const
{
    return m_isNeeded && (id.isValid() ? m_isTouched[id.value] != 0 : m_redirectsUnknown);
}

bool EditRewiring::readsTouched(NodeId id) const
{
    return m_isNeeded && std::ranges::any_of(m_base.inputs(id), [this](const Endpoint& from) {
               return isTouched(from.node);
           });
}

std::span<const std::string_view> EditRewiring::renamedProducers(NodeId id)
{
    m_renamed.clear();
    bool isAny = false;
    for (const Endpoint& from : m_base.inputs(id)) {
        const GraphEdit::Change* change = m_edit.findChange(from.node);
        const bool isNew = change != nullptr && change->newName &&
                           *change->newName != m_base.node(from.node).name();
        m_renamed.push_back(isNew ? *change->newName : std::string_view());
        isAny |= isNew;
    }
    if (!isAny)
        m_renamed.clear();
    return m_renamed;
}

Status EditRewiring::rewire(std::vector<std::string>& inputs, std::string_view reader,
                            bool redirects) const
{
    if (!m_isNeeded)
        return Done{};
    ASSIGN_OR_RETURN(std::vector<std::string> resolved, resolveAll(inputs, reader, redirects));
    inputs = std::move(resolved);
    applyRenames(inputs);
    return Done{};
}

std::vector<std::string> EditRewiring::inputsOf(NodeId id) const
{
    if (const GraphEdit::Change* change = m_edit.findChange(id); change && change->draft)
        return change->draft->inputs;
    std::vector<std::string> inputs;
    for (const Input& input : m_base.node(id).inputs())
        inputs.emplace_back(input.text);
    return inputs;
}

void EditRewiring::keepEnd(std::vector<std::string>& passed, const std::string& end,
                           const Way& way) const
{
    if (way.isShared)
        for (std::string& text : passed)
            endsOf(way).insert_or_assign(std::move(text), end);
    passed.clear();
}

// Many control inputs of nodes with many readers would make the graph arbitrarily large.
Status EditRewiring::countMoved(std::size_t controls, std::string_view reader) const
{
    constexpr std::size_t most = 1'000'000;
    constexpr std::size_t mostOfEach = 8; // edges, on average
    m_moved += controls;
    if (m_moved <= std::max(most, mostOfEach * m_base.edgeCount()))
        return Done{};
    return editError(std::string(reader) +
                     ": without the nodes before it, it and others would have millions of control "
                     "inputs; keep some of these nodes");
}

// Returns the target of a reference after redirects and bypasses.
Result<std::string> EditRewiring::resolve(std::string text, std::string_view reader, Way way) const
{
    std::unordered_set<std::string> seen;
    std::vector<std::string> passed; // references that lead to `text` without control inputs
    while (true) {
        if (const auto known = endsOf(way).find(text); way.isShared && known != endsOf(way).end()) {
            passed.push_back(std::move(text));
            text = known->second;
        }
        const Input input = parseInput(text);
        const NodeId id = m_base.find(input.node);
        if (!isTouched(id))
            break;
        std::string next;
        const std::vector<std::string>* controls = nullptr;
        const auto redirect = m_edit.m_redirects.find(canonical(input));
        if (way.redirects && redirect != m_edit.m_redirects.end() &&
            parseInput(redirect->second).node != reader) {
            next = redirect->second;
        } else {
            const GraphEdit::Change* change = m_edit.findChange(id);
            if (change == nullptr || !change->isBypassed)
                break;
            ASSIGN_OR_RETURN(next, behindBypass(id, input));
            controls = &passedOn(id).controls;
        }
        if (!seen.insert(text).second)
            return editError(std::string(reader) + ": its input " + text +
                             " is redirected in a circle");
        if (way.controls != nullptr && controls != nullptr && !controls->empty()) {
            keepEnd(passed, text, way); // references from here on need these control inputs
            RETURN_IF_ERROR(countMoved(controls->size(), reader));
            way.controls->insert(way.controls->end(), controls->begin(), controls->end());
        } else {
            passed.push_back(std::move(text));
        }
        text = std::move(next);
    }
    keepEnd(passed, text, way);
    return text;
}

const EditRewiring::PassedOn& EditRewiring::passedOn(NodeId id) const
{
    const auto [place, isNew] = m_passedOn.try_emplace(id.value);
    if (!isNew)
        return place->second;
    for (std::string& own : inputsOf(id)) {
        if (own.starts_with('^'))
            place->second.controls.push_back(std::move(own));
        else if (place->second.source.empty())
            place->second.source = std::move(own);
    }
    return place->second;
}

Result<std::string> EditRewiring::behindBypass(NodeId id, const Input& input) const
{
    const std::string name(m_base.node(id).name());
    const std::string& source = passedOn(id).source;
    if (source.empty())
        return editError(name + ": cannot be bypassed, it has no data input");
    if (input.port > 0)
        return editError(name + ": cannot be bypassed, its output " + std::to_string(input.port) +
                         " is read");
    return input.isControl() ? "^" + std::string(parseInput(source).node) : source;
}

Result<std::vector<std::string>> EditRewiring::resolveAll(const std::vector<std::string>& inputs,
                                                          std::string_view reader,
                                                          bool redirects) const
{
    std::vector<std::string> out;
    std::vector<char> isMoved;
    std::vector<std::string> pending;
    out.reserve(inputs.size());
    const Way way{.controls = &pending,
                  .redirects = redirects,
                  .isShared = redirects && !m_targets.contains(std::string(reader))};
    for (const std::string& text : inputs) {
        ASSIGN_OR_RETURN(std::string resolved, resolve(text, reader, way));
        isMoved.push_back(char(resolved != text));
        out.push_back(std::move(resolved));
    }
    const bool mayRepeat = pending.empty();
    // Control inputs of bypassed nodes may lead to bypassed nodes again.
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < pending.size(); ++i) {
        const std::string text = pending[i];
        if (!seen.insert(text).second)
            continue;
        ASSIGN_OR_RETURN(std::string resolved, resolve(text, reader, way));
        isMoved.push_back(1);
        out.push_back(std::move(resolved));
    }
    // Merge and RefMerge run as soon as one of their inputs is available, but wait for each control
    // input.
    const NodeId id = m_base.find(reader);
    if (!id.isValid() || !m_base.node(id).op().ends_with("Merge"))
        dropNeedlessControls(out, isMoved);
    if (!mayRepeat)
        dropRepeatedControls(out);
    return out;
}

void EditRewiring::applyRenames(std::vector<std::string>& inputs) const
{
    for (std::string& text : inputs) {
        const Input input = parseInput(text);
        const NodeId id = m_base.find(input.node);
        const GraphEdit::Change* change = m_edit.findChange(id);
        if (change == nullptr || !change->newName)
            continue;
        const auto start = std::size_t(input.node.data() - text.data());
        text.replace(start, input.node.size(), *change->newName);
    }
}

NodeId EditRewiring::sourceOf(NodeId id) const
{
    const Result<std::string> text =
        resolve(std::string(m_base.node(id).name()), "", {.redirects = true, .isShared = true});
    return text.ok() ? m_base.find(parseInput(*text).node) : NodeId();
}

} // namespace lapidary
