// SPDX-License-Identifier: Apache-2.0
// Feeds of a graph in the window, and the values that it computes.
#include "app/document/run/picture_session.h"
#include "app/window/docks/window_docks.h"
#include "app/window/run/run_controller.h"
#include "runner/kernels/codecs/picture.h"
#include "runner/setup/prepare_run.h"
#include "runner/values/memory_pool.h"
#include "tests/app/window/program_runs.h"
#include "tests/app/window/run_desk.h"
#include "tests/shared_data.h"
#include "views/panels/run/feed_panel.h"
#include "views/panels/run/value_panel.h"
#include "views/panels/run/wave_view.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDropEvent>
#include <QHeaderView>
#include <QMimeData>
#include <QStyleOption>
#include <QTableView>
#include <QUrl>

#include <algorithm>
#include <cstring>
#include <fstream>

#include <nlohmann/json.hpp>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::RunDesk;
using lapidary::testing::Sandboxed;

namespace {

// Returns the bytes that `lapidary run` computes from the same plan.
std::string bytesOf(const Document& document, const RunPlan& plan)
{
    auto prepared = prepareRun(document.graphs().entry(), "-", plan, Job());
    REQUIRE(prepared.ok());
    const auto values = prepared->session.run(prepared->request, Job());
    REQUIRE(values.ok());
    return std::string(values->front().bytes());
}

} // namespace

TEST_CASE("run to here computes what a run of everything does", "[run]")
{
    const RunDesk desk;
    CHECK(desk.run(desk.opened("feed bias \"value:0.5 -0.25 0.125\"\n"
                               "run net/relu\n"
                               "expect value net/relu shape 1,4,4,3\n"
                               "expect value net/relu min >= 0\n"
                               "expect text valueTitle net/relu\n")) == 0);
    const Document& document = desk.document();
    REQUIRE(document.values().outputs().size() == 1);
    RunPlan plan = document.feeds().plan();
    plan.fetches = {"net/relu"};
    CHECK(std::string(document.values().outputs()[0].value->bytes()) == bytesOf(document, plan));
}

TEST_CASE("values are kept while one walks, and forgotten with other feeds", "[run]")
{
    const RunDesk desk;
    CHECK(desk.run(desk.opened("run net/sum\n"
                               "run net/relu\n"
                               "run net/sum\n")) == 0);
    const ValueSession& values = desk.document().values();
    CHECK(values.store().count() == 2);
    CHECK(values.store().bytes() == 2 * 48 * 4);
    CHECK(desk.run("select net/mean\nexpect value net/mean shape 1,3\n") == 0); // it follows
    CHECK(values.store().count() == 3);
    CHECK(desk.run("feed bias ones\nrun net/sum\nwait idle\n") == 0);
    CHECK(values.store().count() == 1);
    CHECK(desk.run("action value.forget\nexpect disabled value.forget\n"
                   "expect text valueMessage \"press V\"\n") == 0);
}

TEST_CASE("the key V runs to the selected node", "[run]")
{
    const RunDesk desk;
    CHECK(desk.run(desk.opened("select scores\naction view.focusCanvas\nkey V\n"
                               "expect value scores elements 3\n"
                               "set valueView Table\nexpect text valueView Table\n"
                               "key Alt+F5\nexpect selected scores\n")) == 0);
    CHECK(desk.window->parts().runs->report()->view == ValueView::Table);
}

TEST_CASE("files for devices are run in the sandbox, as they are by a command", "[run]")
{
    const Sandboxed boxed;
    for (const char* name : {"net.onnx", "net.tflite"}) {
        INFO(name);
        const RunDesk desk;
        const std::string file = desk.path(name);
        REQUIRE(desk.run(desk.opened("export \"" + file + "\"\nwait idle\nopen \"" + file +
                                     "\"\nwait idle\n")) == 0);
        Document& document = desk.document();
        REQUIRE(document.file().path().filename() == name);
        const std::string output = document.interface().choice().outputs.at(0).tensor;
        REQUIRE(desk.run("run\nwait idle\n") == 0);
        INFO(document.values().failure().toStdString());
        REQUIRE(document.values().outputs().size() == 1);
        REQUIRE(document.values().outputs()[0].value);
        RunPlan plan = document.feeds().plan();
        plan.fetches = {output};
        CHECK(std::string(document.values().outputs()[0].value->bytes()) ==
              bytesOf(document, plan));
        CHECK(desk.run("action graph.profile\nwait idle\n") == 0);
        CHECK(document.profile().failure().toStdString() == "");
        CHECK(document.profile().profile());
    }
}

TEST_CASE("loops, branches and functions are run to like nodes", "[run]")
{
    const RunDesk desk;
    const std::string model = (sharedData() / "models/made/functional_control.pb").string();
    // The picture shows the opened loops and branches: scopes of these names.
    CHECK(desk.run("open \"" + model +
                   "\"\nwait idle\n"
                   "run functional_if\nwait idle\n"
                   "expect text valueTitle functional_if\n"
                   "run functional_while/LoopCond\nwait idle\n"
                   "expect text valueSize \"last of 6\"\n") == 0);
    Document& document = desk.document();
    document.graphs().openFunction("Below");
    CHECK(desk.run("wait idle\nrun Less\nwait idle\nexpect text valueSize \"last of 6\"\n"
                   "expect text valueTitle Less\nselect i\nexpect disabled run.here\n"
                   "expect text valueMessage \"is an argument\"\n") == 0);
}

TEST_CASE("the network of a signature runs with the checkpoint beside the model", "[run]")
{
    const RunDesk desk;
    const std::string model = (sharedData() / "models/real/serving_half_plus_two_tf2").string();
    CHECK(desk.run("open \"" + model +
                   "\"\nwait idle\nfeed serving_default_x value:4\nwait idle\n"
                   "run\nwait idle\nexpect value y max 4\n"
                   "action graph.profile\nwait idle\n"
                   "expect text sensitivityRemark \"Transform > Freeze\"\n"
                   "expect text autopilotRemark \"Transform > Freeze\"\n") == 0);
    const Document& document = desk.document();
    CHECK(document.graphs().isInNetwork()); // as it was
    CHECK(document.profile().profile() != nullptr);
}

TEST_CASE("a wrong feed says so in its row, and nothing runs", "[run]")
{
    const RunDesk desk;
    CHECK(desk.run(desk.opened("action view.run\n"
                               "feed bias \"value:1 2\"\nwait idle\n"
                               "expect text feedTable \"does not hold 2 values\"\n"
                               "run net/sum\n"
                               "expect text valueMessage \"bias\"\n")) == 0);
    const Document& document = desk.document();
    CHECK(document.values().outputs().empty());
    CHECK(document.feeds().fault().contains(u"bias"_s));
    // Missing files, and truncated ones.
    const std::string cut = desk.path("cut.png");
    std::ofstream(cut, std::ios::binary) << "\x89PNG\r\n\x1a\n";
    CHECK(desk.run("feed bias ones\nfeed picture \"image:" + cut +
                   "\"\nwait idle\n"
                   "expect text feedTable cut.png\n") == 0);
    CHECK(document.feeds().fault().contains(u"cut.png"_s));
    CHECK(desk.run("feed picture gone.npy\nwait idle\nexpect text feedTable gone.npy\n") == 0);
    CHECK(!document.feeds().fault().isEmpty());
    CHECK(desk.run("action run.reset\nwait idle\nrun net/sum\nexpect value net/sum nans 0\n") == 0);
    CHECK(document.feeds().fault().isEmpty());
}

TEST_CASE("a picture is previewed exactly as it is fed", "[run]")
{
    const RunDesk desk;
    const std::string file = desk.writePicture("red.png", 255, 0, 127);
    CHECK(desk.run(desk.opened("feed picture \"image:" + file +
                               ":127.5:127.5\"\nwait idle\n"
                               "feed bias zeros\nrun net/sum\n"
                               "expect value net/sum max 1\nexpect value net/sum min -1\n")) == 0);
    const FedInput& input = desk.input("picture:0");
    REQUIRE(input.check.picture);
    CHECK(input.check.picture->width == 4);
    CHECK(input.check.picture->pixels[0] == 255);
    CHECK(input.check.picture->pixels[1] == 0);
    CHECK(input.check.picture->pixels[2] == 127);
}

TEST_CASE("files are dropped on rows and on boxes", "[run]")
{
    const RunDesk desk;
    const std::string file = desk.writePicture("gray.png", 51, 51, 51);
    CHECK(desk.run(desk.opened("action view.fitAll\nwait idle\ndrop \"" + file +
                               "\" at picture\nwait idle\n"
                               "expect text feedTable gray.png\nexpect tabs 1\n")) == 0);
    const FeedSession& feeds = desk.document().feeds();
    CHECK(desk.input("picture:0").words == "image:" + file + ":0:255");
    auto* table = desk.window->findChild<QTableView*>(u"feedTable"_s);
    REQUIRE(table != nullptr);
    const int row = feeds.inputs().front().tensor.tensor == "bias:0" ? 0 : 1;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(u"/nowhere/bias.npy"_s)});
    const QPoint at = table->visualRect(table->model()->index(row, 3)).center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(table->viewport(), &enter);
    QDragMoveEvent move(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(table->viewport(), &move);
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(table->viewport(), &drop);
    CHECK(desk.input("bias:0").words == "/nowhere/bias.npy");
}

TEST_CASE("a command line is copied from the window and taken over again", "[run]")
{
    const RunDesk desk;
    CHECK(desk.run(desk.opened("feed bias \"value:1 2 3\"\naction run.copyLine\n")) == 0);
    const QString line = QApplication::clipboard()->text();
    CHECK(line.contains(u"--feed 'bias=value:1 2 3'"_s));
    CHECK(line.contains(u"--fetch 'scores:0'"_s));
    const RunPlan before = desk.document().feeds().plan();
    CHECK(desk.run("action run.reset\naction view.run\nwait idle\naction run.pasteLine\n"
                   "expect text feedTable \"value:1 2 3\"\n") == 0);
    RunPlan after = desk.document().feeds().plan();
    RunPlan again = before;
    after.fetches = again.fetches = {"scores"};
    CHECK(bytesOf(desk.document(), after) == bytesOf(desk.document(), again));
    QApplication::clipboard()->setText(u"lapidary verify a b"_s);
    CHECK(desk.run("action run.pasteLine\nexpect text feedRemark \"lapidary run\"\n") == 0);
}

TEST_CASE("the feeds are part of what is remembered of a file", "[run]")
{
    const RunDesk desk;
    CHECK(desk.run(desk.opened("feed bias \"value:1 2 3\"\n")) == 0);
    const nlohmann::json state = desk.document().memory().state();
    CHECK(state["graphs"]["0"]["feeds"]["bias:0"] == "value:1 2 3");
    desk.document().feeds().reset();
    desk.document().feeds().restore(state["graphs"]["0"]["feeds"]);
    const auto& inputs = desk.document().feeds().inputs();
    CHECK(std::ranges::any_of(inputs,
                              [](const FedInput& input) { return input.words == "value:1 2 3"; }));
}

TEST_CASE("a value is written as an array, as text and as a picture", "[run]")
{
    const RunDesk desk;
    const std::string npy = desk.path("sum.npy");
    const std::string csv = desk.path("scores.csv");
    const std::string png = desk.path("sum.png");
    CHECK(desk.run(desk.opened("run net/sum\nwait idle\nvalue \"" + npy + "\"\nvalue \"" + png +
                               "\"\nrun scores\nwait idle\nvalue \"" + csv + "\"\n")) == 0);
    CHECK(std::filesystem::file_size(npy) == 128 + 48 * 4);
    CHECK(QImage(QString::fromStdString(png)).size() == QSize(4, 4));
    std::ifstream in(csv);
    std::string line;
    REQUIRE(std::getline(in, line));
    CHECK(std::count(line.begin(), line.end(), ',') == 2);
}

TEST_CASE("the rows of a table of elements have their numbers whole", "[run]")
{
    const RunDesk desk;
    REQUIRE(desk.run(desk.opened("run net/axes\nwait idle\nset valueView Table\nwait idle\n")) ==
            0);
    const auto* const table = desk.window->findChild<QTableView*>(u"valueElements"_s);
    REQUIRE(table != nullptr);
    const QHeaderView* const header = table->verticalHeader();
    REQUIRE(header->count() == 1);
    QStyleOptionHeader option;
    option.initFrom(header);
    option.orientation = Qt::Vertical;
    option.text = u"0"_s;
    option.rect = QRect(0, 0, header->width(), header->sectionSize(0));
    const QRect label = header->style()->subElementRect(QStyle::SE_HeaderLabel, &option, header);
    CHECK(label.height() >= header->fontMetrics().height());
    CHECK(label.width() >= header->fontMetrics().horizontalAdvance(option.text));
}

TEST_CASE("class scores have the names of a file of labels, and are copied as lines", "[run]")
{
    const RunDesk desk;
    REQUIRE(writeFileAtomically(desk.path("labels.txt"), "cat\ndog\n").ok());
    REQUIRE(desk.run(desk.opened("feed bias \"value:0 3 1\"\nfeed picture zeros\nrun scores\n"
                                 "wait idle\nexpect text valueView \"Largest values\"\n")) == 0);
    desk.window->parts().runs->readLabels(QString::fromStdString(desk.path("labels.txt")));
    REQUIRE(desk.run("wait idle\nexpect text valueBars dog\naction value.copy\nwait idle\n") == 0);
    const QString bars =
        desk.window->findChild<QWidget*>(u"valueBars"_s)->property("text").toString();
    CHECK(bars.startsWith(u"1  dog"_s)); // the largest first; class 2 has no label
    CHECK(bars.contains(u"0  cat"_s));
    const QStringList copied = QApplication::clipboard()->text().trimmed().split(u',');
    REQUIRE(copied.size() == 3);
    CHECK(copied[1].toDouble() > copied[2].toDouble());
}

TEST_CASE("class scores have the names of the pictures that the graph is evaluated on", "[run]")
{
    const RunDesk desk;
    REQUIRE(writeFileAtomically(desk.path("labels.txt"), "cat\ndog\n").ok());
    REQUIRE(writeFileAtomically(desk.path("own.txt"), "one\ntwo\n").ok());
    REQUIRE(desk.run(desk.opened("feed bias \"value:0 3 1\"\nfeed picture zeros\nrun scores\n"
                                 "wait idle\n")) == 0);
    FolderChoice choice = desk.document().pictures().choice();
    choice.folder.labels = desk.path("labels.txt");
    desk.document().pictures().setChoice(choice);
    CHECK(desk.run("wait idle\nexpect text valueBars dog\n") == 0);
    desk.window->parts().runs->readLabels(QString::fromStdString(desk.path("own.txt")));
    CHECK(desk.run("wait idle\nexpect text valueBars two\n") == 0);
}

TEST_CASE("the head of values fits a narrow window, whatever the node is called", "[run]")
{
    ValuePanel panel;
    panel.setNode(u"first_part_of_a_name/second_part_of_it/decoded_sample_data"_s,
                  {u"first_part_of_a_name/second_part_of_it/decoded_sample_data:0"_s,
                   u"first_part_of_a_name/second_part_of_it/decoded_sample_data:1"_s});
    panel.setMemory(u"64.0 kB of 1.00 GB kept"_s, {});
    CHECK(panel.minimumSizeHint().width() <= 690); // of the tables in a window of 1280
    CHECK(panel.findChild<QWidget*>(u"valueTitle"_s)->isHidden()); // the choice has the name
}

TEST_CASE("the least recently used values are dropped to keep the limit", "[run]")
{
    MemoryPool pool(1 << 20);
    const auto value = [&](std::int64_t floats) {
        Value made = Value::make(DType::Float, {floats}, pool).value();
        std::memset(made.mutableAs<char>().data(), 0, made.byteCount());
        return made;
    };
    ValueStore store;
    store.setLimit(100);
    store.put("a", value(10));
    store.put("b", value(10));
    CHECK(store.find("a") != nullptr); // b was not asked for longest
    store.put("c", value(10));
    CHECK(store.find("b") == nullptr);
    CHECK(store.bytes() == 80);
    CHECK(store.letGo() == 1);
    store.put("d", value(100)); // larger than all
    CHECK(store.find("d") == nullptr);
    CHECK(store.count() == 2);
    store.put("a", value(5));
    CHECK(store.bytes() == 60);
    store.setLimit(0);
    CHECK(store.count() == 0);
}

TEST_CASE("feeds are kept under a name and fed again", "[run]")
{
    const RunDesk desk;
    REQUIRE(desk.run(desk.opened("feed picture random:7\nfeed bias ones\nfeed keep warm\n"
                                 "feed picture zeros\nfeed keep cold\nwait idle\n"
                                 "expect text feedSets cold\nfeed use warm\nwait idle\n"
                                 "expect text feedTable random:7\nexpect text feedSets warm\n"
                                 "action run.nextSet\nwait idle\n"
                                 "expect text feedTable zeros\n")) == 0);
    FeedSession& feeds = desk.document().feeds();
    CHECK(feeds.setNames() == std::vector<std::string>{"cold", "warm"});
    CHECK(feeds.currentSet() == "cold");
    CHECK(!feeds.useSet("hot"));
    const nlohmann::json kept = feeds.remembered();
    feeds.forgetSet("cold");
    CHECK(feeds.currentSet().empty());
    feeds.restore(kept);
    CHECK(feeds.setNames().size() == 2);
    CHECK(feeds.currentSet() == "cold");
}

TEST_CASE("how a value is shown is kept for its tensor", "[run]")
{
    const RunDesk desk;
    REQUIRE(desk.run(desk.opened("run net/relu\nwait idle\nset valueView Table\nwait idle\n"
                                 "run net/sum\nwait idle\nexpect text valueView Picture\n"
                                 "run net/relu\nwait idle\nexpect text valueView Table\n")) == 0);
    const ValueChoices& choices = desk.document().values().choices();
    CHECK(choices.of("net/relu:0").view == ValueView::Table);
    ValueChoices other;
    other.restore(choices.remembered());
    CHECK(other.of("net/relu:0") == choices.of("net/relu:0"));
    CHECK(other.of("net/sum:0") == ValueChoice());
    other.restore(nlohmann::json::parse(
        R"({"tensors": {"a": {"view": 99, "picture": -1, "slice": {"at": ["x"]}}, "b": 3}})"));
    CHECK(!other.of("a").view);
}

TEST_CASE("the model of the inputs keeps its rows", "[run]")
{
    FeedModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows({{u"x:0"_s, u"float"_s, u"1,2"_s, u"zeros"_s, {}, false}});
    QString words;
    QObject::connect(&model, &FeedModel::wordsEdited,
                     [&words](const QString&, const QString& text) { words = text; });
    CHECK(model.setData(model.index(0, FeedModel::SourceColumn), u" ones "_s, Qt::EditRole));
    CHECK(words == u"ones"_s);
    model.setRows({{u"x:0"_s, u"float"_s, u"1,2"_s, u"ones"_s, u"bad"_s, true}});
    CHECK(model.index(0, FeedModel::FedColumn).data().toString().contains(u"bad"_s));
    model.setRows({});
    CHECK(model.rowCount() == 0);
}

TEST_CASE("low lanes of a sound show its samples, higher ones its frequencies too", "[run]")
{
    WaveView view;
    Waveform wave;
    wave.samples = 64;
    wave.allChannels = 2;
    wave.low = -1;
    wave.high = 1;
    wave.channels.assign(2, std::vector<Waveform::Span>(8, {-1, 1, false}));
    Spectrogram spectrogram;
    spectrogram.rows = 2;
    spectrogram.columns = 4;
    spectrogram.window = 16;
    spectrogram.channels.assign(2, std::vector<std::uint8_t>(8, 255));
    view.setWave(wave, spectrogram);
    view.show();
    const auto spectrumColor = [&](int height) {
        view.resize(200, height);
        // In the middle of the lower half of the first lane.
        return view.grab().toImage().pixelColor(120, height * 3 / 8);
    };
    const QColor frequencies = spectrumColor(200);
    CHECK(view.toolTip().contains(u"frequencies of 16 samples"_s));
    CHECK(spectrumColor(80) != frequencies);
    CHECK(!view.toolTip().contains(u"frequencies"_s));
}
