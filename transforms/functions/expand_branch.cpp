// SPDX-License-Identifier: Apache-2.0
// If and Case become a Switch for each input, the bodies, and a Merge for each output. A Case is a
// chain: each branch but the last gets its inputs if the index equals its number, so that an index
// out of range selects the last one, as in the op.
#include "graph_model/graph/attr_value.h"
#include "transforms/constants/const_node.h"
#include "transforms/functions/body_copy.h"
#include "transforms/functions/expansions.h"

#include <algorithm>

namespace lapidary {
namespace {

class BranchExpansion {
public:
    BranchExpansion(Expander& expander, const ExpansionSite& site,
                    std::vector<BoundFunction> branches)
        : m_expander(expander)
        , m_site(site)
        , m_branches(std::move(branches))
        , m_isCase(!site.node.finish()->attr("branches").functionNames().empty())
        , m_arguments(dataInputs(site.node))
    {
        m_condition = m_arguments.front();
        m_arguments.erase(m_arguments.begin());
    }

    Status run()
    {
        waitForInputs();
        m_pivot = m_condition;
        for (std::size_t i = 0; i < m_branches.size(); ++i)
            RETURN_IF_ERROR(addBranch(i));
        join();
        return Done{};
    }

private:
    const std::vector<DType>& argumentTypes() const { return m_branches.front().argumentTypes; }
    DType conditionType() const { return m_isCase ? DType::Int32 : DType::Bool; }

    std::string addNode(const std::string& name, const char* op, std::vector<std::string> inputs,
                        DType type)
    {
        NodeDraft node =
            newNode(m_expander.uniqueName(m_site.node.name + "/" + name), op, std::move(inputs));
        node.device = m_site.node.device;
        node.setAttr("T", attr::fromType(type));
        const std::string made = node.name;
        m_expander.add(std::move(node));
        return made;
    }

    // Makes the branches begin when all inputs are there, and the effects before them are done.
    void waitForInputs()
    {
        std::vector<std::string> waits = controlInputs(m_site.node);
        std::vector<std::string> more;
        for (std::size_t i = 0; i < m_arguments.size(); ++i)
            if (m_site.inputEffects[i + 1] != Effects::None)
                more.push_back(waitFor(m_arguments[i]));
        addOnce(waits, more);
        if (waits.empty())
            return;
        waits.insert(waits.begin(), m_condition);
        m_condition = addNode("condition", "Identity", std::move(waits), conditionType());
    }

    bool isRead(std::size_t argument, std::size_t fromBranch) const
    {
        return std::any_of(m_branches.begin() + std::ptrdiff_t(fromBranch), m_branches.end(),
                           [&](const BoundFunction& branch) {
                               const Endpoint at = branch.arguments[argument];
                               return std::ranges::any_of(
                                   branch.graph->consumers(at.node), [&](const Consumer& reader) {
                                       return reader.isControl() || reader.port == at.port;
                                   });
                           });
    }

    // Returns the tensor that tells whether the branch is taken.
    std::string predicate(std::size_t branch)
    {
        if (!m_isCase)
            return m_condition;
        const std::string number = std::to_string(branch);
        NodeDraft index = intConst(m_expander.uniqueName(m_site.node.name + "/" + number), {},
                                   std::vector<std::int32_t>{std::int32_t(branch)});
        index.device = m_site.node.device;
        if (m_site.inTurn)
            index.inputs.push_back(waitFor(m_condition));
        const std::string name = index.name;
        m_expander.add(std::move(index));
        return addNode("is_" + number, "Equal", {m_condition, name}, DType::Int32);
    }

    Status addBranch(std::size_t i)
    {
        const bool isLast = i + 1 == m_branches.size();
        const std::string predicateText = isLast ? "" : predicate(i);
        BodySite body;
        // Switches a value to this branch; otherwise it goes on to the later ones.
        const auto take = [&](std::string& text, DType type, const char* name) {
            if (isLast)
                return text;
            const std::string node = addNode(name, "Switch", {text, predicateText}, type);
            text = node;
            return outputText(node, 1);
        };
        const std::string pivot = take(m_pivot, conditionType(), "pivot");
        const std::string name = m_isCase ? "branch_" + std::to_string(i)
                                 : isLast ? "else"
                                          : "then";
        const std::string begin = addNode(name, "Identity", {pivot}, conditionType());
        body.prefix = begin;
        body.device = m_site.node.device;
        body.holds = {"^" + begin};
        body.inTurn = true;
        for (std::size_t k = 0; k < m_arguments.size(); ++k) {
            const std::string text =
                isRead(k, i) ? take(m_arguments[k], argumentTypes()[k], "Switch") : m_arguments[k];
            body.arguments.push_back({text, Effects::None, true});
        }
        ASSIGN_OR_RETURN(CopiedBody copied, copyBody(m_expander, m_branches[i], body));
        addEnd(begin, std::move(copied));
        return Done{};
    }

    // Makes a branch's results wait for its effects.
    void addEnd(const std::string& begin, CopiedBody copied)
    {
        const std::vector<DType>& types = m_branches.front().resultTypes;
        for (std::size_t k = 0; k < copied.results.size() && !copied.waits.empty(); ++k) {
            std::vector<std::string> inputs = copied.waits;
            inputs.insert(inputs.begin(), copied.results[k]);
            copied.results[k] = addNode("result", "Identity", std::move(inputs), types[k]);
        }
        if (copied.results.empty()) {
            copied.waits.insert(copied.waits.begin(), begin);
            copied.results.push_back(addNode("done", "Identity", copied.waits, conditionType()));
        }
        m_results.push_back(std::move(copied.results));
    }

    void join()
    {
        std::vector<DType> types = m_branches.front().resultTypes;
        const bool isEmpty = types.empty();
        if (isEmpty)
            types.push_back(conditionType());
        std::vector<std::string> merged;
        for (std::size_t k = 0; k < types.size(); ++k) {
            NodeDraft merge = newNode(m_expander.uniqueName(m_site.node.name + "/Merge"), "Merge");
            merge.device = m_site.node.device;
            for (const std::vector<std::string>& results : m_results)
                merge.inputs.push_back(results[k]);
            merge.setAttr("T", attr::fromType(types[k]));
            merge.setAttr("N", attr::fromInt(std::int64_t(m_results.size())));
            merged.push_back(merge.name);
            m_expander.add(std::move(merge));
        }
        if (isEmpty)
            m_expander.finish(m_site, {}, {}, {"^" + merged.front()});
        else
            m_expander.finish(m_site, merged, types, {});
    }

    Expander& m_expander;
    const ExpansionSite& m_site;
    std::vector<BoundFunction> m_branches;
    bool m_isCase;
    std::string m_condition;
    std::string m_pivot;                  // the condition, unless a branch so far has taken it
    std::vector<std::string> m_arguments; // likewise
    std::vector<std::vector<std::string>> m_results; // by branch
};

} // namespace

std::string branchFault(const Node& node, const std::vector<BoundFunction>& called)
{
    const auto inputs =
        std::ranges::count_if(node.inputs(), [](const Input& input) { return !input.isControl(); });
    const bool isCase = !node.attr("branches").functionNames().empty();
    if (!isCase && node.attr("Tcond").asType() != DType::Bool)
        return "its condition is not a bool";
    if (node.hasAttr("Tout") && node.attr("Tout").types() != called.front().resultTypes)
        return "the branches' results have other types than the node's outputs";
    for (const BoundFunction& branch : called) {
        if (std::int64_t(branch.arguments.size()) + 1 != inputs)
            return "its branches have " + std::to_string(branch.arguments.size()) +
                   " arguments, but the node has " + std::to_string(inputs) + " inputs";
        if (branch.argumentTypes != called.front().argumentTypes ||
            branch.resultTypes != called.front().resultTypes)
            return "its branches have different types";
    }
    return {};
}

Status expandBranch(Expander& expander, const ExpansionSite& site)
{
    ASSIGN_OR_RETURN(auto branches, expander.bind(*site.node.finish()));
    return BranchExpansion(expander, site, std::move(branches)).run();
}

} // namespace lapidary
