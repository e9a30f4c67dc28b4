// SPDX-License-Identifier: Apache-2.0
// Function libraries: names, results, gradients, and functions that call each other endlessly.
#include "graph_model/base/map_entry.h"
#include "graph_model/base/wire.h"
#include "graph_model/binding/node_signature.h"
#include "graph_model/check/check_context.h"
#include "graph_model/check/components.h"
#include "graph_model/ops/later_ops.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

class LibraryChecker {
public:
    LibraryChecker(const FunctionLibrary& library, OpTable& ops, std::int32_t producer,
                   ProblemList& problems, const Job& job)
        : m_library(library)
        , m_ops(ops)
        , m_producer(producer)
        , m_problems(problems)
        , m_job(job)
    {
    }

    void run()
    {
        for (std::size_t i = 0; i < m_library.functions.size(); ++i) {
            if (m_job.cancelled())
                return;
            const Function& function = *m_library.functions[i];
            checkName(function, i);
            checkDefinition(function, i);
            if (function.body)
                checkNodes(*function.body, m_ops,
                           {title(i) + "/", m_producer, true, !function.encoded.empty(),
                            function.encoded.empty() ? nullptr : m_ops.signatureOf(i)},
                           m_problems, m_job);
        }
        checkGradients();
        checkRecursion();
    }

private:
    std::string title(std::size_t index) const
    {
        const std::string_view name = m_library.functions[index]->name;
        return name.empty() ? "library function " + std::to_string(index) : std::string(name);
    }

    void report(std::string_view kind, Severity severity, std::string place, std::string message)
    {
        m_problems.add(kind, severity, std::move(place), std::move(message));
    }

    void checkName(const Function& function, std::size_t index)
    {
        if (function.name.empty()) {
            report("bad_name", Severity::Warning, title(index),
                   "The function has no name, so nothing can call it");
            return;
        }
        if (findReferenceOp(function.name) != nullptr)
            report("duplicate_function", Severity::Error, title(index),
                   "The function has the name of a registered op");
        const int first = m_ops.functionIndex(function.name);
        if (first < 0 || std::size_t(first) == index)
            return;
        const bool same = m_library.functions[std::size_t(first)]->encoded == function.encoded;
        report("duplicate_function", same ? Severity::Warning : Severity::Error, title(index),
               same ? "The library has the same function twice"
                    : "The library has two different functions of this name; calls mean the first");
    }

    // Checks a FunctionDef: signature 1, ret 4 (a map), arg_attr 7 (a map by number). A function
    // that was made here and not read has no definition.
    void checkDefinition(const Function& function, std::size_t index)
    {
        if (function.encoded.empty())
            return;
        std::unordered_map<std::string_view, std::string_view> returned;
        WireReader reader(function.encoded);
        while (reader.next()) {
            if (reader.type() != WireType::Bytes)
                continue;
            if (reader.field() == 4)
                addEntry(returned, reader.bytes());
            else if (reader.field() == 7)
                checkArgAttr(function, index, reader.bytes());
        }
        for (const FunctionArgument& result : function.results) {
            const auto at = returned.find(result.name);
            if (at == returned.end()) {
                report("dangling_ret", Severity::Error, title(index),
                       "No value is returned for the result " + quote(result.name));
                continue;
            }
            if (function.body)
                checkReturned(function, index, result, at->second);
            returned.erase(at);
        }
        for (const auto& [name, expression] : returned)
            report("dangling_ret", Severity::Warning, title(index),
                   "A value " + quote(expression) + " is returned for " + quote(name) +
                       ", but the function has no such result");
    }

    static void addEntry(std::unordered_map<std::string_view, std::string_view>& map,
                         std::string_view entry)
    {
        const auto [key, value] = readMapEntry(entry);
        map[key] = value;
    }

    void checkArgAttr(const Function& function, std::size_t index, std::string_view entry)
    {
        std::uint64_t number = 0;
        WireReader reader(entry);
        while (reader.next())
            if (reader.field() == 1 && reader.type() == WireType::Varint)
                number = reader.varint();
        if (number >= function.arguments.size())
            report("bad_function_arg", Severity::Warning, title(index),
                   "It has attributes for argument " + std::to_string(number) + ", but takes " +
                       std::to_string(function.arguments.size()) + " arguments");
    }

    // Returns the dtype of a result, Invalid if it is unknown; nothing if it refers to nothing.
    std::optional<DType> returnedDtype(const Function& function, const Input& input) const
    {
        const NodeId id = function.body->find(input.node);
        if (!id.isValid())
            return std::nullopt;
        const Node& node = function.body->node(id);
        if (node.isSynthetic() && node.op() == "_Arg")
            return input.output.empty()
                       ? std::optional(node.attr("T").asType().value_or(DType::Invalid))
                       : std::nullopt;
        if (node.isSynthetic() || input.output.empty())
            return std::nullopt;
        const OpSpec* spec = m_ops.find(node.op());
        if (spec == nullptr || !outputLength(node, *spec))
            return DType::Invalid;
        const auto port = outputPort(node, *spec, input.output, input.port);
        return port ? std::optional(outputDtype(node, *spec, *port)) : std::nullopt;
    }

    void checkReturned(const Function& function, std::size_t index, const FunctionArgument& result,
                       std::string_view expression)
    {
        const std::string begin =
            "Its result " + quote(result.name) + " is " + quote(expression) + ", ";
        const auto dtype = returnedDtype(function, parseInput(expression));
        if (!dtype)
            report("dangling_ret", Severity::Error, title(index), begin + "which leads nowhere");
        else if (!fitsDtype(*dtype, result.dtype))
            report("dtype_mismatch", Severity::Error, title(index),
                   begin + "which is " + dtypeName(*dtype) + ", but it says " +
                       dtypeName(result.dtype));
    }

    void checkGradients()
    {
        for (const auto& [function, gradient] : m_library.gradients) {
            if (m_ops.functionIndex(function) < 0)
                report("missing_function", Severity::Error, std::string(function),
                       "The library has a gradient for a function that it does not have");
            else if (m_ops.functionIndex(gradient) < 0)
                report("missing_function", Severity::Error, std::string(function),
                       "Its gradient function " + quote(gradient) + " is not in the library");
        }
    }

    // Calls handle(function index) for each function that a node calls by its op or attributes.
    template <class Handle>
    void forEachCall(const Node& node, Handle handle)
    {
        if (findReferenceOp(node.op()) == nullptr && m_ops.functionIndex(node.op()) >= 0)
            handle(std::uint32_t(m_ops.functionIndex(node.op())));
        for (const Attr& attr : node.attrs()) {
            if (attr.name.starts_with('_'))
                continue;
            if (const auto name = attr.value.asFunctionName()) {
                if (m_ops.functionIndex(*name) >= 0)
                    handle(std::uint32_t(m_ops.functionIndex(*name)));
            } else if (attr.value.kind() == AttrKind::List) {
                for (const std::string_view called : attr.value.functionNames())
                    if (m_ops.functionIndex(called) >= 0)
                        handle(std::uint32_t(m_ops.functionIndex(called)));
            }
        }
    }

    void checkRecursion()
    {
        Links links;
        for (const FunctionPtr& function : m_library.functions) {
            if (function->body)
                for (const NodePtr& node : function->body->nodes())
                    forEachCall(*node, [&](std::uint32_t to) { links.targets.push_back(to); });
            links.endNode();
        }
        std::vector<std::uint32_t> component(links.size(), 0); // 0: in no cycle
        std::uint32_t number = 0;
        for (const auto& members : cyclicComponents(links)) {
            ++number;
            for (const std::uint32_t member : members)
                component[member] = number;
        }
        for (std::uint32_t i = 0; i < links.size(); ++i)
            reportRecursion(i, component);
    }

    void reportRecursion(std::uint32_t index, const std::vector<std::uint32_t>& component)
    {
        const Function& function = *m_library.functions[index];
        if (!function.body)
            return;
        for (const NodePtr& node : function.body->nodes())
            forEachCall(*node, [&](std::uint32_t to) {
                const bool around = component[to] != 0 && component[to] == component[index];
                if (to == index || around)
                    report("recursive_function", Severity::Error,
                           title(index) + "/" + std::string(node->name()),
                           "It calls " + quote(title(to)) +
                               (to == index ? ", the function that it is in"
                                            : ", which calls back endlessly"));
            });
    }

    const FunctionLibrary& m_library;
    OpTable& m_ops;
    std::int32_t m_producer;
    ProblemList& m_problems;
    const Job& m_job;
};

} // namespace

void checkLibrary(const FunctionLibrary& library, OpTable& ops, std::int32_t producer,
                  ProblemList& problems, const Job& job)
{
    LibraryChecker(library, ops, producer, problems, job).run();
}

} // namespace lapidary
