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

// The functions of a lifted graph in the making: those of the file with lifted bodies, and those
// that its loops need beside them.
class LiftedFunctions {
public:
    // A body with TensorFlow's ops, for arguments of which that much is known. Sets what is known
    // of its results; null where it was cancelled.
    using Lifter =
        std::function<GraphPtr(const Function&, const std::vector<TensorState>& arguments,
                               std::vector<TensorState>& results)>;
    struct Called {
        FunctionPtr function;
        std::vector<TensorState> results;
    };

    LiftedFunctions() = default;
    // For a file with these functions; null if it has none.
    LiftedFunctions(const FunctionLibrary* source, Lifter lifter)
        : m_source(source)
        , m_lifter(std::move(lifter))
    {
    }

    // The function of that name, lifted for what its callers so far give it. Null where there is
    // none, or it calls itself.
    Called call(std::string_view name, std::vector<TensorState> arguments);
    // Lifts uncalled functions; returns false if it was cancelled.
    bool liftRest();
    // A function of a new name.
    void add(const std::string& name, std::span<const DType> arguments,
             std::span<const DType> results, GraphPtr body);
    // Returns the function as in the file.
    FunctionPtr find(std::string_view name) const;
    // Reserves memory for this many numbers, or as much data, that the file does not hold. All of a
    // file share a limit, because each operator of a few bytes could become many megabytes. Once it
    // is reached nothing more is granted.
    bool takeRoom(std::int64_t numbers)
    {
        m_room = numbers > m_room ? 0 : m_room - numbers;
        return !isFull();
    }
    bool hasRoom(std::int64_t numbers) const { return numbers <= m_room; }
    bool isFull() const { return m_room == 0; }
    std::size_t size() const { return m_library->functions.size(); }
    // Null where there are none.
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
