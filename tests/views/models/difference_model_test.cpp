// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/models/diff/difference_model.h"

#include <QAbstractItemModelTester>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

TEST_CASE("the list of differences is a sound model", "[models]")
{
    const auto list =
        listDifferences(graph("x = Placeholder()\na = Relu(x)\nold = Tanh(a)\nb = Neg(old)"),
                        graph("x = Placeholder()\na = Relu(x)\nb = Neg(a)\nfresh = Abs(b)"), Job());
    REQUIRE(list.ok());
    DifferenceModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Warning);
    model.setList(*list);
    REQUIRE(model.rowCount() == 3);
    QStringList signs;
    for (int row = 0; row < 3; ++row)
        signs.append(model.index(row, DifferenceModel::SignColumn).data().toString());
    CHECK(signs == QStringList{u"\u2212"_s, u"~"_s, u"+"_s});
    CHECK(model.index(1, DifferenceModel::NodeColumn).data().toString() == u"b"_s);
    CHECK(model.index(1, DifferenceModel::WhatColumn).data().toString().contains(u"inputs"_s));
    model.setList(nullptr);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("a long list of differences has rows that open", "[models]")
{
    std::string before = "x = Placeholder()\n";
    std::string after = before;
    for (int i = 0; i < 60; ++i) {
        const std::string name = (i < 30 ? "a/n" : "b/n") + std::to_string(i);
        before += name + " = Relu(x)\n";
        after += name + " = Relu6(x)\n";
    }
    const auto list = listDifferences(graph(before), graph(after), Job());
    REQUIRE(list.ok());
    DifferenceModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Warning);
    model.setList(*list);
    REQUIRE(model.rowCount() == 2);
    const auto text = [&](int row, int column) {
        return model.index(row, column).data().toString();
    };
    CHECK(text(0, DifferenceModel::NodeColumn) == u"a"_s);
    CHECK(text(0, DifferenceModel::OpColumn) == u"Relu \u2192 Relu6"_s);
    CHECK(text(1, DifferenceModel::WhatColumn) == u"30 Relu replaced by Relu6"_s);
    model.toggle(0);
    REQUIRE(model.rowCount() == 32);
    CHECK(text(1, DifferenceModel::NodeColumn).trimmed() == u"a/n0"_s);
    CHECK(model.rowOf(model.stepOf(5)) == 5);
    model.toggle(0);
    CHECK(model.rowCount() == 2);
    CHECK(model.rowOf(model.stepOf(1)) == 1);
    model.setPlain(true);
    CHECK(model.rowCount() == 60);
    CHECK(!model.isHead(0));
}
