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
