// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph_edit.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/models/list_name.h"
#include "views/models/search_model.h"

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

using Worth = ListNamePart::Worth;

QString within(const ListName& name, qsizetype most)
{
    return shortened(name, [most](const QString& text) { return text.size() <= most; });
}

// Three convolutions; net/a/unit/conv2 is the one without padding.
GraphPtr convolutions()
{
    const GraphPtr base = graph(R"(x = Placeholder()
w = Const()
net/a/unit/conv1/Conv2D = Conv2D(x, w)
net/a/unit/conv2/Conv2D = Conv2D(x, w)
net/b/unit/conv1/Conv2D = Conv2D(x, w))");
    GraphEdit edit(base);
    for (const char* name :
         {"net/a/unit/conv1/Conv2D", "net/a/unit/conv2/Conv2D", "net/b/unit/conv1/Conv2D"}) {
        const NodeId id = base->find(name);
        NodeDraft node = NodeDraft::of(base->node(id));
        node.setAttr(
            "padding",
            attr::fromString(id == base->find("net/a/unit/conv2/Conv2D") ? "VALID" : "SAME"));
        edit.replace(id, std::move(node));
    }
    return std::move(edit).finish()->graph;
}

// The search results; their filters have different sizes, which the list shows.
struct Found {
    GraphPtr graph = convolutions();
    SearchModel model;

    explicit Found(std::string_view query)
    {
        const auto describe = [](const Graph& in, NodeId id) {
            const bool isLast = in.node(id).name().starts_with("net/b");
            return SearchFacts{"float", "1x8x8x4", isLast ? "1x8x8x4 1x1x4x4" : "1x8x8x4 3x3x4x4"};
        };
        const auto index = *SearchIndex::make(graph, describe, Job());
        model.setAnswer(index, nullptr, *index->find(query, Job()));
    }
    QString text(int row, int column) const { return model.index(row, column).data().toString(); }
};

} // namespace

TEST_CASE("a name that is too long keeps what differs from its neighbors", "[models]")
{
    const ListName name{{u"resnet"_s, Worth::Common},
                        {u"block1"_s, Worth::Varies},
                        {u"unit_1"_s, Worth::Differs},
                        {u"bottleneck_v1"_s, Worth::Common},
                        {u"conv1"_s, Worth::Differs}};
    CHECK(within(name, 80) == u"resnet/block1/unit_1/bottleneck_v1/conv1"_s);
    CHECK(within(name, 35) == u"\u2026/block1/unit_1/bottleneck_v1/conv1"_s);
    CHECK(within(name, 25) == u"\u2026/block1/unit_1/\u2026/conv1"_s);
    CHECK(within(name, 20) == u"\u2026/unit_1/\u2026/conv1"_s);
    CHECK(within(name, 15) == u"\u2026/un\u2026_1/\u2026/conv1"_s);
    CHECK(within({{u"abcdefghijkl"_s, Worth::Differs}}, 7) == u"abc\u2026jkl"_s);
    CHECK(within({}, 7).isEmpty());
    // If not even the shortest parts fit, only the last one is shown.
    CHECK(within({{u"abcdef"_s, Worth::Differs}, {u"ghijkl"_s, Worth::Differs}}, 6) ==
          u"\u2026/ghijkl"_s);
}

TEST_CASE("the name of a node that is too long keeps its last parts", "[models]")
{
    const auto path = [](const QString& name, qsizetype most) {
        return shortenedPath(name, [most](const QString& text) { return text.size() <= most; });
    };
    const QString name = u"MobilenetV1/MobilenetV1/Conv2d_2_depthwise/depthwise:0"_s;
    CHECK(path(name, 80) == name);
    CHECK(path(name, 36) == u"\u2026/Conv2d_2_depthwise/depthwise:0"_s);
    CHECK(path(name, 20) == u"\u2026/Co\u2026ise/depthwise:0"_s);
    CHECK(path(name, 14) == u"\u2026/depthwise:0"_s);
    CHECK(path(name + u" \u2190 3"_s, 24) == u"\u2026/Co\u2026ise/depthwise:0 \u2190 3"_s);
    const auto beside = [](const QString& one, const QStringList& others) {
        return shortenedPath(
            one, [](const QString& text) { return text.size() <= 22; }, others);
    };
    CHECK(beside(u"net/unit_3/batchnorm/long/mul_1"_s, {u"net/unit_4/batchnorm/long/mul_1"_s}) ==
          u"\u2026/unit_3/\u2026/long/mul_1"_s);
    CHECK(beside(u"net/unit_3/batchnorm/long/mul_1"_s, {u"net/unit_3/batchnorm/long/mul_2"_s}) ==
          u"\u2026/batchnorm/long/mul_1"_s);
    // Parts at both ends count, and the part in which two names differ is not omitted from their
    // middle.
    const QString sum = u"net/Conv2d_0/BatchNorm/batchnorm/add_1/eightbit/requantize:0"_s;
    const QString product = u"net/Conv2d_0/convolution/eightbit/requantize:0"_s;
    const auto narrow = [](const QString& one, const QStringList& others, qsizetype most = 30) {
        return shortenedPath(
            one, [most](const QString& text) { return text.size() <= most; }, others);
    };
    CHECK(narrow(sum, {product}) == u"\u2026/bat\u2026orm/add_1/\u2026/requantize:0"_s);
    CHECK(narrow(product, {sum}) == u"\u2026/convolution/\u2026/requantize:0"_s);
    CHECK(narrow(product, {sum, u"net/Conv2d_1/convolution/eightbit/requantize:0"_s}) ==
          u"\u2026/Conv2d_0/con\u2026tion/\u2026/req\u2026ze:0"_s);
    const auto layer = [](int number) { return u"net/Conv2d_%1_pointwise/Relu"_s.arg(number); };
    for (qsizetype most = 12; most < layer(3).size(); ++most) {
        INFO(most);
        CHECK(narrow(layer(3), {layer(4)}, most) != narrow(layer(4), {layer(3)}, most));
    }
    CHECK(path(u"needs 3 / 4 of them"_s, 8) == u"needs 3 / 4 of them"_s);
    CHECK(path(u"a_long_name"_s, 8) == u"a_long_name"_s);
}

TEST_CASE("a row of the search says what tells its hit from the others", "[models]")
{
    const Found all("op:conv2d");
    REQUIRE(all.model.rowCount() == 3);
    CHECK(all.model.commonScope() == u"net"_s);
    CHECK(all.text(0, SearchModel::NameColumn) == u"a/unit/conv1"_s);
    CHECK(all.text(1, SearchModel::NameColumn) == u"a/unit/conv2"_s);
    CHECK(all.text(2, SearchModel::NameColumn) == u"b/unit/conv1"_s);
    CHECK(all.text(0, SearchModel::OpColumn) == u"Conv2D"_s);
    CHECK(all.text(0, SearchModel::DetailColumn) == u"3\u00D73\u00D74\u00D74"_s);
    CHECK(all.text(2, SearchModel::DetailColumn) == u"1\u00D71\u00D74\u00D74"_s);
    const ListName last = all.model.name(2);
    REQUIRE(last.size() == 3);
    CHECK(last[0].worth == Worth::Differs);
    CHECK(last[1].worth == Worth::Common);
    CHECK(last[2].worth == Worth::Differs);
    CHECK(all.model.name(1)[0].worth == Worth::Differs);
    CHECK(all.model.name(0)[0].worth == Worth::Varies);
    CHECK(all.model.index(0, 0).data(Qt::AccessibleTextRole) == u"net/a/unit/conv1/Conv2D"_s);
}

TEST_CASE("a row of the search shows the attribute that was asked for", "[models]")
{
    const Found found("op:conv2d attr:valid -name:b");
    REQUIRE(found.model.rowCount() == 1);
    CHECK(found.text(0, SearchModel::NameColumn) == u"net/a/unit/conv2/Conv2D"_s);
    CHECK(found.text(0, SearchModel::DetailColumn).endsWith(u" \u00B7 padding=VALID"_s));
    CHECK(Found("shape:1x1x4").text(0, SearchModel::DetailColumn) == u"1\u00D71\u00D74\u00D74"_s);
    CHECK(Found("dtype:float conv1").text(0, SearchModel::DetailColumn).endsWith(u"float"_s));
}
