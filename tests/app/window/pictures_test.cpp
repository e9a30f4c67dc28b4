// SPDX-License-Identifier: Apache-2.0
// A folder of pictures in the window: the accuracy of the graph, the pictures that it gets wrong,
// and the ranges that it measures.
#include "app/document/picture_runs.h"
#include "tests/app/window/desktop.h"
#include "tests/app/window/program_runs.h"
#include "tests/shared_data.h"
#include "views/models/run/confusion_model.h"
#include "views/models/run/picture_list_model.h"
#include "views/panels/run/confusion_view.h"
#include "views/panels/run/pictures_panel.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QLabel>
#include <QTableView>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::bytesOf;
using lapidary::testing::Desktop;
using lapidary::testing::printedBy;
using lapidary::testing::Sandboxed;

namespace {

namespace fs = std::filesystem;

// The scores of a picture of one pixel are its colors.
const char* const colors = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 1 } dim { size: 1 }
    dim { size: 3 } } } } }
node { name: "sizes" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } }
    int_val: 1 int_val: 3 } } } }
node { name: "flat" op: "Reshape" input: "x" input: "sizes"
  attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tshape" value { type: DT_INT32 } } }
node { name: "same" op: "Identity" input: "flat" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "scores" op: "Softmax" input: "same" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

struct PictureDesk : Desktop {
    Sandboxed boxed;
    std::string images = path("images");
    std::string labels = path("labels.txt");
    std::string model = path("colors.pbtxt");

    PictureDesk()
    {
        fs::create_directory(images);
        paint("1_red.png", Qt::red);
        paint("2_green.png", Qt::green);
        paint("3_blue.png", Qt::blue);
        paint("4_red.png", Qt::green); // is green
        REQUIRE(writeFileAtomically(labels, "red\ngreen\nblue\n").ok());
        REQUIRE(writeFileAtomically(model, colors).ok());
    }
    void paint(const char* name, QColor color) const
    {
        QImage picture(1, 1, QImage::Format_RGB32);
        picture.fill(color);
        REQUIRE(picture.save(QString::fromStdString(images + "/" + name)));
    }
    Document& document() const { return *window->parts().tabs->document(); }
    std::string opened(const std::string& script) const
    {
        return "open \"" + model + "\"\nwait idle\n" + script;
    }
    std::string evaluated(const std::string& script) const
    {
        return opened("evaluate \"" + images + "\" \"" + labels + "\"\nwait idle\n" + script);
    }
    template <class Widget>
    Widget& part(const char* name) const
    {
        auto* found = window->findChild<Widget*>(QString::fromLatin1(name));
        REQUIRE(found != nullptr);
        return *found;
    }
    std::string fed() const { return document().feeds().inputs().at(0).words; }
};

} // namespace

TEST_CASE("The window counts the right answers on a folder of pictures", "[window][pictures]")
{
    const PictureDesk desk;
    REQUIRE(desk.run(desk.evaluated("expect text picturesRemark \"top-1 75.00 %, top-5 100.00 %\"\n"
                                    "set pictureKind \"Wrong answers\"\n"
                                    "expect text pictureCount \"1 of 4\"\n"
                                    "click pictureTable:0\n")) == 0);
    CHECK(desk.fed() == "image:" + desk.images + "/4_red.png:0:255");
    const auto& found = desk.document().pictures().found();
    REQUIRE(found);
    CHECK(found->first.top1 == 0.75);
    CHECK(found->classes.samples.size() == 4);
}

TEST_CASE("The window says which pixels give more right answers", "[window][pictures]")
{
    const PictureDesk desk;
    std::string farthest = colors; // the color that is farthest from gray wins
    farthest.replace(farthest.find("Identity"), std::string_view("Identity").size(), "Abs");
    REQUIRE(writeFileAtomically(desk.model, farthest).ok());
    fs::remove_all(desk.images);
    fs::create_directory(desk.images);
    desk.paint("1_blue.png", QColor(130, 120, 0));
    desk.paint("2_red.png", QColor(0, 130, 120));
    desk.paint("3_green.png", QColor(120, 0, 130));
    REQUIRE(desk.run(desk.evaluated(
                "expect text picturesRemark \"Pixels \\u22121 to 1: 100 % of 3 right, not 0 %\"\n"
                "set picturePixels \"\\u22121 to 1\"\n"
                "evaluate \"" +
                desk.images + "\" \"" + desk.labels +
                "\"\nwait idle\n"
                "expect text picturesRemark \"top-1 100.00 %\"\n")) == 0);
    CHECK_FALSE(desk.document().pictures().found()->better);
}

TEST_CASE("A folder is run with the pixels of the picture that is fed", "[window][pictures]")
{
    const PictureDesk desk;
    REQUIRE(desk.run(desk.opened("feed x \"image:" + desk.images + "/1_red.png:127.5:127.5\"\n" +
                                 "set pictureKind \"All pictures\"\n")) == 0);
    CHECK(desk.document().pictures().choice().mean == 127.5F);
    CHECK(desk.document().pictures().choice().std == 127.5F);
    // The choice for the folder is kept until a picture is fed in another way.
    desk.window->show();
    REQUIRE(desk.run("set picturePixels \"0 to 255\"\nfeed x \"image:" + desk.images +
                     "/2_green.png:127.5:127.5\"\n") == 0);
    CHECK(desk.document().pictures().choice().std == 1);
}

TEST_CASE("The answers of another state are told as such", "[window][pictures]")
{
    const PictureDesk desk;
    REQUIRE(desk.run(desk.evaluated("expect text picturesRemark \"4 pictures: top-1\"\n"
                                    "action recipe.addPass\ntype remove_nodes\nkey Return\n"
                                    "set op Identity\nwait idle\naction recipe.all\nwait idle\n"
                                    "expect text picturesRemark \"Of another state\"\n"
                                    "action state.first\nwait idle\n")) == 0);
    CHECK_FALSE(desk.part<QLabel>("picturesRemark").text().contains(u"Of another state"_s));
}

TEST_CASE("A matrix of ten classes is whole in a small window, with the list beside it",
          "[window][pictures]")
{
    const PictureDesk desk;
    // Ten classes, of which the scores cover three.
    std::string names;
    for (int i = 0; i < 10; ++i) {
        const std::string name = "kind" + std::to_string(i);
        names += name + "\n";
        desk.paint(("5_" + name + ".png").c_str(), Qt::red);
    }
    REQUIRE(writeFileAtomically(desk.labels, names).ok());
    for (const char* name : {"1_red.png", "2_green.png", "3_blue.png", "4_red.png"})
        fs::remove(desk.images + "/" + name);
    REQUIRE(desk.run("size 1280 800\n" + desk.evaluated("")) == 0);
    desk.window->show();
    QApplication::processEvents();
    const auto& matrix = desk.part<ConfusionView>("confusionTable");
    REQUIRE(matrix.model()->rowCount() == 10);
    const QRect last = matrix.visualRect(matrix.model()->index(9, 9));
    CHECK(matrix.viewport()->rect().contains(last));
    CHECK(last.width() >= 24);
    CHECK(last.height() >= 14);
    const auto& list = desk.part<QTableView>("pictureTable");
    CHECK(list.isVisible());
    CHECK(list.width() >= 240);
    const int right = list.columnViewportPosition(PictureListModel::ScoreColumn) +
                      list.columnWidth(PictureListModel::ScoreColumn);
    CHECK(right <= list.viewport()->width() + 1); // nothing is cut
    // The form replaces the list and restores it.
    REQUIRE(desk.run("press picturesWishes\nwait idle\n") == 0);
    desk.window->show();
    CHECK(desk.part<QWidget>("pictureForm").isVisible());
    CHECK_FALSE(list.isVisible());
    REQUIRE(desk.run("press picturesWishes\nwait idle\n") == 0);
    desk.window->show();
    CHECK(list.isVisible());
}

TEST_CASE("Another input that a picture does not fill is named", "[window][pictures]")
{
    const PictureDesk desk;
    std::string text = colors;
    const std::string reads = "name: \"same\" op: \"Identity\" input: \"flat\"";
    text.replace(text.find(reads), reads.size(),
                 "name: \"same\" op: \"Mul\" input: \"flat\" input: \"factors\"");
    text += "node { name: \"factors\" op: \"Placeholder\" attr { key: \"dtype\" value { type: "
            "DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: 3 } } } } }\n";
    REQUIRE(writeFileAtomically(desk.model, text).ok());
    CHECK(desk.run(desk.evaluated("expect text pictureBeside \"Also fed: factors:0\"\n")) == 0);
}

TEST_CASE("A cell of the confusion matrix lists its pictures", "[window][pictures]")
{
    const PictureDesk desk;
    REQUIRE(desk.run(desk.evaluated("set pictureKind \"All pictures\"\n")) == 0);
    auto& matrix = desk.part<ConfusionView>("confusionTable");
    REQUIRE(matrix.model()->rowCount() == 3);
    const QModelIndex redAsGreen = matrix.model()->index(0, 1);
    CHECK(redAsGreen.data().toString() == u"1"_s);
    CHECK(redAsGreen.data(Qt::ToolTipRole).toString() ==
          u"1 picture of class red classified as green"_s);
    const auto click = [&](const QModelIndex& cell) {
        QTest::mouseClick(matrix.viewport(), Qt::LeftButton, {}, matrix.visualRect(cell).center());
    };
    click(redAsGreen);
    const auto& table = desk.part<QTableView>("pictureTable");
    REQUIRE(table.model()->rowCount() == 1);
    CHECK(table.model()->index(0, 0).data().toString() == u"4_red.png"_s);
    CHECK(desk.part<QLabel>("pictureCount").text() == u"1 of 4: red classified as green"_s);
    click(redAsGreen);
    CHECK(table.model()->rowCount() == 4);
}

TEST_CASE("A key feeds the next wrong picture", "[window][pictures]")
{
    const PictureDesk desk;
    REQUIRE(desk.run(desk.evaluated("key Ctrl+G\nkey W\nwait idle\n")) == 0);
    CHECK(desk.fed() == "image:" + desk.images + "/4_red.png:0:255");
}

TEST_CASE("A folder that cannot be used is told in place", "[window][pictures]")
{
    const PictureDesk desk;
    REQUIRE(desk.run(desk.opened("evaluate \"" + desk.images + "\" \"" + desk.path("none.txt") +
                                 "\"\nwait idle\nexpect text picturesRemark none.txt\n"
                                 "set pictureLabels \"" +
                                 desk.labels +
                                 "\"\npress picturesEvaluate\nwait idle\n"
                                 "expect text picturesRemark \"top-1 75.00 %\"\n")) == 0);
    desk.paint("5_purple.png", Qt::magenta);
    desk.window->show(); // the end of a script closes it
    REQUIRE(
        desk.run("press picturesEvaluate\nwait idle\n"
                 "expect text picturesRemark \"its class 'purple' is not among the labels\"\n") ==
        0);
}

TEST_CASE("A state gets the same pictures beside the one that is shown", "[window][pictures]")
{
    const PictureDesk desk;
    REQUIRE(desk.run(desk.opened("expect enabled pictures.evaluate\n")) == 0);
    RecipeStep step{"remove_nodes", {}};
    step.parameters.add("op", "Identity");
    RecipeDraft draft;
    draft.items.push_back({std::move(step), true});
    draft.applied = 1;
    desk.recipe().change(draft);
    desk.recipe().show(1);
    REQUIRE(desk.run("wait idle\naction view.pictures\nset picturePeer \"the original\"\n"
                     "evaluate \"" +
                     desk.images + "\" \"" + desk.labels +
                     "\"\nwait idle\n"
                     "expect text picturesRemark \"they agree on 100.00 %\"\n"
                     "set pictureKind \"Different answers\"\n"
                     "expect text pictureCount \"0 of 4\"\n") == 0);
    REQUIRE(desk.document().pictures().found()->other);
    CHECK(desk.document().pictures().found()->other->top1 == 0.75);
}

TEST_CASE("Choices of pictures come back with the session", "[window][pictures]")
{
    const PictureDesk desk;
    REQUIRE(desk.run(desk.evaluated("set picturePixels \"\\u22121 to 1\"\n")) == 0);
    const nlohmann::json kept = desk.document().memory().state();
    PictureSession other(QThreadPool::globalInstance());
    other.restore(kept["graphs"]["0"]["pictures"]);
    CHECK(other.choice().folder.images == desk.images);
    CHECK(other.choice().folder.labels == desk.labels);
    CHECK(other.choice().mean == 127.5F);
    CHECK(other.choice().std == 127.5F);
    other.restore({{"images", 7}, {"mean", "x"}}); // of a damaged file
    CHECK(other.choice().folder.images.empty());
}

TEST_CASE("Models of evaluated pictures keep the rules of models", "[models][pictures]")
{
    auto found = std::make_shared<FolderEvaluation>();
    found->classes.labels = {"red", "green"};
    found->classes.samples = {{"a/1.png", "1.png", 0}, {"a/2.png", "2.png", -1}};
    found->first.best = {{"green", 1, 0.5F}, {"", 7, 0.25F}};
    PictureListModel list;
    const QAbstractItemModelTester listTester(
        &list, QAbstractItemModelTester::FailureReportingMode::Fatal);
    PictureFilter filter(list);
    const QAbstractItemModelTester filterTester(
        &filter, QAbstractItemModelTester::FailureReportingMode::Fatal);
    ConfusionModel matrix;
    const QAbstractItemModelTester matrixTester(
        &matrix, QAbstractItemModelTester::FailureReportingMode::Fatal);
    list.setFound(found);
    matrix.setFound(found);
    CHECK(filter.rowCount() == 2);
    filter.setKind(PictureFilter::WrongKind);
    CHECK(filter.rowCount() == 1);
    CHECK(list.index(1, PictureListModel::AnswerColumn).data().toString() == u"7"_s);
    CHECK(matrix.rowCount() == 2);
    CHECK(matrix.index(0, 1).data(ConfusionModel::ShareRole) == 1.0);
    list.setFound(nullptr);
    matrix.setFound(nullptr);
    CHECK(filter.rowCount() == 0);
    CHECK(matrix.rowCount() == 0);
}

TEST_CASE("The window's evaluation is the command line's", "[window][pictures][trained]")
{
    const fs::path trained = sharedData() / "models/trained";
    if (!fs::exists(trained / "8bit.pb"))
        return;
    const PictureDesk desk;
    const auto file = [&](const char* name) { return (trained / name).string(); };
    REQUIRE(desk.run("open \"" + file("tiny_mobilenet.pb") +
                     "\"\nwait idle\naction view.pictures\nset picturePixels \"\\u22121 to 1\"\n"
                     "evaluate \"" +
                     file("validation") + "\" \"" + file("labels.txt") + "\"\nwait idle\n") == 0);
    const auto text = [](const std::string& path) { return QString::fromStdString(path); };
    const auto json = nlohmann::json::parse(
        printedBy({u"evaluate"_s, text(file("tiny_mobilenet.pb")), u"--images"_s,
                   text(file("validation")), u"--labels"_s, text(file("labels.txt")),
                   u"--input-mean"_s, u"127.5"_s, u"--input-std"_s, u"127.5"_s, u"--json"_s}));
    const auto& found = desk.document().pictures().found();
    REQUIRE(found);
    CHECK(found->first.top1 == json["top1"].get<double>());
    CHECK(found->first.top5 == json["top5"].get<double>());
    REQUIRE(found->first.best.size() == json["pictures"].size());
    for (std::size_t i = 0; i < found->first.best.size(); ++i) {
        CHECK(found->first.best[i].label == json["pictures"][i]["label"].get<std::string>());
        CHECK(found->first.best[i].score == json["pictures"][i]["score"].get<float>());
    }
}

TEST_CASE("Observed ranges become steps that make the command line's bytes",
          "[window][pictures][trained]")
{
    const fs::path trained = sharedData() / "models/trained";
    if (!fs::exists(trained / "8bit.pb"))
        return;
    const PictureDesk desk;
    const auto file = [&](const char* name) { return (trained / name).string(); };
    REQUIRE(desk.run("open \"" + file("8bit.pb") +
                     "\"\nwait idle\naction view.pictures\nset picturePixels \"\\u22121 to 1\"\n"
                     "observe \"" +
                     file("images") + "\" \"" + desk.path("ranges.log") +
                     "\"\nwait idle\nwait idle\n") == 0);
    REQUIRE(desk.recipe().items().size() == 2);
    CHECK(desk.recipe().items()[0].step.pass == "freeze_requantization_ranges");
    const auto text = [](const std::string& path) { return QString::fromStdString(path); };
    printedBy({u"observe"_s, text(file("8bit.pb")), u"-o"_s, text(desk.path("cli.pb")),
               u"--images"_s, text(file("images")), u"--input-mean"_s, u"127.5"_s, u"--input-std"_s,
               u"127.5"_s});
    REQUIRE(desk.recipe().shown() == 2);
    REQUIRE(desk.recipe().shownGraph() != desk.recipe().base());
    CHECK(encodeGraphDef(*desk.recipe().shownGraph()) == bytesOf(desk.path("cli.pb")));
}

TEST_CASE("An evaluation stops at once", "[window][pictures]")
{
    const PictureDesk desk;
    for (int i = 0; i < 300; ++i)
        fs::copy_file(desk.images + "/1_red.png",
                      desk.images + "/" + std::to_string(10 + i) + "_red.png");
    REQUIRE(desk.run(desk.opened("")) == 0);
    Document& document = desk.document();
    document.pictures().setChoice({{desk.images, desk.labels, ""}, 0, 255});
    evaluatePictures(document, nullptr);
    REQUIRE(document.pictures().isBusy());
    QElapsedTimer time;
    time.start();
    document.cancelWork();
    CHECK_FALSE(document.pictures().isBusy());
    CHECK(time.elapsed() < 100);
    CHECK_FALSE(document.pictures().found());
}

TEST_CASE("Further inputs are fed beside the pictures what the feeds say", "[window][pictures]")
{
    const PictureDesk desk;
    // The scores are the colors, each times a factor; the pictures go to the second input.
    REQUIRE(writeFileAtomically(desk.model, R"(
node { name: "factor" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 3 } } } } }
node { name: "unread" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 3 } dim { size: 1 }
    dim { size: 2 } } } } }
node { name: "axes" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } }
    int_val: 2 int_val: 3 } } } }
node { name: "flat" op: "Mean" input: "x" input: "axes"
  attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tidx" value { type: DT_INT32 } } }
node { name: "scaled" op: "Mul" input: "flat" input: "factor"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "scores" op: "Softmax" input: "scaled" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)")
                .ok());
    REQUIRE(desk.run(desk.opened("")) == 0);
    for (const char* input : {"factor:0", "unread:0", "x:0"})
        desk.document().interface().mark(InterfaceSide::Inputs, input, true);
    REQUIRE(desk.run("feed factor ones\nwait idle\nevaluate \"" + desk.images + "\" \"" +
                     desk.labels +
                     "\"\nwait idle\nexpect text picturesRemark \"top-1 75.00 %\"\n"
                     "expect text pictureBeside \"Also fed: factor:0 ones\"\n") == 0);
    CHECK(desk.part<QLabel>("pictureBeside").text() == u"Also fed: factor:0 ones"_s);
    REQUIRE(desk.run("feed factor \"value:-1 -1 -1\"\nwait idle\naction pictures.evaluate\n"
                     "wait idle\nexpect text picturesRemark \"top-1 25.00 %\"\n"
                     "feed factor \"value:1 2\"\nwait idle\naction pictures.evaluate\n"
                     "wait idle\nexpect text picturesRemark \"factor:0\"\n"
                     "feed factor ones\nwait idle\naction pictures.evaluate\nwait idle\n"
                     "action pictures.nextWrong\nwait idle\n") == 0);
    for (const FedInput& input : desk.document().feeds().inputs())
        CHECK(std::string_view(input.words).starts_with("image:") ==
              (input.tensor.tensor == "x:0"));
}
