// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/bound_function.h"

#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "runner/execute/bind_attr.h"
#include "runner/execute/function_signature.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::int64_t mostTensors = 1 << 16; // of one argument

class FunctionBinder {
public:
    FunctionBinder(const Function& function, const FunctionLibrary& library,
                   const BoundAttrs& given)
        : m_function(function)
        , m_library(library)
        , m_given(given)
        , m_signature(signatureOf(function))
    {
    }

    Result<BoundFunction> run() &&
    {
        for (const auto step :
             {&FunctionBinder::bindAttrs, &FunctionBinder::addNodes, &FunctionBinder::spreadLists,
              &FunctionBinder::makeGraph, &FunctionBinder::findResults})
            RETURN_IF_ERROR((this->*step)());
        findControlResults();
        return std::move(m_bound);
    }

private:
    // The results of a function that the body calls, which many of its nodes may read.
    struct CalledResults {
        std::vector<ArgumentSpec> all;
        std::unordered_map<std::string_view, std::size_t> places; // by name
        std::vector<std::size_t> lists; // results whose number of tensors the caller says

        explicit CalledResults(std::vector<ArgumentSpec> results)
            : all(std::move(results))
        {
            for (std::size_t i = 0; i < all.size(); ++i) {
                places.emplace(all[i].name, i);
                if (!all[i].numberAttr.empty() || !all[i].typeListAttr.empty())
                    lists.push_back(i);
            }
        }

        std::optional<std::int32_t> firstPort(const Node& caller, std::string_view output) const
        {
            const auto at = places.find(output);
            if (at == places.end())
                return std::nullopt;
            auto port = std::int64_t(at->second);
            for (std::size_t i = 0; i < lists.size() && lists[i] < at->second; ++i)
                port += std::min(tensorCount(caller, all[lists[i]]), mostTensors) - 1;
            return std::int32_t(std::min<std::int64_t>(port, INT32_MAX / 2));
        }
    };

    // Returns null if the op is not a function.
    const CalledResults* resultsOfCalled(const Node& producer) const
    {
        const FunctionPtr called = m_library.find(producer.op());
        if (called == nullptr)
            return nullptr;
        const auto known = m_called.find(called.get());
        if (known != m_called.end())
            return &known->second;
        return &m_called.emplace(called.get(), CalledResults(resultsOf(*called))).first->second;
    }

    Error fault(const std::string& text) const
    {
        return {ErrorCode::InvalidArgument,
                "in function " + std::string(m_function.name) + ": " + text};
    }

    Status bindAttrs()
    {
        for (const auto& [name, fallback] : m_signature.attrs) {
            const auto given = m_given.find(std::string(name));
            if (given == m_given.end() && fallback.empty())
                return fault("the caller does not say what its attribute " + std::string(name) +
                             " is");
            m_attrs[std::string(name)] =
                given != m_given.end() ? given->second : std::string(fallback);
        }
        return Done{};
    }

    // Returns the dtypes of the tensors that an argument or result consists of.
    std::vector<DType> typesOf(const ArgumentSpec& argument) const
    {
        const auto attr = [&](std::string_view name) {
            const auto found = m_attrs.find(std::string(name));
            return found == m_attrs.end() ? AttrValue() : AttrValue(found->second);
        };
        if (!argument.typeListAttr.empty())
            return attr(argument.typeListAttr).types();
        const DType dtype = argument.typeAttr.empty()
                                ? argument.dtype
                                : attr(argument.typeAttr).asType().value_or(DType::Invalid);
        std::int64_t count = 1;
        if (!argument.numberAttr.empty())
            count = attr(argument.numberAttr).asInt().value_or(0);
        return std::vector<DType>(std::size_t(std::clamp<std::int64_t>(count, 0, mostTensors)),
                                  dtype);
    }

    std::vector<NodePtr> bodyNodes() const
    {
        if (!m_function.encoded.empty() || m_function.body == nullptr) {
            NodeBlockBuilder builder(m_function.owner);
            for (const std::string_view node : m_signature.nodes)
                builder.add(node);
            return std::move(builder).finish();
        }
        std::vector<NodePtr> nodes;
        for (const NodePtr& node : m_function.body->nodes())
            if (!isFunctionArgument(node->op()) && !isFunctionResult(node->op()))
                nodes.push_back(node);
        return nodes;
    }

    Status addNodes()
    {
        for (const ArgumentSpec& argument : m_signature.arguments) {
            NodeDraft draft;
            draft.name = argument.name;
            draft.op = "_Arg";
            m_nodes.push_back(draft.finish(true));
        }
        for (const NodePtr& node : bodyNodes()) {
            ASSIGN_OR_RETURN(auto bound, bindNode(node));
            m_nodes.push_back(std::move(bound));
        }
        const std::unordered_map<std::string_view, std::string_view> returns(
            m_signature.returns.begin(), m_signature.returns.end());
        for (const ArgumentSpec& result : m_signature.results) {
            const auto source = returns.find(result.name);
            if (source == returns.end())
                return fault("its result " + std::string(result.name) + " is missing");
            NodeDraft draft;
            draft.name = result.name;
            draft.op = "_Retval";
            draft.inputs = {std::string(source->second)};
            m_nodes.push_back(draft.finish(true));
        }
        return Done{};
    }

    Result<NodePtr> bindNode(const NodePtr& node) const
    {
        std::vector<std::pair<std::string_view, std::string>> changes;
        for (const Attr& attr : node->attrs()) {
            auto bound = bindAttr(attr.value.encoded(), m_attrs);
            if (!bound)
                return fault(std::string(node->name()) + ": " + bound.error().message);
            if (*bound)
                changes.emplace_back(attr.name, std::move(**bound));
        }
        if (changes.empty())
            return node;
        NodeDraft draft = NodeDraft::of(*node);
        for (auto& [name, value] : changes)
            draft.setAttr(name, std::move(value));
        return draft.finish();
    }

    // An input "x" or "node:out" means all tensors of the argument or output, none or many. Makes
    // each of them an input of its own.
    Status spreadLists()
    {
        std::map<std::string_view, std::size_t> byName;
        const std::size_t ends = m_nodes.size() - m_signature.results.size();
        for (std::size_t i = 0; i < ends; ++i)
            byName.emplace(m_nodes[i]->name(), i);
        std::vector<NodePtr> spread = m_nodes;
        for (std::size_t i = m_signature.arguments.size(); i < ends; ++i) {
            NodeDraft draft;
            for (const Input& input : m_nodes[i]->inputs()) {
                const auto from = byName.find(input.node);
                const std::int64_t count =
                    from == byName.end() ? 1 : tensorsMeant(input, from->second);
                if (count == 1 && draft.name.empty())
                    continue;
                if (draft.name.empty())
                    draft = withInputsBefore(*m_nodes[i], input);
                addTensors(input, count, draft.inputs);
            }
            if (!draft.name.empty())
                spread[i] = draft.finish();
        }
        m_nodes = std::move(spread);
        return Done{};
    }

    // Returns the number of tensors that an input takes from node `from`.
    std::int64_t tensorsMeant(const Input& input, std::size_t from) const
    {
        if (input.isControl())
            return 1;
        if (from < m_signature.arguments.size())
            return input.text == input.node
                       ? std::int64_t(typesOf(m_signature.arguments[from]).size())
                       : 1;
        const bool isWhole = !input.output.empty() &&
                             input.text.size() == input.node.size() + 1 + input.output.size();
        return isWhole ? std::min(outputCount(*m_nodes[from], input.output), mostTensors) : 1;
    }

    // Returns the number of tensors of one output of a node; 1 if it is unknown.
    std::int64_t outputCount(const Node& producer, std::string_view output) const
    {
        if (const CalledResults* called = resultsOfCalled(producer)) {
            const auto at = called->places.find(output);
            return at == called->places.end() ? 1 : tensorCount(producer, called->all[at->second]);
        }
        if (const OpSpec* op = findOp(producer.op()))
            for (const ArgSpec& result : op->outputs)
                if (result.name == output)
                    return tensorCount(producer, {.numberAttr = result.numberAttr,
                                                  .typeListAttr = result.typeListAttr});
        return 1;
    }

    static NodeDraft withInputsBefore(const Node& node, const Input& end)
    {
        NodeDraft draft = NodeDraft::of(node);
        draft.inputs.clear();
        for (const Input& input : node.inputs()) {
            if (&input == &end)
                break;
            draft.inputs.emplace_back(input.text);
        }
        return draft;
    }

    static void addTensors(const Input& input, std::int64_t count, std::vector<std::string>& inputs)
    {
        if (count == 1)
            inputs.emplace_back(input.text);
        for (std::int64_t i = 0; i < count && count != 1; ++i)
            inputs.push_back(std::string(input.text) + ':' + std::to_string(i));
    }

    Status makeGraph()
    {
        Graph::Parts parts;
        parts.nodes = m_nodes;
        std::string unknown;
        parts.firstPort = [&](const Node& producer, std::string_view output) {
            const auto port = firstPort(producer, output);
            if (!port && unknown.empty())
                unknown =
                    std::string(producer.name()) + " has no output named " + std::string(output);
            return port.value_or(0);
        };
        m_bound.graph = Graph::make(std::move(parts));
        if (!unknown.empty())
            return fault(unknown);
        m_bound.bodyBegin = std::uint32_t(m_signature.arguments.size());
        m_bound.bodyEnd = std::uint32_t(m_nodes.size() - m_signature.results.size());
        for (std::uint32_t i = 0; i < m_bound.bodyEnd; ++i)
            if (m_bound.graph->find(m_nodes[i]->name()) != NodeId{i})
                return fault("there are two nodes named " + std::string(m_nodes[i]->name()));
        return Done{};
    }

    std::optional<std::int32_t> firstPort(const Node& producer, std::string_view output) const
    {
        if (const CalledResults* called = resultsOfCalled(producer))
            return called->firstPort(producer, output);
        std::int64_t port = 0;
        const OpSpec* op = findOp(producer.op());
        if (op == nullptr)
            return 0;
        for (const ArgSpec& result : op->outputs) {
            if (result.name == output)
                return std::int32_t(std::min<std::int64_t>(port, INT32_MAX / 2));
            port += std::min(tensorCount(producer, {.numberAttr = result.numberAttr,
                                                    .typeListAttr = result.typeListAttr}),
                             mostTensors);
        }
        return std::nullopt;
    }

    Status findResults()
    {
        for (std::uint32_t i = 0; i < m_signature.arguments.size(); ++i) {
            std::int32_t port = 0;
            for (const DType dtype : typesOf(m_signature.arguments[i])) {
                m_bound.argumentTypes.push_back(dtype);
                m_bound.arguments.push_back({NodeId{i}, port++});
            }
        }
        for (std::size_t i = 0; i < m_signature.results.size(); ++i) {
            const Endpoint from =
                m_bound.graph->inputs(NodeId{m_bound.bodyEnd + std::uint32_t(i)}).front();
            if (!from.node.isValid() || from.isControl())
                return fault("its result " + std::string(m_signature.results[i].name) +
                             " comes from nowhere");
            std::int32_t k = 0;
            for (const DType dtype : typesOf(m_signature.results[i])) {
                m_bound.resultTypes.push_back(dtype);
                m_bound.results.push_back({from.node, from.port + k++});
            }
        }
        return Done{};
    }

    void findControlResults()
    {
        for (const std::string_view name : m_signature.controlReturns)
            if (const NodeId id = m_bound.graph->find(name); m_bound.isBody(id))
                m_bound.controlResults.push_back(id);
    }

    const Function& m_function;
    const FunctionLibrary& m_library;
    const BoundAttrs& m_given;
    FunctionSignature m_signature;
    BoundAttrs m_attrs;
    std::vector<NodePtr> m_nodes; // arguments, body, results
    mutable std::unordered_map<const Function*, CalledResults> m_called;
    BoundFunction m_bound;
};

} // namespace

Result<BoundFunction> bindFunction(const Function& function, const FunctionLibrary& library,
                                   const BoundAttrs& given)
{
    return FunctionBinder(function, library, given).run();
}

} // namespace lapidary
