// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/crc32c.h"
#include "graph_model/base/wire.h"
#include "graph_model/graph/function.h"
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/graph_model/read/read_bytes.h"
#include "tests/graph_model/read/wire_pieces.h"
#include "tests/shared_data.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

using namespace lapidary;

namespace {

// "kind@offset" of every problem, and how many nodes are shown.
std::string outcome(const std::string& bytes)
{
    const ModelFile file = readUnchecked(bytes);
    std::string text;
    Problems problems = file.problems;
    for (const GraphEntry& entry : file.graphs)
        problems.insert(problems.end(), entry.problems.begin(), entry.problems.end());
    for (const Problem& problem : problems)
        text += problem.kind + "@" +
                (problem.offset ? std::to_string(*problem.offset) : std::string("?")) + " ";
    return text + std::to_string(file.isRefused() ? 0 : file.graphs[0].graph->size()) + " nodes";
}

std::string record(const std::string& data)
{
    std::string out(8, '\0');
    for (int i = 0; i < 8; ++i)
        out[std::size_t(i)] = char(data.size() >> (8 * i));
    for (const std::uint32_t crc : {maskedCrc32c(out), maskedCrc32c(data)}) {
        if (out.size() > 8)
            out += data;
        out.append(reinterpret_cast<const char*>(&crc), 4);
    }
    return out;
}

} // namespace

TEST_CASE("wire damage is told with its byte, and whole nodes stay", "[read]")
{
    const std::string two = node("first") + node("second");
    const std::string first = node("first");
    const std::size_t at = first.size();
    CHECK(outcome(two) == "2 nodes");
    CHECK(outcome(two.substr(0, at + 5)) == "truncated@" + std::to_string(at + 5) + " 1 nodes");
    CHECK(outcome(first + std::string(1, '\0') + node("second")) ==
          "bad_tag@" + std::to_string(at) + " 2 nodes");
    CHECK(outcome(first + "\x0e" + node("second")) ==
          "wrong_wire_type@" + std::to_string(at) + " 2 nodes");
    CHECK(outcome(first + "\x0a\xff\xff\xff\xff\x0f" + node("second")) ==
          "overlong_length@" + std::to_string(at + 1) + " 2 nodes");
    CHECK(outcome(two + std::string(40, '\xfe')) ==
          "not_a_model@" + std::to_string(two.size()) + " 2 nodes");
    CHECK(outcome(two + field(1, field(1, "bad\xff") + field(2, "NoOp"))) ==
          "bad_utf8@" + std::to_string(two.size() + 4) + " 3 nodes");
}

TEST_CASE("messages nested too deep are refused, node by node", "[read]")
{
    std::string deep = field(2, "x");
    for (int i = 0; i < 60; ++i)
        deep = field(10, field(1, "f") + field(2, field(1, "k") + field(2, deep)));
    const std::string bad =
        field(1, field(1, "d") + field(2, "NoOp") + field(5, field(1, "k") + field(2, deep)));
    const ModelFile file = readUnchecked(bad + node("good"));
    REQUIRE(file.graphs.size() == 1);
    CHECK(file.graphs[0].graph->size() == 1);
    REQUIRE(file.graphs[0].problems.size() == 1);
    CHECK(file.graphs[0].problems[0].kind == "too_deep");
    CHECK(file.graphs[0].problems[0].node == "d");
}

TEST_CASE("one damaged function does not cost the others", "[read]")
{
    const auto function = [](const std::string& name) {
        return field(1, field(1, field(1, name)) + field(3, field(1, "n") + field(2, "NoOp")));
    };
    const std::string broken = field(1, field(1, field(1, "broken")) + "\x1a\x7f");
    const ModelFile file =
        readUnchecked(node("a") + field(2, function("f") + broken + function("g")));
    REQUIRE(file.graphs.size() == 1);
    const FunctionLibrary* library = file.graphs[0].graph->functions();
    REQUIRE(library != nullptr);
    REQUIRE(file.graphs[0].problems.size() == 1);
    CHECK(file.graphs[0].problems[0].kind == "overlong_length");
    CHECK(file.graphs[0].problems[0].node == "broken");
}

TEST_CASE("event files give each graph with its step", "[read]")
{
    const std::string version = record(field(3, "brain.Event:2"));
    std::string step;
    WireWriter(step).varint(2, 12);
    const std::string graph = record(step + field(4, node("a") + node("b")));
    ModelFile file = readUnchecked(version + graph + graph);
    CHECK(file.format == FileFormat::EventFile);
    CHECK(file.problems.empty());
    REQUIRE(file.graphs.size() == 2);
    CHECK(file.graphs[0].title == "step 12");
    CHECK(file.graphs[0].graph->size() == 2);

    const std::string cut = version + graph + graph;
    CHECK(outcome(cut.substr(0, cut.size() - 3)) ==
          "truncated@" + std::to_string(version.size() + graph.size()) + " 2 nodes");
    CHECK(outcome(version + version) == "no_graph@? 0 nodes");
}

TEST_CASE("every truncation and many flips of small files are survived", "[read][damage]")
{
    std::mt19937 random(1);
    std::size_t files = 0;
    for (const char* name :
         {"goldens/formats/graphs/functions.pb", "goldens/formats/graphs/attr_kinds.pbtxt",
          "goldens/formats/meta_graphs/net.meta",
          "goldens/formats/saved_models/constant/saved_model.pb",
          "goldens/formats/events/events.out.tfevents.1500000000.host"}) {
        std::ifstream stream(sharedData() / name, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
        files += bytes.empty() ? 0 : 1;
        const std::size_t stride = 1 + bytes.size() / 2000;
        for (std::size_t length = 0; length < bytes.size(); length += stride)
            CHECK(readModelBytes(bytes.substr(0, length), name, Job()).ok());
        for (int i = 0; i < 500 && !bytes.empty(); ++i) {
            std::string flipped = bytes;
            for (int flips = 0; flips < 3; ++flips)
                flipped[random() % flipped.size()] ^= char(1 << (random() % 8));
            CHECK(readModelBytes(std::move(flipped), name, Job()).ok());
        }
    }
    if (files == 0)
        WARN("skipped: no files in " << sharedData());
}
