// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/pass_testing.h"

#include "graph_model/ops/op_registry.h"
#include "tests/catch.h"
#include "tests/transforms/lineage_fault.h"
#include "transforms/constants/const_node.h"
#include "transforms/recipe/recipe.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

template <class T>
std::vector<T> filled(const std::vector<std::int64_t>& dims, std::vector<T> values)
{
    std::size_t count = 1;
    for (const std::int64_t dim : dims)
        count *= std::size_t(dim);
    values.resize(count, values.empty() ? T() : values.back());
    return values;
}

std::vector<Value> runAll(const GraphPtr& graph, const std::vector<std::string>& fetches,
                          std::string& fault)
{
    Session session(graph, {});
    RunRequest request;
    for (const NodePtr& node : graph->nodes()) {
        if (node->op() != "Placeholder")
            continue;
        auto value = Value::make(node->attr("dtype").asType().value_or(DType::Float),
                                 node->attr("shape").asShape()->dims, session.pool());
        REQUIRE(value.ok());
        float next = -0.7F;
        if (value->dtype() == DType::Float)
            for (float& element : value->mutableAs<float>())
                element = next = next > 1 ? -0.9F : next + 0.3F;
        if (value->dtype() == DType::Int64) {
            std::int64_t index = 0;
            for (std::int64_t& element : value->mutableAs<std::int64_t>())
                element = index++ % 2;
        }
        request.feeds.emplace_back(node->name(), *std::move(value));
    }
    // Tables are filled before any look-up.
    RunRequest tables;
    for (const NodePtr& node : graph->nodes())
        if (node->op().starts_with("InitializeTable"))
            tables.targets.emplace_back(node->name());
    if (!tables.targets.empty())
        CHECK(session.run(tables, Job()).ok());
    request.fetches = fetches;
    auto answer = session.run(request, Job());
    if (!answer)
        fault = answer.error().message;
    return answer ? *std::move(answer) : std::vector<Value>();
}

} // namespace

GraphBuilder& GraphBuilder::node(std::string name, std::string op, std::vector<std::string> inputs,
                                 const TestAttrs& attrs)
{
    NodeDraft draft = newNode(std::move(name), op, std::move(inputs));
    for (const auto& [key, value] : attrs)
        draft.setAttr(key, value);
    if (const OpSpec* spec = findOp(op))
        for (const AttrSpec& attr : spec->attrs)
            if (attr.kind == "type" && !attr.hasDefault &&
                std::ranges::find(draft.attrs, attr.name,
                                  &std::pair<std::string, AttrBytes>::first) == draft.attrs.end())
                draft.setAttr(attr.name, attr::fromType(DType::Float));
    m_nodes.push_back(draft.finish());
    return *this;
}

GraphBuilder& GraphBuilder::placeholder(std::string name, std::vector<std::int64_t> dims)
{
    return node(std::move(name), "Placeholder", {},
                {{"shape", attr::fromShape({std::move(dims), false})}});
}

GraphBuilder& GraphBuilder::floats(std::string name, std::vector<std::int64_t> dims,
                                   std::vector<float> values)
{
    const auto all = filled(dims, std::move(values));
    m_nodes.push_back(floatConst(std::move(name), dims, all).finish());
    return *this;
}

GraphBuilder& GraphBuilder::ints(std::string name, std::vector<std::int64_t> dims,
                                 std::vector<std::int32_t> values)
{
    const auto all = filled(dims, std::move(values));
    m_nodes.push_back(intConst(std::move(name), dims, all).finish());
    return *this;
}

GraphPtr GraphBuilder::build() const
{
    Graph::Parts parts;
    parts.nodes = m_nodes;
    return Graph::make(std::move(parts));
}

Result<EditResult> applyPass(std::string_view step, const GraphPtr& graph,
                             std::vector<std::string> inputs, std::vector<std::string> outputs)
{
    const auto recipe = parseRecipe(step, RecipeSyntax::Strict);
    INFO(step);
    REQUIRE(recipe.ok());
    REQUIRE(recipe->size() == 1);
    const Pass* pass = findPass((*recipe)[0].pass);
    REQUIRE(pass != nullptr);
    auto edit =
        pass->run(graph, {std::move(inputs), std::move(outputs), (*recipe)[0].parameters}, Job());
    if (edit)
        CHECK(lineageFault(*graph, *edit, edit->graph == graph) == "");
    return edit;
}

GraphPtr passed(std::string_view step, const GraphPtr& graph, std::vector<std::string> inputs,
                std::vector<std::string> outputs)
{
    const auto edit = applyPass(step, graph, std::move(inputs), std::move(outputs));
    INFO((edit.ok() ? std::string() : edit.error().message));
    REQUIRE(edit.ok());
    return edit->graph;
}

std::string computesOther(const GraphPtr& before, const GraphPtr& after,
                          const std::vector<std::string>& fetches, double tolerance)
{
    std::string fault;
    const auto old = runAll(before, fetches, fault);
    const auto now = runAll(after, fetches, fault);
    if (!fault.empty())
        return fault;
    for (std::size_t i = 0; i < fetches.size(); ++i) {
        if (old[i].dtype() != now[i].dtype() || old[i].dims() != now[i].dims())
            return fetches[i] + " has another dtype or shape";
        if (old[i].dtype() != DType::Float) {
            if (old[i].bytes() != now[i].bytes())
                return fetches[i] + " has other values";
            continue;
        }
        double largest = 1e-30;
        double error = 0;
        for (std::size_t k = 0; k < old[i].as<float>().size(); ++k) {
            largest = std::max(largest, std::abs(double(old[i].as<float>()[k])));
            error = std::max(
                error, std::abs(double(old[i].as<float>()[k]) - double(now[i].as<float>()[k])));
        }
        if (!(error <= tolerance * largest))
            return fetches[i] + " is off by " + std::to_string(error);
    }
    return "";
}

bool hasNode(const GraphPtr& graph, std::string_view name)
{
    return graph->find(name).isValid();
}

std::string opOf(const GraphPtr& graph, std::string_view name)
{
    INFO(name);
    REQUIRE(hasNode(graph, name));
    return std::string(graph->node(graph->find(name)).op());
}

std::string inputsOf(const GraphPtr& graph, std::string_view name)
{
    INFO(name);
    REQUIRE(hasNode(graph, name));
    std::string text;
    for (const Input& input : graph->node(graph->find(name)).inputs())
        text += (text.empty() ? "" : ", ") + std::string(input.text);
    return text;
}

std::vector<float> floatsOf(const GraphPtr& graph, std::string_view name)
{
    INFO(name);
    REQUIRE(hasNode(graph, name));
    const auto values = floatValues(graph->node(graph->find(name)));
    REQUIRE(values.ok());
    return *values;
}

} // namespace lapidary
