// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reports/diff_report.h"

#include "graph_model/base/printable.h"
#include "graph_model/graph/function.h"

#include <cstdio>
#include <ostream>
#include <sstream>

namespace lapidary {
namespace {

Json inputTexts(const Node& node)
{
    Json texts = Json::array();
    for (const Input& input : node.inputs())
        texts.push_back(input.text);
    return texts;
}

std::string shownInputs(const Node& node)
{
    std::string text;
    for (const Input& input : node.inputs())
        text += (text.empty() ? "" : ", ") + printable(input.text);
    return "(" + text + ")";
}

std::string shownNode(const Node& node)
{
    return printable(node.name()) + " (" + printable(node.op()) + ")";
}

Json optionalJson(const std::optional<std::string>& text)
{
    return text ? Json(*text) : Json(nullptr);
}

std::string shownOptional(const std::optional<std::string>& text)
{
    return text ? printable(*text) : "nothing";
}

Json constantJson(const ConstantChange& constant, std::string name)
{
    const TensorChange& change = constant.change;
    return {{"node", std::move(name)},       {"attr", constant.attr},
            {"max_abs", change.maxAbs},      {"changed", change.changed},
            {"elements", change.elements},   {"max_rel", change.maxRel},
            {"mean_abs", change.meanAbs},    {"rms", change.rootMeanSquare},
            {"non_finite", change.nonFinite}};
}

std::string shownNumber(double number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", number);
    return text;
}

// Returns a relative difference as text; it is huge if a value was nearly zero.
std::string shownShare(double share)
{
    constexpr double most = 10;
    return share <= most ? shownNumber(share * 100) + " % of the value"
                         : "many times a value near zero";
}

std::string shownChange(const TensorChange& change)
{
    std::ostringstream text;
    text << change.changed << " of " << change.elements << " values changed";
    if (change.isNumeric)
        text << ", by at most " << shownNumber(change.maxAbs) << " (" << shownShare(change.maxRel)
             << ")";
    if (change.nonFinite > 0)
        text << ", " << change.nonFinite << " of them infinite or NaN";
    return text.str();
}

// Returns "2 added, 1 rewired", or a sentence if nothing differs.
std::string countsOf(const GraphDiff& diff)
{
    struct Counted {
        std::size_t count;
        const char* one;
        const char* more;
    };
    const Counted counts[] = {
        {diff.added.size(), "added", "added"},
        {diff.removed.size(), "removed", "removed"},
        {diff.renamed.size(), "renamed", "renamed"},
        {diff.rewired.size(), "rewired", "rewired"},
        {diff.ops.size(), "with another op", "with another op"},
        {diff.attributes.size(), "attribute changed", "attributes changed"},
        {diff.constants.size(), "constant changed", "constants changed"},
        {diff.addedFunctions.size(), "function added", "functions added"},
        {diff.removedFunctions.size(), "function removed", "functions removed"},
        {diff.functions.size(), "function changed", "functions changed"},
    };
    std::string text;
    for (const Counted& row : counts)
        if (row.count > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(row.count) + " " +
                    (row.count == 1 ? row.one : row.more);
    if (text.empty())
        text = diff.isSame() ? "The graphs are the same." : "No node differs.";
    return text;
}

GraphPtr bodyOf(const Graph& graph, std::string_view function)
{
    // Not null, since the function was compared.
    const FunctionPtr found = graph.functions()->find(function);
    return found->body;
}

} // namespace

Json DiffReport::changesJson() const
{
    Json json = {{"added", Json::array()},      {"removed", Json::array()},
                 {"renamed", Json::array()},    {"rewired", Json::array()},
                 {"attributes", Json::array()}, {"constants", Json::array()},
                 {"ops", Json::array()}};
    for (const NodeId id : m_diff.added)
        json["added"].push_back(after(id));
    for (const NodeId id : m_diff.removed)
        json["removed"].push_back(before(id));
    for (const NodePair& pair : m_diff.renamed)
        json["renamed"].push_back(Json::array({before(pair.before), after(pair.after)}));
    for (const NodePair& pair : m_diff.rewired)
        json["rewired"].push_back({{"node", before(pair.before)},
                                   {"before", inputTexts(m_before.node(pair.before))},
                                   {"after", inputTexts(m_after.node(pair.after))}});
    for (const AttributeChange& change : m_diff.attributes)
        json["attributes"].push_back({{"node", before(change.node.before)},
                                      {"attr", change.attr},
                                      {"kind", attributeKindName(change.kind)},
                                      {"before", optionalJson(change.before)},
                                      {"after", optionalJson(change.after)}});
    for (const ConstantChange& constant : m_diff.constants)
        json["constants"].push_back(constantJson(constant, before(constant.node.before)));
    for (const NodePair& pair : m_diff.ops)
        json["ops"].push_back({{"node", before(pair.before)},
                               {"before", m_before.node(pair.before).op()},
                               {"after", m_after.node(pair.after).op()}});
    return json;
}

Json DiffReport::functionsJson() const
{
    Json changed = Json::array();
    for (const FunctionChange& function : m_diff.functions) {
        Json entry = {{"name", function.name}, {"signature", function.signature}};
        if (function.body != nullptr) {
            const GraphPtr left = bodyOf(m_before, function.name);
            const GraphPtr right = bodyOf(m_after, function.name);
            entry.update(DiffReport(*left, *right, *function.body).changesJson());
        }
        changed.push_back(std::move(entry));
    }
    return {{"added", m_diff.addedFunctions},
            {"removed", m_diff.removedFunctions},
            {"changed", std::move(changed)}};
}

Json DiffReport::json() const
{
    Json json = changesJson();
    json["functions"] = functionsJson();
    json["gradients"] = m_diff.gradients;
    json["versions"] = m_diff.versions;
    json["same"] = m_diff.isSame();
    return json;
}

void DiffReport::print(std::ostream& out) const
{
    out << countsOf(m_diff) << '\n';
    printNodes(out);
    printValues(out);
    printFunctions(out);
}

void DiffReport::printNodes(std::ostream& out) const
{
    for (const NodeId id : m_diff.removed)
        out << "- " << shownNode(m_before.node(id)) << '\n';
    for (const NodeId id : m_diff.added)
        out << "+ " << shownNode(m_after.node(id)) << '\n';
    for (const NodePair& pair : m_diff.renamed)
        out << "~ " << printable(before(pair.before)) << ": now called "
            << printable(after(pair.after)) << '\n';
    for (const NodePair& pair : m_diff.ops)
        out << "~ " << printable(before(pair.before)) << ": op "
            << printable(m_before.node(pair.before).op()) << " -> "
            << printable(m_after.node(pair.after).op()) << '\n';
    for (const NodePair& pair : m_diff.rewired)
        out << "~ " << printable(before(pair.before)) << ": inputs "
            << shownInputs(m_before.node(pair.before)) << " -> "
            << shownInputs(m_after.node(pair.after)) << '\n';
}

void DiffReport::printValues(std::ostream& out) const
{
    for (const AttributeChange& change : m_diff.attributes)
        out << "~ " << printable(before(change.node.before)) << ": " << printable(change.attr)
            << " " << shownOptional(change.before) << " -> " << shownOptional(change.after) << '\n';
    for (const ConstantChange& constant : m_diff.constants)
        out << "~ " << printable(before(constant.node.before)) << ": " << constant.attr << ": "
            << shownChange(constant.change) << '\n';
}

void DiffReport::printFunctions(std::ostream& out) const
{
    for (const std::string& name : m_diff.removedFunctions)
        out << "- function " << printable(name) << '\n';
    for (const std::string& name : m_diff.addedFunctions)
        out << "+ function " << printable(name) << '\n';
    for (const FunctionChange& function : m_diff.functions) {
        out << "~ function " << printable(function.name)
            << (function.signature ? ", arguments or results changed" : "") << ":\n";
        if (function.body == nullptr)
            continue;
        const GraphPtr left = bodyOf(m_before, function.name);
        const GraphPtr right = bodyOf(m_after, function.name);
        DiffReport(*left, *right, *function.body).print(out);
    }
    if (m_diff.gradients)
        out << "~ gradients of functions\n";
    if (m_diff.versions)
        out << "~ versions\n";
}

} // namespace lapidary
