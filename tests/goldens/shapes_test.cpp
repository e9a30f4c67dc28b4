// SPDX-License-Identifier: Apache-2.0
// Static shapes, as TensorFlow infers them when it imports a graph. Knowing more than TensorFlow is
// right unless it contradicts; the number of such shapes is printed.
#include "graph_model/read/graph_def_reader.h"
#include "runner/shapes/infer_shapes.h"
#include "tests/catch.h"
#include "tests/goldens/error_reasons.h"
#include "tests/goldens/golden_data.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <iostream>

namespace lapidary::goldens {
namespace {

Shape shapeOf(const nlohmann::json& json)
{
    if (json.is_null())
        return unknownShape();
    return {json.get<std::vector<std::int64_t>>(), false};
}

Endpoint endpointOf(const Graph& graph, const std::string& tensor)
{
    const Input input = parseInput(tensor);
    return {graph.find(input.node), input.port};
}

std::string conflictText(const Graph& graph, const InferredShapes& shapes)
{
    const ShapeConflict& conflict = shapes.conflicts().front();
    return std::string(graph.node(conflict.node).name()) + ": " + conflict.message;
}

std::string conflictTexts(const Graph& graph, const InferredShapes& shapes)
{
    std::string text;
    for (const ShapeConflict& conflict : shapes.conflicts())
        text += std::string(graph.node(conflict.node).name()) + ": " + conflict.message + "; ";
    return text;
}

struct Comparison {
    std::string fault; // empty: as recorded
    bool knowsMore = false;
};

Comparison compare(const Graph& graph, const InferredShapes& shapes, const nlohmann::json& record)
{
    if (record.contains("error"))
        return {shapes.conflicts().empty()
                    ? "no conflict, but TensorFlow says: " +
                          record["error"]["message"].get<std::string>()
                    : reasonFault(record["error"], conflictTexts(graph, shapes))};
    if (!shapes.conflicts().empty())
        return {"a conflict where TensorFlow has none: " + conflictText(graph, shapes)};
    Comparison comparison;
    for (const auto& [name, expected] : record["infer"].items()) {
        const TensorLabel* label = shapes.find(endpointOf(graph, name));
        const Shape ours = label != nullptr ? label->shape : unknownShape();
        const Shape theirs = shapeOf(expected);
        if (!refines(ours, theirs))
            comparison.fault +=
                name + " is " + shapeText(ours) + ", not " + shapeText(theirs) + "; ";
        else if (ours != theirs)
            comparison.knowsMore = true;
    }
    return comparison;
}

void checkShapes(const std::filesystem::path& file, Tally& tally)
{
    const std::string part = file.stem().string();
    tally.beginPart(part);
    int more = 0;
    for (const nlohmann::json& record : loadCases(file)) {
        const std::string name = record["name"];
        const BufferPtr bytes = makeBuffer(decodeBase64(record["graph"].get<std::string>()));
        const auto read = readGraphDef(bytes->bytes(), bytes, 0, true, Job());
        REQUIRE((read.ok() && read.value().graph));
        const Graph& graph = *read.value().graph;
        const auto shapes = inferShapes(graph, {}, Job());
        REQUIRE(shapes.ok());
        const Comparison result = compare(graph, *shapes, record);
        more += result.knowsMore ? 1 : 0;
        tally.check(result.fault.empty(), name, result.fault);
    }
    std::cout << "shapes " << part << ": " << more << " know more than TensorFlow\n";
}

TEST_CASE("shapes are inferred as recorded", "[shapes]")
{
    if (!present("goldens/shapes"))
        return;
    Tally tally("shapes");
    for (const auto& file : caseFiles("goldens/shapes"))
        checkShapes(file, tally);
    tally.finish();
}

TEST_CASE("shapes of nodes drawn by chance are inferred as recorded beside the tests", "[shapes]")
{
    Tally tally("shapes by chance");
    checkShapes(sourceFolder() / "tests/goldens/recorded/shapes/chance.jsonl", tally);
    tally.finish();
}

} // namespace
} // namespace lapidary::goldens
