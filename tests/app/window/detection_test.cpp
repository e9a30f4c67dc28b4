// SPDX-License-Identifier: Apache-2.0
// The boxes of detectors among the values of a run.
#include "app/document/detection_values.h"
#include "tests/app/window/run_desk.h"
#include "views/panels/run/value_panel.h"

using namespace lapidary;
using lapidary::testing::RunDesk;

TEST_CASE("boxes of a detector lie over the picture that is fed", "[run]")
{
    const RunDesk desk;
    const char* const detector = R"(
node { name: "picture" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 4 } dim { size: 4 } dim { size: 3 } } } } }
node { name: "detection_boxes" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } dim { size: 2 }
    dim { size: 4 } } float_val: 0 float_val: 0 float_val: 0.5 float_val: 0.5
    float_val: 0.2 float_val: 0.3 float_val: 1 float_val: 1 } } } }
node { name: "detection_scores" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } dim { size: 2 } }
    float_val: 0.25 float_val: 0.75 } } } }
node { name: "detection_classes" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } dim { size: 2 } }
    float_val: 1 float_val: 2 } } } }
versions { producer: 134 }
)";
    REQUIRE(writeFileAtomically(desk.model, detector).ok());
    REQUIRE(desk.run(desk.opened("")) == 0);
    for (const char* output : {"detection_scores:0", "detection_classes:0"})
        desk.document().interface().mark(InterfaceSide::Outputs, output, true);
    desk.window->show();
    REQUIRE(desk.run("wait idle\n"
                     "run detection_boxes\nwait idle\n"
                     "expect text valueView Boxes\n"
                     "expect text valueBoxes \"1 box: class 2 0.75\"\n"
                     "set boxLeast 0.1\nwait idle\n"
                     "expect text valueBoxes \"2 boxes: class 2 0.75, class 1 0.25\"\n"
                     "set boxClasses \"No classes\"\nwait idle\n"
                     "expect text valueBoxes \"2 boxes: 0.75, 0.25\"\n") == 0);
    CHECK(!speaksOfBoxes("net/relu:0"));
    // Without boxes among the outputs, the first one is shown; with them, wherever they are.
    desk.document().interface().mark(InterfaceSide::Outputs, "detection_boxes:0", false);
    REQUIRE(desk.run("wait idle\nrun\nwait idle\nexpect selected picture\n") == 0);
    desk.document().interface().mark(InterfaceSide::Outputs, "detection_boxes:0", true);
    REQUIRE(desk.run("wait idle\nrun\nwait idle\nexpect selected detection_boxes\n"
                     "expect text valueView Boxes\n") == 0);
}

TEST_CASE("the controls of boxes are all in view in a small window", "[run]")
{
    const RunDesk desk;
    ValuePanel panel;
    const auto* bar = panel.findChild<QWidget*>(QStringLiteral("boxOrder"))->parentWidget();
    // The headings, the choices and the margins below them fit; the tables have a third of 800
    // pixels.
    CHECK(bar->sizeHint().height() <= 160);
}

TEST_CASE("scores and classes of boxes are told by name and shape", "[run]")
{
    const Shape open{{}, true};
    CHECK(detectionNames("detection_boxes:0", 2,
                         {{"detection_classes:0", open}, {"detection_scores:0", open}}) ==
          DetectionNames{"detection_scores:0", "detection_classes:0"});
    CHECK(detectionNames("TFLite_Detection_PostProcess:0", 2, {}) ==
          DetectionNames{"TFLite_Detection_PostProcess:2", "TFLite_Detection_PostProcess:1"});
    // The shape decides if it is known.
    CHECK(detectionNames("boxes:0", 9,
                         {{"prob:0", {{1, 4}, false}}, {"out:0", {{1, 9, 3}, false}}}) ==
          DetectionNames{"out:0", {}});
    CHECK(detectionNames("boxes:0", 9, {{"class_predictions:0", {{1, 9, 3}, false}}}) ==
          DetectionNames{"class_predictions:0", {}});
    CHECK(detectionNames("boxes:0", 9, {{"a:0", {{1, 9}, false}}, {"labels:0", {{1, 9}, false}}}) ==
          DetectionNames{"a:0", "labels:0"});
}

TEST_CASE("heads of a detector that has not chosen among its boxes are chosen from", "[run]")
{
    constexpr int side = 16;
    std::string boxes;
    std::string offsets;
    std::string scores;
    for (int i = 0; i < side * side; ++i) {
        const int row = i / side;
        const double x = double(i % side) / side;
        const double y = double(row) / side;
        for (const double number : {x, y, x + 0.1, y + 0.1})
            boxes += " float_val: " + std::to_string(number);
        for (const int k : {3, 5, 7, 11})
            offsets += " float_val: " + std::to_string(double(i * k % 19 - 9) / 5);
        const double score = i == 40 ? 0.875 : 0.0625;
        for (const double number : {1 - score, score})
            scores += " float_val: " + std::to_string(number);
    }
    const auto constant = [](const char* name, int columns, const std::string& values) {
        return std::string("node { name: \"") + name +
               "\" op: \"Const\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: "
               "\"value\" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } dim { "
               "size: 256 } dim { size: " +
               std::to_string(columns) + " } }" + values + " } } } }\n";
    };
    const RunDesk desk;
    REQUIRE(writeFileAtomically(desk.model,
                                constant("found", 4, boxes) + constant("box_offsets", 4, offsets) +
                                    constant("sure", 2, scores) + "versions { producer: 134 }\n")
                .ok());
    REQUIRE(desk.run(desk.opened("")) == 0);
    for (const char* output : {"found:0", "sure:0", "box_offsets:0"})
        desk.document().interface().mark(InterfaceSide::Outputs, output, true);
    desk.window->show();
    CHECK(desk.run("wait idle\nrun found\nwait idle\nexpect text valueView Boxes\n"
                   "expect text valueBoxes \"1 box: class 1 0.88\"\n"
                   "expect text valueNote \"1 of 256 boxes; left out: 255 with a lower score\"\n"
                   "expect text boxOrder \"Order: xyxy\"\n"
                   "expect text boxNoObject \"Background: 0\"\n"
                   "set boxOrder yxyx\nset boxNoObject \"No background\"\nset boxMost 7\n"
                   "wait idle\nexpect text valueNote \"249 beyond the most\"\n"
                   "run box_offsets\nwait idle\nexpect text valueView Boxes\n"
                   "expect text valueBoxes \"offsets\"\n") == 0);
    const DetectionChoice kept = desk.document().values().choices().of("found:0").boxes;
    CHECK(kept.order == BoxOrder::TopLeftBottomRight);
    CHECK(kept.noObject == NoObject::None);
    CHECK(kept.mostBoxes == 7);
    ValueChoices other;
    other.restore(desk.document().values().choices().remembered());
    CHECK(other.of("found:0").boxes == kept);
}

TEST_CASE("a head with all numbers of its boxes in one tensor is shown as boxes", "[run]")
{
    constexpr int boxes = 20; // grids of 4 by 4 and 2 by 2
    std::string numbers;
    for (int i = 0; i < boxes; ++i) {
        const bool isThere = i == 6;
        for (const double number : {0.1 + 0.04 * i, 0.4, 0.2, 0.3, isThere ? 0.875 : 0.001,
                                    isThere ? 0.0625 : 0.25, isThere ? 1.0 : 0.4})
            numbers += " float_val: " + std::to_string(number);
    }
    const std::string model =
        "node { name: \"picture\" op: \"Placeholder\" attr { key: \"dtype\" value { type: "
        "DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: 1 } dim { size: 32 } dim "
        "{ size: 32 } dim { size: 3 } } } } }\n"
        "node { name: \"head\" op: \"Const\" attr { key: \"dtype\" value { type: DT_FLOAT } } "
        "attr { key: \"value\" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } "
        "dim { size: 20 } dim { size: 7 } }" +
        numbers + " } } } }\nversions { producer: 134 }\n";
    const RunDesk desk;
    REQUIRE(writeFileAtomically(desk.model, model).ok());
    const std::string picture = desk.path("shown.png");
    REQUIRE(desk.run(desk.opened("picture canvas " + picture + "\n")) == 0);
    desk.document().interface().mark(InterfaceSide::Inputs, "picture:0", true);
    desk.document().interface().mark(InterfaceSide::Outputs, "head:0", true);
    desk.window->show();
    CHECK(desk.run("wait idle\nrun head\nwait idle\nexpect text valueView \"Heat map\"\n"
                   "feed picture image:" +
                   picture +
                   "\nwait idle\nrun head\nwait idle\nexpect text valueView Boxes\n"
                   "expect text valueBoxes \"1 box: class 1 0.88\"\n"
                   "expect text boxOrder \"Order: cxcywh\"\n"
                   "expect text boxObjectness \"Object score: first\"\n"
                   "set boxObjectness \"No object score\"\nwait idle\n"
                   "expect text valueBoxes \"1 box: class 2 1.00\"\n") == 0);
    ValueChoices kept;
    kept.restore(desk.document().values().choices().remembered());
    CHECK(kept.of("head:0").boxes.hasObjectness == false);
}
