// SPDX-License-Identifier: Apache-2.0
#include "graph_model/dot/dot_text.h"
#include "graph_model/dot/dot_words.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <chrono>
#include <stop_token>
#include <thread>

namespace lapidary {
namespace {

std::size_t countOf(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

std::string textOf(const Graph& graph, bool scopes = true)
{
    const auto text = dotText(graph, DotOptions{.scopes = scopes}, Job());
    return text ? text.value() : text.error().message;
}

GraphPtr nodesNamed(const std::vector<std::string>& names)
{
    Graph::Parts parts;
    for (const std::string& name : names) {
        NodeDraft draft;
        draft.name = name;
        draft.op = "Relu";
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

} // namespace

TEST_CASE("every edge is there, parallel and control ones too", "[dot]")
{
    const GraphPtr model = graph(R"(a = Split(x)
                                    b = Mul(a:1, a:1)
                                    c = Add(b, a, ^a, ^b, gone:2))");
    const std::string text = textOf(*model);
    CHECK(countOf(text, " -> ") == model->edgeCount());
    CHECK(countOf(text, "style=dashed") == 2);
    CHECK(countOf(text, "style=dotted") == 2); // x and gone
    CHECK(countOf(text, "taillabel=1") == 2);
    CHECK(textOf(*model) == text);
}

TEST_CASE("scopes are clusters unless that is not wanted", "[dot]")
{
    const GraphPtr model = graph("a/b/x = Relu()\na/y = Relu(a/b/x)\nz = Relu(a/y)");
    CHECK(countOf(textOf(*model), "subgraph cluster_") == 2);
    CHECK(countOf(textOf(*model, false), "subgraph") == 0);
    const GraphPtr deep = nodesNamed({std::string(100000, '/')});
    CHECK(countOf(textOf(*deep), "subgraph cluster_") <= 60);
}

TEST_CASE("names of any kind are words", "[dot]")
{
    CHECK(dotWord("a\\b\nc\x01") == "a\\\\b\\nc ");
    CHECK(dotWord("\xFF\xC3\xBC\xED\xA0\x80") ==
          "\xEF\xBF\xBD\xC3\xBC\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    const std::string text =
        textOf(*nodesNamed({"<b>bold</b>", "a\"quote", "line\nbreak", "%5", "%5", "%6/a", "", "",
                            "same", "same", "back\\", "\xFF", std::string(10000, 'n')}));
    CHECK(countOf(text, "op=Relu") == 13);
    CHECK(text.find("\"<b>bold</b>\"") != std::string::npos);
    CHECK(text.find("\"%5\"") != std::string::npos);
    CHECK(text.find("\"%6/a\"") != std::string::npos);
    CHECK(text.find("\"a\\\"quote\"") != std::string::npos);
    CHECK(text.find("\"back\\\\\"") != std::string::npos);
}

TEST_CASE("an export can be stopped", "[dot]")
{
    std::stop_source stop;
    stop.request_stop();
    const auto text = dotText(*nodesNamed({"a"}), {}, Job(stop.get_token()));
    REQUIRE_FALSE(text.ok());
    CHECK(text.error().code == ErrorCode::Cancelled);
}

TEST_CASE("an export of very many clusters can be stopped while it is written", "[dot]")
{
    std::vector<std::string> names;
    for (int i = 0; i < 15'000; ++i) // Graphviz takes half a minute for them
        names.push_back("s" + std::to_string(i) + "/n");
    std::stop_source source;
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        source.request_stop();
    });
    const auto text = dotText(*nodesNamed(names), {}, Job(source.get_token()));
    REQUIRE_FALSE(text.ok());
    CHECK(text.error().code == ErrorCode::Cancelled);
}

} // namespace lapidary
