// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/dialect.h"
#include "runner/shapes/infer_shapes.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/models/fact_model.h"
#include "views/models/interface_model.h"
#include "views/models/node_facts.h"
#include "views/models/outline_model.h"
#include "views/models/problem_model.h"
#include "views/models/search_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <algorithm>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::Warning;

GraphPtr network()
{
    return graph(R"(x = Placeholder()
                    net/a/conv = Conv2D(x)
                    net/a/relu = Relu(net/a/conv)
                    net/b/conv = Conv2D(net/a/relu)
                    net/b/relu = Relu(net/b/conv)
                    y = Softmax(net/b/relu))");
}

ScopeTreePtr treeOf(const GraphPtr& in)
{
    ScopeOptions options;
    options.series = false;
    options.structure = false;
    auto tree = buildScopeTree(in, options, Job());
    REQUIRE(tree.ok());
    return *tree;
}

// Returns every index as "parent > text", one a line, by walking through the rows.
QStringList printed(const QAbstractItemModel& model, const QModelIndex& parent = {},
                    const QString& indent = {})
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        CHECK(model.parent(index) == parent);
        lines.append(indent + index.data().toString());
        lines.append(printed(model, index, indent + u' '));
    }
    return lines;
}

} // namespace

TEST_CASE("the outline is the scope tree", "[models]")
{
    OutlineModel model;
    const QAbstractItemModelTester tester(&model, fatal);
    CHECK(model.rowCount() == 0);
    const GraphPtr in = network();
    const ScopeTreePtr tree = treeOf(in);
    model.setTree(in, tree);
    CHECK(printed(model) == QStringList{u"x"_s, u"net"_s, u" a"_s, u"  conv"_s, u"  relu"_s,
                                        u" b"_s, u"  conv"_s, u"  relu"_s, u"y"_s});
    const ItemId relu = ItemId::of(in->find("net/b/relu"));
    CHECK(model.item(model.indexOf(relu)) == relu);
    CHECK(model.indexOf(relu).parent().data().toString() == u"b"_s);
    CHECK(!model.indexOf(ItemId::of(rootGroup)).isValid());
    CHECK(!model.indexOf(ItemId::of(NodeId{99})).isValid());
    model.setTree(nullptr, nullptr);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("the outline begins with what computes, and knows calls", "[models]")
{
    OutlineModel model;
    const GraphPtr in = graph(R"(w = Const()
                                 net/v = VarHandleOp()
                                 x = Placeholder()
                                 net/mul = MatMul(x, w)
                                 net/add = Add(net/mul, net/v)
                                 call = PartitionedCall(net/add))");
    model.setTree(in, treeOf(in));
    CHECK(printed(model) ==
          QStringList{u"net"_s, u" mul"_s, u" add"_s, u" v"_s, u"x"_s, u"call"_s, u"w"_s});
    const ItemId weight = ItemId::of(in->find("net/v"));
    CHECK(model.item(model.indexOf(weight)) == weight);
    CHECK(model.indexOf(ItemId::of(in->find("call"))).data(OutlineModel::FamilyRole).toInt() ==
          int(OpFamily::Control));
}

TEST_CASE("search hits have a row each, in the order of steps", "[models]")
{
    SearchModel model;
    const QAbstractItemModelTester tester(&model, fatal);
    const GraphPtr in = network();
    const auto index = *SearchIndex::make(in, {}, Job());
    model.setAnswer(index, treeOf(in),
                    {{{in->find("net/b/relu"), SearchField::Name},
                      {in->find("x"), SearchField::Op},
                      {in->find("net/a/relu"), SearchField::Name}},
                     {},
                     {}});
    CHECK(printed(model) == QStringList{u"x"_s, u"net/a/relu"_s, u"net/b/relu"_s});
    CHECK(model.hit(0) == in->find("x"));
    CHECK(model.numberOf(in->find("net/b/relu")) == 2);
    CHECK(model.numberOf(in->find("y")) == -1);
    model.setAnswer(nullptr, nullptr, {});
    CHECK(model.rowCount() == 0);
}

TEST_CASE("problems are listed worst first with their place", "[models]")
{
    ProblemModel model;
    const QAbstractItemModelTester tester(&model, fatal);
    Problem note;
    note.severity = Severity::Note;
    note.message = "a remark";
    Problem error;
    error.node = "a";
    error.offset = 1234;
    error.message = "an error\nin two lines";
    const auto problems = std::make_shared<Problems>(Problems{note, error});
    model.setProblems(problems);
    CHECK(problemCounts(model.problems()).toStdString() == "1 error, 1 remark");
    CHECK(model.problem(0).node == "a");
    CHECK(model.index(0, ProblemModel::MessageColumn).data().toString() ==
          u"an error\\nin two lines"_s);
    CHECK(model.index(0, ProblemModel::PlaceColumn).data().toString().startsWith(u"byte 1"_s));
    const QSignalSpy resets(&model, &ProblemModel::modelReset);
    model.setProblems(problems);
    CHECK(resets.isEmpty()); // the selection stays
}

TEST_CASE("facts of a node name its wiring and what it is", "[models]")
{
    const GraphPtr in = graph(R"(x = Placeholder()
                                 w = Relu(x)
                                 y = Mystery(w:1, nowhere, ^x))");
    auto preparation = Preparation::make(in, treeOf(in), {}, Job());
    REQUIRE(preparation.ok());
    FactModel model;
    const QAbstractItemModelTester tester(&model, fatal);
    model.setSections(nodeFacts(**preparation, in->find("y")));
    QStringList rows;
    for (int section = 0; section < model.rowCount(); ++section)
        for (int row = 0; row < model.rowCount(model.index(section, 0)); ++row)
            rows.append(model.rowText(model.index(row, 0, model.index(section, 0))));
    CHECK(rows.contains(u"name: y"_s));
    CHECK(rows.contains(u"op: Mystery (not registered)"_s));
    CHECK(rows.contains(u"0: w:1"_s));
    CHECK(rows.contains(u"1: nowhere (no such node)"_s));
    CHECK(rows.contains(u"^: ^x"_s));
    model.setSections(groupFacts(**preparation, rootGroup));
    CHECK(model.rowCount() == 3);
}

TEST_CASE("facts of an operator of ONNX are those of its file", "[models]")
{
    NodeDraft draft;
    draft.name = "y";
    draft.op = "Split"; // different from TensorFlow's
    draft.attrs = {{"axis", attr::fromInt(1)},
                   {"_opset", attr::fromInt(13)},
                   {"_scale", attr::fromFloat(0.5F)}};
    Graph::Parts parts;
    parts.nodes.push_back(draft.finish());
    parts.unknownFields = dialectField(Dialect::Onnx);
    const GraphPtr in = Graph::make(std::move(parts));
    auto preparation = Preparation::make(in, treeOf(in), {}, Job());
    REQUIRE(preparation.ok());
    QStringList texts;
    for (const FactSection& section : nodeFacts(**preparation, in->find("y")))
        for (const Fact& fact : section.facts)
            texts.append(fact.key + u' ' + fact.value + u' ' + fact.detail);
    CHECK(texts.contains(u"op Split ONNX"_s));
    CHECK(texts.contains(u"axis 1 "_s));
    CHECK(texts.contains(u"_scale 0.5 "_s));
    CHECK(std::ranges::none_of(texts, [](const QString& text) {
        return text.startsWith(u"signature"_s) || text.startsWith(u"_opset"_s);
    }));
}

TEST_CASE("facts say how much of a name only repeats the scope of the node", "[models]")
{
    const GraphPtr in = network();
    auto preparation = Preparation::make(in, treeOf(in), {}, Job());
    REQUIRE(preparation.ok());
    for (const FactSection& section : nodeFacts(**preparation, in->find("net/b/relu")))
        for (const Fact& fact : section.facts)
            if (fact.link.kind == FactLink::Kind::Item)
                CHECK(fact.common == (fact.value.startsWith(u"net/b/"_s) ? 6
                                      : fact.value.startsWith(u"net/"_s) ? 4
                                                                         : 0));
}

TEST_CASE("facts of a node say where its shapes are from", "[models]")
{
    const GraphPtr in = graph(R"(x = Placeholder()
                                 w = Relu(x)
                                 s = Shape(w))");
    auto preparation = Preparation::make(in, treeOf(in), {}, Job());
    REQUIRE(preparation.ok());
    const auto shapes = inferShapes(*in, {.given = {{{in->find("x"), 0}, {{2, 5}, false}}}}, Job());
    REQUIRE(shapes.ok());
    FactModel model;
    const auto rowsOf = [&](const char* node) {
        model.setSections(nodeFacts(**preparation, in->find(node), &*shapes));
        QStringList rows;
        for (int section = 0; section < model.rowCount(); ++section)
            for (int row = 0; row < model.rowCount(model.index(section, 0)); ++row)
                rows.append(model.rowText(model.index(row, 0, model.index(section, 0))));
        return rows.join(u'\n');
    };
    CHECK(rowsOf("x").contains(u"2\u00D75"_s));
    CHECK(rowsOf("x").contains(u"(given)"_s));
    CHECK(rowsOf("w").contains(u"(inferred)"_s));
    CHECK(rowsOf("s").contains(u"2 int32 (inferred)"_s));
}

TEST_CASE("the interface lists the choice and what else is possible", "[models]")
{
    InterfaceGuess guess;
    guess.inputs = {{NodeId{0}, "x:0", DType::Float, Shape{{1, 2}, false}, 0.9, {"a placeholder"}},
                    {NodeId{1}, "y:0", DType::Int32, Shape{}, 0.2, {"perhaps"}},
                    {NodeId{2}, "file:0", DType::String, Shape{}, 0.1, {"to save"}}};
    guess.inputs.back().isOfSaver = true; // not listed
    InterfaceChoice choice;
    choice.inputs = {{NodeId{0}, "x:0", DType::Float, Shape{{1, 2}, false}}};
    InterfaceModel model;
    const QAbstractItemModelTester tester(&model, fatal);
    QSignalSpy marks(&model, &InterfaceModel::markRequested);
    model.setInterface(guess, choice);
    CHECK(printed(model) ==
          QStringList{u"Inputs"_s, u" x"_s, u" Also possible: 1 more"_s, u"  y"_s, u"Outputs"_s});
    const QModelIndex possible = model.indexOf(InterfaceModel::Side::Inputs, "y:0");
    REQUIRE(possible.isValid());
    CHECK(model.setData(possible, Qt::Checked, Qt::CheckStateRole));
    REQUIRE(marks.count() == 1);
    CHECK(marks[0][1].toString() == u"y:0"_s);
    CHECK(marks[0][2].toBool());
    CHECK(!model.setData(model.heading(InterfaceModel::Side::Inputs), Qt::Checked,
                         Qt::CheckStateRole));
    model.setInterface(guess, choice, [](const ChosenTensor& tensor) {
        return tensor.tensor == "y:0" ? Shape{{7}, false} : tensor.shape; // as inferred
    });
    const auto shapeOf = [&model](const char* tensor) {
        return model.indexOf(InterfaceModel::Side::Inputs, tensor)
            .data(InterfaceModel::ShapeRole)
            .toString();
    };
    CHECK(shapeOf("x:0") == u"1\u00D72"_s);
    CHECK(shapeOf("y:0") == u"7"_s);
}
