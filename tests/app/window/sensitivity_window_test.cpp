// SPDX-License-Identifier: Apache-2.0
// Layers that suffer from fewer bits: the table, the colors and the jump.
#include "app/document/accuracy_runs.h"
#include "tests/app/window/layer_desk.h"
#include "views/models/run/sensitivity_model.h"

#include <QAbstractItemModelTester>
#include <QTableView>

#include <nlohmann/json.hpp>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::LayerDesk;
using lapidary::testing::printedBy;

TEST_CASE("The damaged layer is the worst in the table, in the colors and by the key",
          "[window][sensitivity]")
{
    for (const int damaged : {1, 3}) {
        const LayerDesk desk;
        desk.writeModel(damaged);
        const std::string name = "layer" + std::to_string(damaged);
        REQUIRE(desk.run(desk.opened("expect disabled sensitivity.next\nkey Ctrl+G\nkey Shift+Z\n"
                                     "wait idle\nexpect sensitivity worst " +
                                     name + "\nkey Ctrl+G\nkey Z\nwait idle\nexpect selected " +
                                     name + "\n")) == 0);
        const Document& document = desk.document();
        const auto* table = desk.window->findChild<QTableView*>(u"sensitivityTable"_s);
        REQUIRE(table != nullptr);
        CHECK(table->model()->index(0, SensitivityModel::LayerColumn).data().toString() ==
              QString::fromStdString(name));
        CHECK(table->currentIndex().row() == 0);
        // The colors are those of the share of the noise, and its box has the most.
        REQUIRE(document.colors().mode() == ColorMode::Data);
        const ColoringPtr coloring = document.colors().classes().coloring;
        REQUIRE(coloring);
        REQUIRE(coloring->overlay);
        const ItemId worst = ItemId::of(document.graph()->find(name));
        const OverlayFace* face = coloring->face(worst);
        REQUIRE(face != nullptr);
        for (const char* other : {"layer0", "layer1", "layer2", "layer3", "scores"}) {
            const ItemId item = ItemId::of(document.graph()->find(other));
            const OverlayFace* of = coloring->face(item);
            REQUIRE(of != nullptr);
            CHECK((item == worst || of->value < face->value));
        }
        desk.window->show();
        REQUIRE(desk.run("key Ctrl+G\nkey Z\nwait idle\n") == 0); // the second worst
        CHECK_FALSE(document.selection().item() == worst);
    }
}

TEST_CASE("The window's sensitivity is that of the command line", "[window][sensitivity]")
{
    const LayerDesk desk;
    desk.writeModel(2);
    REQUIRE(desk.run(desk.opened("sensitivity pc8\nwait idle\n"
                                 "expect text sensitivityRemark \"8 bits per channel\"\n")) == 0);
    const auto json =
        nlohmann::json::parse(printedBy({u"sensitivity"_s, QString::fromStdString(desk.model),
                                         u"--form"_s, u"pc8"_s, u"--json"_s}));
    const auto& found = desk.document().sensitivity().found();
    REQUIRE(found);
    REQUIRE(json["layers"].size() == found->layers.size());
    const auto order = worstFirst(*found);
    for (std::size_t i = 0; i < order.size(); ++i) {
        CHECK(json["layers"][i]["name"] == found->layers[order[i]].name);
        CHECK(json["layers"][i]["noise"] == found->layers[order[i]].noise.ratio);
    }
    desk.window->show();
    CHECK(desk.run("sensitivity pt3\n") == 1);
}

TEST_CASE("A layer that normalizations were folded into is found by its own name",
          "[window][sensitivity]")
{
    const LayerDesk desk;
    const auto read = readModelBytes(R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 2 } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 }
    dim { size: 2 } } float_val: 1 float_val: 0.3 float_val: -0.7 float_val: 2 } } } }
node { name: "product" op: "MatMul" input: "x" input: "w" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "scale" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } }
    float_val: 3 float_val: 0.5 } } } }
node { name: "y" op: "Mul" input: "product" input: "scale" attr { key: "T" value { type: DT_FLOAT } } }
)",
                                     "folded.pbtxt", Job());
    REQUIRE(read.ok());
    REQUIRE(writeFileAtomically(desk.model, encodeGraphDef(*read->graphs.front().graph)).ok());
    REQUIRE(desk.run(desk.opened("sensitivity\nwait idle\nexpect sensitivity worst product\n"
                                 "key Ctrl+G\nkey Z\nwait idle\nexpect selected product\n")) == 0);
}

TEST_CASE("A graph without layers says so", "[window][sensitivity]")
{
    const LayerDesk desk;
    REQUIRE(writeFileAtomically(desk.model, R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "y" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
)")
                .ok());
    REQUIRE(desk.run(desk.opened("")) == 0);
    desk.window->show();
    CHECK(desk.run("sensitivity\nwait idle\nexpect text sensitivityRemark \"nothing to quantize\"\n"
                   "expect disabled sensitivity.next\n"
                   "autopilot\nwait idle\nexpect autopilot failed\n"
                   "expect text autopilotRemark \"nothing to quantize\"\n") == 0);
}

TEST_CASE("The model of sensitive layers keeps the rules of models", "[models][sensitivity]")
{
    SensitivityModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    auto found = std::make_shared<Sensitivity>();
    found->layers = {{"a", "a", "Conv2D", {0.01, 0.5}}, {"b", "before", "MatMul", {0.03, {}}}};
    model.setFound(found);
    REQUIRE(model.rowCount() == 2);
    CHECK(model.index(0, SensitivityModel::SqnrColumn).data() == u"20.0 dB"_s);
    CHECK(model.index(1, SensitivityModel::LayerColumn).data() == u"before"_s);
    CHECK(model.index(1, SensitivityModel::ShareColumn).data() == u"75.0 %"_s);
    CHECK(model.index(1, SensitivityModel::AgreementColumn).data() == QString());
    model.setFound(nullptr);
    CHECK(model.rowCount() == 0);
}
