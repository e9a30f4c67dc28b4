// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_graph.h"
#include "graph_model/read/model_file.h"
#include "runner/execute/session.h"
#include "tests/catch.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

struct RanFile {
    std::vector<std::int64_t> dims;
    std::vector<float> values;
};

// Feeds `x` to the input x of an encoded file, as this program reads and lifts it, and computes y.
template <class T>
RanFile runFile(const std::string& bytes, DType dtype, const std::vector<std::int64_t>& dims,
                const std::vector<T>& x)
{
    const auto file = readModelBytes(bytes, "made", Job());
    REQUIRE(file);
    REQUIRE(file->graphs.size() == 1);
    const auto lifted = liftGraph(file->graphs[0].graph, Job());
    REQUIRE(lifted);
    Session session(*lifted, {});
    auto fed = Value::make(dtype, dims, session.pool());
    REQUIRE(fed);
    std::ranges::copy(x, fed->template mutableAs<T>().begin());
    RunRequest request;
    request.feeds.emplace_back("x", *std::move(fed));
    request.fetches = {"y"};
    const auto made = session.run(request, Job());
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    const auto elements = made->front().template as<float>();
    const auto& size = made->front().dims();
    return {{size.begin(), size.end()}, {elements.begin(), elements.end()}};
}

} // namespace lapidary
