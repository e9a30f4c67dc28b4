// SPDX-License-Identifier: Apache-2.0
#include "transforms/support/remedies.h"

#include "graph_model/base/text.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/targets/kernel_classes.h"
#include "transforms/pass/interface_names.h"
#include "transforms/pass/pass.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>
#include <array>
#include <set>

namespace lapidary {
namespace {

struct Candidate {
    RecipeStep step;
    std::vector<std::string> inputs;
    std::vector<std::string> ops;
};

RecipeStep stepOf(std::string pass,
                  std::initializer_list<std::pair<std::string, std::string>> parameters = {})
{
    RecipeStep step{std::move(pass), {}};
    for (const auto& [name, value] : parameters)
        step.parameters.add(name, value);
    return step;
}

// Returns the types of one attribute in "T: float int32; Tidx: int32".
std::vector<DType> listedTypes(std::string_view cell, std::string_view attr)
{
    std::vector<DType> types;
    while (!cell.empty()) {
        const std::size_t end = std::min(cell.find(';'), cell.size());
        std::string_view item = trimmed(cell.substr(0, end));
        cell.remove_prefix(std::min(end + 1, cell.size()));
        const std::size_t colon = item.find(':');
        if (colon == std::string_view::npos || item.substr(0, colon) != attr)
            continue;
        for (item = trimmed(item.substr(colon + 1)); !item.empty();) {
            const std::size_t blank = std::min(item.find(' '), item.size());
            if (const auto type = parseDtype(item.substr(0, blank)))
                types.push_back(*type);
            item.remove_prefix(std::min(blank + 1, item.size()));
        }
    }
    return types;
}

// Returns the types that hold the values of another one, or nearly all that occur in networks; the
// best first.
std::vector<DType> substitutesFor(DType type)
{
    switch (type) {
    case DType::Int64: return {DType::Int32, DType::Double, DType::Float};
    case DType::Int32: return {DType::Int64, DType::Double, DType::Float};
    case DType::Bool:
    case DType::UInt8:
    case DType::Int8:
    case DType::Int16:
    case DType::UInt16: return {DType::Int32, DType::Float, DType::Half};
    case DType::Half:
    case DType::BFloat16: return {DType::Float};
    case DType::Double: return {DType::Float};
    case DType::Float: return {DType::Double, DType::Half};
    default: return {};
    }
}

class Planner {
public:
    Planner(const std::vector<std::string>& outputs, const OpSupport& table, const Target& target,
            const Job& job)
        : m_outputs(outputs)
        , m_table(table)
        , m_target(target)
        , m_job(job)
    {
    }

    Result<RemedyPlan> plan(const GraphPtr& graph, const std::vector<std::string>& inputs)
    {
        m_plan.graph = graph;
        m_plan.inputs = inputs;
        ASSIGN_OR_RETURN(m_report, check(graph, inputs, m_target));
        RETURN_IF_ERROR(tryPasses());
        m_plan.left = m_report.blocking(m_target);
        addFreeze();
        RETURN_IF_ERROR(tryBuilds());
        addSources();
        return std::move(m_plan);
    }

private:
    Result<SupportReport> check(const GraphPtr& graph, const std::vector<std::string>& inputs,
                                const Target& target) const
    {
        return checkSupport(*graph, inputs, m_outputs, m_table, target, m_job);
    }

    std::vector<const SupportFinding*> missing() const
    {
        std::vector<const SupportFinding*> findings;
        for (const SupportFinding& finding : m_report.findings)
            if (isMissing(finding.fault))
                findings.push_back(&finding);
        return findings;
    }

    std::vector<std::string> missingOps() const
    {
        std::set<std::string> ops;
        for (const SupportFinding* finding : missing())
            ops.insert(finding->op);
        return {ops.begin(), ops.end()};
    }

    void addDetours(const SupportFinding& finding, std::vector<Candidate>& candidates) const
    {
        if (finding.fault != SupportFault::OtherTypes || finding.nodes.empty())
            return;
        const Node& node = m_plan.graph->node(finding.nodes[0]);
        const std::string_view cell = m_table.cell(finding.op, m_target.name);
        for (const Attr& attr : node.attrs()) {
            const auto type = attr.value.asType();
            const std::vector<DType> listed = listedTypes(cell, attr.name);
            if (!type || listed.empty() || std::ranges::find(listed, *type) != listed.end())
                continue;
            for (const DType other : substitutesFor(*type))
                if (std::ranges::find(listed, other) != listed.end()) {
                    candidates.push_back({stepOf("run_in_type", {{"op", finding.op},
                                                                 {"from", dtypeName(*type)},
                                                                 {"to", dtypeName(other)},
                                                                 {"attr", std::string(attr.name)}}),
                                          m_plan.inputs,
                                          {finding.op}});
                    break;
                }
        }
    }

    // Returns possible remedies, the mildest first.
    std::vector<Candidate> candidates() const
    {
        std::vector<Candidate> list;
        const std::vector<std::string>& inputs = m_plan.inputs;
        const std::vector<std::string> ops = missingOps();
        if (!m_outputs.empty()) {
            list.push_back({stepOf("strip_unused"), inputs, ops});
            list.push_back({stepOf("strip_unused"),
                            inputsBehindPipeline(*m_plan.graph, inputs, m_outputs), ops});
        }
        for (const char* pass : {"inline_functions", "lower_control_flow"})
            if (findPass(pass) != nullptr)
                list.push_back({stepOf(pass), inputs, ops});
        for (const std::string& op : ops)
            if (passesInputOn(op))
                list.push_back({stepOf("remove_nodes", {{"op", op}}), inputs, {op}});
        for (const char* pass : {"fold_constants", "fold_old_batch_norms", "replace_rare_ops"})
            if (!m_outputs.empty() || std::string_view(pass) != "fold_constants")
                list.push_back({stepOf(pass), inputs, ops});
        for (const SupportFinding* finding : missing())
            addDetours(*finding, list);
        return list;
    }

    // Returns whether the step is kept.
    Result<bool> tryStep(const Candidate& candidate)
    {
        const std::size_t before = m_report.blocking(m_target);
        const RecipeRun run =
            runRecipe(m_plan.graph, {candidate.step}, candidate.inputs, m_outputs, m_job);
        if (m_job.cancelled())
            return cancelledError();
        if (!run.ok() || run.result(m_plan.graph) == m_plan.graph)
            return false;
        const GraphPtr result = run.result(m_plan.graph);
        std::vector<std::string> inputs = candidate.inputs;
        std::erase_if(inputs, [&](const std::string& input) {
            return !result->find(nodeOfInput(input)).isValid();
        });
        ASSIGN_OR_RETURN(auto report, check(result, inputs, m_target));
        const std::size_t after = report.blocking(m_target);
        if (after >= before)
            return false;
        Remedy remedy{.kind = Remedy::Kind::Pass,
                      .text = printRecipe({candidate.step}),
                      .step = candidate.step,
                      .inputs = candidate.inputs,
                      .before = before,
                      .after = after};
        std::set<std::string> left;
        for (const SupportFinding& finding : report.findings)
            if (isMissing(finding.fault))
                left.insert(finding.op);
        for (const std::string& op : candidate.ops)
            if (candidate.ops.size() == 1 || left.count(op) == 0)
                remedy.ops.push_back(op);
        m_plan.remedies.push_back(std::move(remedy));
        m_plan.graph = result;
        m_plan.inputs = std::move(inputs);
        m_report = std::move(report);
        return true;
    }

    Status tryPasses()
    {
        std::set<std::string> tried;
        for (bool goesOn = true; goesOn && m_report.blocking(m_target) > 0;) {
            goesOn = false;
            for (const Candidate& candidate : candidates()) {
                std::string key = printRecipe({candidate.step});
                for (const std::string& input : candidate.inputs)
                    key += '\n' + input;
                if (!tried.insert(key).second)
                    continue;
                ASSIGN_OR_RETURN(const bool helps, tryStep(candidate));
                if (!helps)
                    continue;
                tried.clear(); // the graph has changed
                goesOn = true;
                break;
            }
        }
        return Done{};
    }

    void addFreeze()
    {
        std::vector<std::string> ops;
        for (const std::string& op : missingOps())
            if (isStoredVariable(op) || isVariableRead(op) || op.find("VariableOp") != op.npos)
                ops.push_back(op);
        if (!ops.empty())
            m_plan.remedies.push_back({.kind = Remedy::Kind::Freeze,
                                       .text = "freeze the variables first",
                                       .ops = ops,
                                       .before = m_plan.left});
    }

    Status tryBuilds()
    {
        constexpr std::array builds{"android_full_typesfull", "android_selective"};
        if (m_plan.left == 0 || !m_target.name.starts_with("android_"))
            return Done{};
        for (const char* name : builds) {
            const Target* other = findTarget(name);
            if (other->name == m_target.name)
                continue;
            ASSIGN_OR_RETURN(const auto report, check(m_plan.graph, m_plan.inputs, *other));
            if (report.blocking(*other) < m_plan.left)
                m_plan.remedies.push_back({.kind = Remedy::Kind::Build,
                                           .text = "build for " + std::string(other->name) + ": " +
                                                   std::string(other->title),
                                           .ops = missingOps(),
                                           .before = m_plan.left,
                                           .after = report.blocking(*other)});
        }
        return Done{};
    }

    void addSources()
    {
        constexpr std::string_view everything = "android_all_ops_filegroup";
        if (m_target.kind != Target::Kind::Mobile || m_target.name == everything)
            return;
        const KernelClasses kernels;
        const bool isMake = m_target.name.find("makefile") != std::string_view::npos;
        for (const SupportFinding* finding : missing()) {
            const auto classes = kernels.ofOp(finding->op);
            const std::string_view cell = m_table.cell(finding->op, everything);
            if (finding->fault != SupportFault::NoKernel || classes.empty() || cell.empty())
                continue;
            const std::string list =
                isMake ? "tf_op_files.txt" : "android_extended_ops_group1 or 2";
            const std::size_t gone = finding->count();
            m_plan.remedies.push_back(
                {.kind = Remedy::Kind::Source,
                 .text = "add " + std::string(classes[0].source) + " to " + list +
                         (cell == "no" ? ", which is not known to build" : ""),
                 .ops = {finding->op},
                 .before = m_plan.left,
                 .after = m_plan.left - std::min(gone, m_plan.left)});
        }
    }

    const std::vector<std::string>& m_outputs;
    const OpSupport& m_table;
    const Target& m_target;
    const Job& m_job;
    RemedyPlan m_plan;
    SupportReport m_report;
};

} // namespace

Result<RemedyPlan> planRemedies(const GraphPtr& graph, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& outputs, const OpSupport& table,
                                const Target& target, const Job& job)
{
    return Planner(outputs, table, target, job).plan(graph, inputs);
}

} // namespace lapidary
