// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/models/op_table_model.h"
#include "views/models/profile/delta_model.h"
#include "views/models/profile/profile_node_model.h"
#include "views/models/profile/profile_text.h"
#include "views/models/profile/profile_type_model.h"
#include "views/models/recipe/point_layer_model.h"
#include "views/models/run/lens_model.h"
#include "views/models/run/picture_list_model.h"
#include "views/models/run/sensitivity_model.h"

#include <QAbstractItemModelTester>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto reporting = QAbstractItemModelTester::FailureReportingMode::Warning;

ProfiledNode row(const char* name, const char* op, std::int64_t nanoseconds)
{
    ProfiledNode node;
    node.name = name;
    node.op = op;
    node.nanoseconds = nanoseconds;
    node.calls = 1;
    return node;
}

struct Fixture {
    GraphPtr in = graph("x = Placeholder()\na/conv = Conv2D(x)\na/relu = Relu(a/conv)");
    ProfileSumsPtr sums;

    Fixture()
    {
        NodeProfile profile;
        profile.runs = 2;
        profile.nodes = {row("a/conv", "Conv2D", 6'000'000), row("a/relu", "Relu", 1'000'000),
                         row("gone", "Relu", 1'000'000)};
        profile.nodes[0].flops = 12'000'000;
        profile.nodes[0].least = 2'900'000;
        profile.nodes[0].most = 3'100'000;
        auto tree = buildScopeTree(in, {}, Job());
        REQUIRE(tree.ok());
        auto made =
            ProfileSums::make(std::make_shared<const NodeProfile>(profile), *in, *tree, {}, Job());
        REQUIRE(made.ok());
        sums = *made;
    }
};

} // namespace

TEST_CASE("the profile's rows are the measured nodes", "[models]")
{
    const Fixture f;
    ProfileNodeModel model;
    const QAbstractItemModelTester tester(&model, reporting);
    CHECK(model.rowCount() == 0);
    model.setSums(f.sums);
    REQUIRE(model.rowCount() == 3);
    using M = ProfileNodeModel;
    const auto text = [&](int at, int column) { return model.index(at, column).data().toString(); };
    CHECK(text(0, M::NodeColumn) == u"a/conv"_s);
    CHECK(text(0, M::TimeColumn) == u"3.000"_s); // of one of the two runs
    CHECK(text(0, M::SpreadColumn) == u"2.900 … 3.100"_s);
    CHECK(text(0, M::ShareColumn) == u"75.00"_s);
    CHECK(text(0, M::SumColumn) == u"75.0"_s);
    CHECK(text(2, M::SumColumn) == u"100.0"_s);
    CHECK(text(0, M::RateColumn) == u"4.00 GFLOP/s"_s);
    CHECK(text(1, M::RateColumn).isEmpty());
    CHECK(model.node(0) == f.in->find("a/conv"));
    CHECK(!model.node(2).isValid());
    CHECK(!model.node(99).isValid());
    CHECK(model.rowOf(f.in->find("a/relu")) == 1);
    CHECK(model.rowOf(f.in->find("x")) == -1);
    CHECK(model.index(2, M::NodeColumn).data(Qt::ForegroundRole).isValid());
    CHECK(!model.index(0, M::NodeColumn).data(Qt::ForegroundRole).isValid());
    for (int column = 0; column < M::ColumnCount; ++column)
        CHECK(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
    model.setSums(nullptr);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("the profile by op adds up its nodes", "[models]")
{
    const Fixture f;
    ProfileTypeModel model;
    const QAbstractItemModelTester tester(&model, reporting);
    model.setProfile(NodeProfilePtr(f.sums, &f.sums->profile()));
    REQUIRE(model.rowCount() == 2);
    using M = ProfileTypeModel;
    CHECK(model.op(0) == u"Conv2D"_s);
    CHECK(model.index(1, M::NodesColumn).data().toString() == u"2"_s);
    CHECK(model.index(1, M::TimeColumn).data().toString() == u"1.000"_s);
    CHECK(model.index(1, M::SumColumn).data().toString() == u"100.0"_s);
    CHECK(model.index(0, M::FlopsColumn).data().toString() == u"12.0 MFLOP"_s);
    model.setProfile(nullptr);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("a fast network's times keep their digits", "[models]")
{
    NodeProfile profile;
    profile.nodes = {row("a", "Relu", 842'000), row("b", "Relu", 1'420), row("c", "Add", 1'380)};
    const GraphPtr in = graph("a = Placeholder()\nb = Relu(a)\nc = Add(a, b)");
    auto tree = buildScopeTree(in, {}, Job());
    REQUIRE(tree.ok());
    auto sums =
        ProfileSums::make(std::make_shared<const NodeProfile>(profile), *in, *tree, {}, Job());
    REQUIRE(sums.ok());
    ProfileNodeModel nodes;
    nodes.setSums(*sums);
    using N = ProfileNodeModel;
    CHECK(nodes.headerData(N::TimeColumn, Qt::Horizontal, Qt::DisplayRole) == u"Time, µs"_s);
    CHECK(nodes.index(0, N::TimeColumn).data() == u"842.0"_s);
    CHECK(nodes.index(1, N::TimeColumn).data() == u"1.4"_s);
    ProfileTypeModel types;
    types.setProfile(NodeProfilePtr(*sums, &(*sums)->profile()));
    using T = ProfileTypeModel;
    CHECK(types.headerData(T::TimeColumn, Qt::Horizontal, Qt::DisplayRole) == u"Time, µs"_s);
    CHECK(types.index(1, T::TimeColumn).data() == u"1.4"_s);
}

TEST_CASE("the title of a column of numbers is aligned as they are", "[models]")
{
    const auto isRight = [](const QAbstractItemModel& model, int column) {
        return model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() ==
               int(Qt::AlignRight | Qt::AlignVCenter);
    };
    const auto isCellRight = [](const QAbstractItemModel& model, int column) {
        return model.index(0, column).data(Qt::TextAlignmentRole).toInt() ==
               int(Qt::AlignRight | Qt::AlignVCenter);
    };
    OpTableModel ops;
    ops.setOps({{"Relu", OpFamily::Unknown, 1, true}});
    for (int column = 0; column < OpTableModel::ColumnCount; ++column) {
        CHECK(isRight(ops, column) == (column == OpTableModel::CountColumn));
        CHECK(isCellRight(ops, column) == isRight(ops, column));
    }
    const DeltaModel delta;
    CHECK(isRight(delta, DeltaModel::DifferenceColumn));
    CHECK(!isRight(delta, DeltaModel::NodeColumn));
    const SensitivityModel sensitivity;
    CHECK(isRight(sensitivity, SensitivityModel::SqnrColumn));
    CHECK(!isRight(sensitivity, SensitivityModel::LayerColumn));
    const PointLayerModel layers;
    CHECK(isRight(layers, PointLayerModel::BytesColumn));
    CHECK(!isRight(layers, PointLayerModel::FormColumn));
    const LensModel lens;
    CHECK(isRight(lens, LensModel::SqnrColumn));
    CHECK(!isRight(lens, LensModel::TensorColumn));
    const PictureListModel pictures;
    CHECK(isRight(pictures, PictureListModel::ScoreColumn));
    CHECK(!isRight(pictures, PictureListModel::FileColumn));
}

TEST_CASE("a row of two runs is named by its slowest node", "[models][profile]")
{
    NodeProfile before;
    before.runs = 1;
    before.nodes = {row("conv", "Conv2D", 100)};
    NodeProfile after;
    after.runs = 1;
    after.nodes = {row("conv/min", "Min", 10), row("conv/product", "QuantizedConv2D", 400),
                   row("conv/max", "Max", 10)};
    DeltaModel model;
    model.setDelta(ProfileDelta::make(std::make_shared<const NodeProfile>(before),
                                      std::make_shared<const NodeProfile>(after),
                                      {{0, 0}, {0, 1}, {0, 2}}));
    CHECK(model.index(0, DeltaModel::NodeColumn).data().toString() == u"conv/product +2"_s);
    CHECK(model.nodeAfter(0) == u"conv/product"_s);
}

TEST_CASE("a tensor whose difference is undone is gray and says why", "[models]")
{
    Verification found;
    found.pairs.resize(2);
    found.pairs[0].agreement.sqnrDb = found.pairs[1].agreement.sqnrDb = -13.2;
    found.pairs[0].isUndone = true;
    LensModel model;
    model.setFound(std::make_shared<const Verification>(found));
    const QModelIndex undone = model.index(0, LensModel::SqnrColumn);
    CHECK(undone.data().toString() == u"\u221213.2 dB"_s);
    CHECK(undone.data(Qt::ToolTipRole).toString().contains(u"undoes the difference"_s));
    CHECK(undone.data(Qt::ForegroundRole).isValid());
    CHECK(model.index(0, LensModel::SaturatedColumn).data().toString().isEmpty());
    CHECK_FALSE(model.index(1, LensModel::SqnrColumn).data(Qt::ForegroundRole).isValid());
    CHECK(model.index(1, LensModel::SaturatedColumn).data().toString() == u"0.00 %"_s);
}

TEST_CASE("measured numbers are written for people", "[models]")
{
    CHECK(timeText(0) == u"0.0 µs"_s);
    CHECK(timeText(5) == u"5 ns"_s);
    CHECK(timeText(12'340) == u"12.3 µs"_s);
    CHECK(timeText(812'000) == u"812 µs"_s);
    CHECK(timeText(999'900) == u"1.0 ms"_s);
    CHECK(timeText(12'340'000) == u"12.3 ms"_s);
    CHECK(flopsText(812) == u"812 FLOP"_s);
    CHECK(flopsText(7'716'000'000) == u"7.72 GFLOP"_s);
    CHECK(shareText(0.3634) == u"36.3 %"_s);
    CHECK(shareText(0.0001) == u"< 0.1 %"_s);
    CHECK(shareText(0) == u"0.0 %"_s);
}
