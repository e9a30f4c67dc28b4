// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/setup/prepare_run.h"
#include "tests/catch.h"
#include "tests/transforms/export/onnx_attributes.h"
#include "tests/transforms/export/run_file.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lapidary::foreign {

using Dims = std::vector<std::int64_t>;
using Floats = std::vector<float>;
using Attributes = std::vector<OnnxAttribute>;

// A file with y = operator(x, constants).
class OneOperator {
public:
    OneOperator(std::string op, Dims x, Attributes attributes = {}, std::string domain = {})
    {
        m_model.graphName = "main";
        m_model.inputs.push_back({"x", DType::Float, std::move(x)});
        m_model.outputs.push_back({"y", DType::Invalid, {}, false});
        OnnxNode node{.op = std::move(op)};
        node.domain = std::move(domain);
        node.inputs = {"x"};
        node.outputs = {"y"};
        node.attributes = std::move(attributes);
        m_model.nodes.push_back(std::move(node));
    }

    OneOperator& floats(Dims dims, const Floats& values)
    {
        return constant(DType::Float, std::move(dims), values.data(), values.size() * 4);
    }
    OneOperator& longs(Dims dims, const Dims& values)
    {
        return constant(DType::Int64, std::move(dims), values.data(), values.size() * 8);
    }
    OneOperator& flag(bool value)
    {
        const char byte = value ? 1 : 0;
        return constant(DType::Bool, {}, &byte, 1);
    }

    OneOperator& opset(std::int64_t version)
    {
        m_model.opset = version;
        return *this;
    }
    OneOperator& outputs(std::vector<std::string> names)
    {
        m_model.nodes[0].outputs = std::move(names);
        return *this;
    }

    // Adds another operator after it, which reads one tensor or two.
    OneOperator& then(std::string op, std::string input, std::string output, Attributes attributes,
                      std::string second = {})
    {
        OnnxNode node{.op = std::move(op)};
        node.inputs = {std::move(input)};
        if (!second.empty())
            node.inputs.push_back(std::move(second));
        node.outputs = {std::move(output)};
        node.attributes = std::move(attributes);
        m_model.nodes.push_back(std::move(node));
        return *this;
    }

    RanFile run(const Floats& x) const { return run(x, m_model.inputs[0].dims); }
    // Leaves the sizes of x unknown.
    RanFile run(const Floats& x, const Dims& dims) const
    {
        const auto encoded = encodeOnnx(m_model);
        REQUIRE(encoded);
        return runFile(*encoded->bytes(), DType::Float, dims, x);
    }
    // Returns whether y can be computed for these sizes of x.
    bool canRun(const Dims& x) const
    {
        const auto encoded = encodeOnnx(m_model);
        REQUIRE(encoded);
        const auto file = readModelBytes(*encoded->bytes(), "made", Job());
        REQUIRE(file);
        RunPlan plan;
        plan.fetches = {"y"};
        plan.shapes = {{"x", Shape{x, false}}};
        return prepareRun(file->graphs[0], {}, plan, Job()).ok();
    }
    // Returns why an output cannot be computed.
    std::string obstacle(const std::string& output) const
    {
        const auto encoded = encodeOnnx(m_model);
        REQUIRE(encoded);
        const auto file = readModelBytes(*encoded->bytes(), "made", Job());
        REQUIRE(file);
        RunPlan plan;
        plan.fetches = {output};
        const auto prepared = prepareRun(file->graphs[0], {}, plan, Job());
        REQUIRE_FALSE(prepared);
        return prepared.error().message;
    }

    // Returns the error of a run.
    std::string failure(const Floats& x) const
    {
        const auto encoded = encodeOnnx(m_model);
        REQUIRE(encoded);
        const auto file = readModelBytes(*encoded->bytes(), "made", Job());
        REQUIRE(file);
        const auto lifted = liftGraph(file->graphs[0].graph, Job());
        REQUIRE(lifted);
        Session session(*lifted, {});
        auto fed = Value::make(DType::Float, m_model.inputs[0].dims, session.pool());
        REQUIRE(fed);
        std::ranges::copy(x, fed->mutableAs<float>().begin());
        RunRequest request;
        request.feeds.emplace_back("x", *std::move(fed));
        request.fetches = {"y"};
        const auto made = session.run(request, Job());
        REQUIRE_FALSE(made);
        return made.error().message;
    }

private:
    OneOperator& constant(DType dtype, Dims dims, const void* bytes, std::size_t size)
    {
        OnnxTensor tensor;
        tensor.name = "c" + std::to_string(m_model.initializers.size());
        tensor.dtype = dtype;
        tensor.dims = std::move(dims);
        tensor.bytes = ConstantBytes(std::string(static_cast<const char*>(bytes), size));
        m_model.nodes[0].inputs.push_back(tensor.name);
        m_model.initializers.push_back(std::move(tensor));
        return *this;
    }

    OnnxModel m_model;
};

inline void checkValues(const RanFile& made, const Dims& dims, const Floats& wanted)
{
    CHECK(made.dims == dims);
    REQUIRE(made.values.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        CHECK(std::abs(made.values[i] - wanted[i]) < 1e-4F);
}

} // namespace lapidary::foreign
