// SPDX-License-Identifier: Apache-2.0
#include "graph_model/explore/search_index.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

using namespace lapidary;

namespace {

SearchFacts facts(const Graph& graph, NodeId id)
{
    if (graph.node(id).op() == "Conv2D")
        return {.dtype = "float", .shape = "?x56x56x64", .inputShapes = "?x56x56x3 3x3x3x64"};
    return {.dtype = "int32", .shape = "4", .inputShapes = {}};
}

SearchAnswer find(const GraphPtr& in, std::string_view query)
{
    const auto index = SearchIndex::make(in, facts, Job());
    REQUIRE(index.ok());
    auto answer = (*index)->find(query, Job());
    REQUIRE(answer.ok());
    return *std::move(answer);
}

std::string names(const GraphPtr& in, std::string_view query)
{
    std::string out;
    for (const SearchHit& hit : find(in, query).hits)
        out += (out.empty() ? "" : " ") + std::string(in->node(hit.node).name());
    return out;
}

GraphPtr sample()
{
    return graph(R"(x = Placeholder()
                    net/conv1 = Conv2D(x)
                    net/conv2 = Conv2D(net/conv1)
                    net/Relu = Relu(net/conv2)
                    a+b(c = Identity(net/Relu))");
}

} // namespace

TEST_CASE("search finds names, ops and shapes without regard to case", "[search]")
{
    const GraphPtr in = sample();
    CHECK(names(in, "relu") == "net/Relu");
    CHECK(names(in, "conv2d") == "net/conv1 net/conv2");
    CHECK(names(in, "conv2d.*3x3") == "net/conv1 net/conv2");
    CHECK(names(in, "3\xC3\x97"
                    "3\xC3\x97"
                    "3") == "net/conv1 net/conv2");
    CHECK(names(in, "nothing-like-this").empty());
    CHECK(names(in, "").empty());
    CHECK(names(in, "   ").empty());
}

TEST_CASE("the shape of a convolution is that of its filter too", "[search]")
{
    const GraphPtr in = sample();
    CHECK(names(in, "op:conv2d shape:3x3") == "net/conv1 net/conv2");
    CHECK(names(in, "shape:^3x3x3x64$") == "net/conv1 net/conv2");
    CHECK(names(in, "op:conv2d shape:^.x56x56x3")
              .empty()); // `input:` is for nodes that read it in another way
}

TEST_CASE("search terms restrict, negate and must all match", "[search]")
{
    const GraphPtr in = sample();
    CHECK(names(in, "op:Relu") == "net/Relu");
    CHECK(names(in, "name:conv") == "net/conv1 net/conv2");
    CHECK(names(in, "op:conv name:2$") == "net/conv2");
    CHECK(names(in, "name:net -op:conv") == "net/Relu");
    CHECK(names(in, "dtype:^float$") == "net/conv1 net/conv2");
    CHECK(names(in, "shape:^4$ op:^Place") == "x");
    CHECK(names(in, "^net/conv1$") == "net/conv1");
    CHECK(find(in, "op:relu").hits.at(0).field == SearchField::Op);
    CHECK(find(in, "name:relu").hits.at(0).field == SearchField::Name);
    CHECK(find(in, "3x3x3x64").hits.at(0).field == SearchField::Input);
}

TEST_CASE("an answer says what its terms found, also when the index is gone", "[search]")
{
    const GraphPtr in = sample();
    const SearchAnswer answer = find(in, "op:conv input:3x3x3x64 -name:2$");
    REQUIRE(answer.hits.size() == 1);
    const auto asked = answer.askedFor(answer.hits[0].node);
    REQUIRE(asked.size() == 1);
    CHECK(asked[0] == "?x56x56x3 3x3x3x64");
    CHECK(SearchAnswer().askedFor(answer.hits[0].node).empty());
}

TEST_CASE("a term that is not a regular expression is searched as text and says so", "[search]")
{
    const GraphPtr in = sample();
    CHECK(names(in, "b(c") == "a+b(c");
    CHECK(!find(in, "b(c").note.empty());
    CHECK(names(in, "?x56") == "net/conv1 net/conv2");
    CHECK(find(in, "conv").note.empty());
}

TEST_CASE("names of any bytes are searched", "[search]")
{
    NodeDraft draft;
    draft.name = "bad\xFF\nname";
    draft.op = "NoOp";
    Graph::Parts parts;
    parts.nodes.push_back(draft.finish());
    const GraphPtr in = Graph::make(std::move(parts));
    CHECK(find(in, "^bad.*name$").hits.size() == 1);
    CHECK(find(in, "bad\xFF").hits.size() == 1);
}

TEST_CASE("a cancelled search ends with an error", "[search]")
{
    std::stop_source stop;
    stop.request_stop();
    const Job job(stop.get_token());
    const auto index = SearchIndex::make(sample(), facts, Job());
    REQUIRE(index.ok());
    CHECK((*index)->find("x", job).error().code == ErrorCode::Cancelled);
    CHECK(SearchIndex::make(sample(), facts, job).error().code == ErrorCode::Cancelled);
}
