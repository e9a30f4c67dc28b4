// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "graph_model/shapes/shape_facts.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

// The functions of a graph that is being lifted: those of the file with lifted bodies, and those
// that its loops need in addition.
class LiftedFunctions {
public:
    // Returns a body with TensorFlow's ops, for arguments with these known facts. Sets the known
    // facts of its results. Returns null if it was cancelled.
    using Lifter =
        std::function<GraphPtr(const Function&, const std::vector<TensorState>& arguments,
                               std::vector<TensorState>& results)>;
    struct Called {
        FunctionPtr function;
        std::vector<TensorState> results;
    };

    LiftedFunctions() = default;
    // `source`: the functions of the file; null if it has none.
    LiftedFunctions(const FunctionLibrary* source, Lifter lifter)
        : m_source(source)
        , m_lifter(std::move(lifter))
    {
    }

    // Returns the function of that name, lifted for the arguments of all its callers so far. Null
    // if there is none, or if it calls itself.
    Called call(std::string_view name, std::vector<TensorState> arguments);
    // Lifts uncalled functions; returns false if it was cancelled.
    bool liftRest();
    // Adds a function; the name must be new.
    void add(const std::string& name, std::span<const DType> arguments,
             std::span<const DType> results, GraphPtr body);
    // Returns the function as in the file.
    FunctionPtr find(std::string_view name) const;
    // Reserves memory for this many numbers, or as much data, that are not in the file. The whole
    // file shares one limit, because each operator of a few bytes could become many megabytes.
    // Returns false once it is reached.
    bool takeRoom(std::int64_t numbers)
    {
        m_room = numbers > m_room ? 0 : m_room - numbers;
        return !isFull();
    }
    bool hasRoom(std::int64_t numbers) const { return numbers <= m_room; }
    bool isFull() const { return m_room == 0; }
    std::size_t size() const { return m_library->functions.size(); }
    // Returns null if there are no functions.
    std::shared_ptr<const FunctionLibrary> library() const;

private:
    struct Call {
        std::vector<TensorState> arguments;
        std::vector<TensorState> results;
        int lifts = 0;
    };
    void keep(std::shared_ptr<Function> function);
    bool lift(const Function& function, Call& call);

    const FunctionLibrary* m_source = nullptr;
    Lifter m_lifter;
    std::map<std::string, Call, std::less<>> m_calls;
    std::set<std::string_view> m_inProgress;
    std::shared_ptr<FunctionLibrary> m_library = std::make_shared<FunctionLibrary>();
    std::int64_t m_room = std::int64_t(1) << 26;
};

} // namespace lapidary
