// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/models/recipe/finding_model.h"
#include "views/models/recipe/pass_list_model.h"
#include "views/models/recipe/recipe_model.h"
#include "views/models/recipe/timeline_model.h"

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QSignalSpy>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;

std::vector<RecipeRow> rows(const QStringList& passes)
{
    std::vector<RecipeRow> all;
    for (const QString& pass : passes)
        all.push_back({pass, {}, RecipeRow::Status::Pending, {}, {}, false, {}});
    return all;
}

} // namespace

TEST_CASE("steps grow, shrink and change in place", "[recipe_model]")
{
    RecipeModel model;
    const QAbstractItemModelTester tester(&model, Mode::Fatal);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setRows(rows({u"a"_s, u"b"_s}));
    model.setRows(rows({u"a"_s, u"c"_s, u"d"_s}));
    CHECK(model.rowCount() == 3);
    CHECK(model.index(1).data().toString() == u"c"_s);
    model.setRows(rows({u"a"_s}));
    model.setRows({});
    CHECK(model.rowCount() == 0);
    CHECK(resets.isEmpty()); // the view's selection stays
}

TEST_CASE("a dragged step asks to be moved, and nothing else is taken", "[recipe_model]")
{
    RecipeModel model;
    const QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.setRows(rows({u"a"_s, u"b"_s, u"c"_s}));
    QSignalSpy moves(&model, &RecipeModel::moveRequested);
    const std::unique_ptr<QMimeData> first(model.mimeData({model.index(0)}));
    CHECK_FALSE(model.dropMimeData(first.get(), Qt::MoveAction, 2, 0, {}));
    REQUIRE(moves.size() == 1);
    CHECK(moves[0] == QVariantList{0, 1});
    CHECK_FALSE(model.dropMimeData(first.get(), Qt::MoveAction, -1, 0, {}));
    CHECK(moves.last() == QVariantList{0, 2});
    QMimeData foreign;
    foreign.setText(u"0"_s);
    CHECK_FALSE(model.dropMimeData(&foreign, Qt::MoveAction, 2, 0, {}));
    CHECK(moves.size() == 2);
    QSignalSpy switches(&model, &RecipeModel::switchRequested);
    model.setData(model.index(1), Qt::Unchecked, Qt::CheckStateRole);
    CHECK(switches.last() == QVariantList{1, false});
}

TEST_CASE("passes are found by their words", "[recipe_model]")
{
    PassListModel model;
    const QAbstractItemModelTester tester(&model, Mode::Fatal);
    CHECK(model.rowCount() == int(allPasses().size()));
    model.setFilter(u"fold batch"_s);
    REQUIRE(model.rowCount() >= 2);
    CHECK(model.index(0).data().toString() == u"fold_batch_norms"_s);
    model.setFilter(u"num_steps"_s);
    REQUIRE(model.rowCount() >= 1);
    CHECK(model.index(0).data(Qt::ToolTipRole).toString().contains(u"num_steps"_s));
    model.setFilter(u"no such pass"_s);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("the timeline says what it shows", "[recipe_model]")
{
    TimelineModel model;
    const QAbstractItemModelTester tester(&model, Mode::Fatal);
    TimelineEntry entry;
    entry.title = u"original"_s;
    TimelineEntry ghost;
    ghost.title = u"clean"_s;
    ghost.isGhost = true;
    model.setEntries({entry, ghost}, 0);
    CHECK(model.index(0).data(TimelineModel::ShownRole).toBool());
    CHECK(model.index(1).data(Qt::AccessibleTextRole).toString().contains(u"not applied"_s));
    ghost.isGhost = false;
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setEntries({entry, ghost}, 1);
    CHECK(changes.size() == 2);
    model.setEntries({}, -1);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("near misses come first, with what does not hold", "[recipe_model]")
{
    FindingModel model;
    const QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.setFindings(
        graph("x = Placeholder()\ny = Relu(x)"),
        {{{NodeId{0}}, ""}, {{NodeId{1}, NodeId{0}}, "read twice"}, {{NodeId{7}}, ""}});
    REQUIRE(model.rowCount() == 2);
    CHECK(model.node(0) == NodeId{1});
    CHECK(model.index(0, FindingModel::WhyColumn).data().toString() == u"read twice"_s);
    CHECK(model.isMatch(1));
    model.setFindings(nullptr, {});
    CHECK(model.rowCount() == 0);
}
