// SPDX-License-Identifier: Apache-2.0
// Each kind of feed in the window, feeds that do not fit, and which values are kept.
#include "app/run_line/run_line.h"
#include "runner/feeds/npy_values.h"
#include "runner/feeds/zip_archive.h"
#include "runner/kernels/codecs/picture.h"
#include "runner/setup/prepare_run.h"
#include "runner/values/memory_pool.h"
#include "tests/app/window/desktop.h"
#include "tests/app/window/dropout_graph.h"
#include "views/panels/run/feed_panel.h"

#include <QClipboard>
#include <QLabel>
#include <QLayout>
#include <QTableView>

#include <algorithm>
#include <fstream>
#include <numeric>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;
using lapidary::testing::Desktop;
using lapidary::testing::dropoutGraph;

namespace {

const char* const feedNetwork = R"(
node { name: "picture" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 4 } dim { size: 4 } dim { size: 3 } } } } }
node { name: "bias" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 3 } } } } }
node { name: "text" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } }
  attr { key: "shape" value { shape { } } } }
node { name: "net/sum" op: "BiasAdd" input: "picture" input: "bias"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/relu" op: "Relu" input: "net/sum" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/neg" op: "Neg" input: "net/relu" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/copy" op: "Identity" input: "text" attr { key: "T" value { type: DT_STRING } } }
versions { producer: 134 }
)";

struct FeedDesk : Desktop {
    MemoryPool pool{1 << 24};

    FeedDesk()
    {
        REQUIRE(writeFileAtomically(path("net.pbtxt"), feedNetwork).ok());
        REQUIRE(run("open \"" + path("net.pbtxt") + "\"\nwait idle\n") == 0);
        for (const char* input : {"picture:0", "bias:0", "text:0"})
            document().interface().mark(InterfaceSide::Inputs, input, true);
        REQUIRE(run("feed text value:words\nwait idle\n") == 0);
    }
    Document& document() const { return *window->parts().tabs->document(); }
    std::string wordsOf(const char* tensor) const
    {
        for (const FedInput& input : document().feeds().inputs())
            if (input.tensor.tensor == tensor)
                return input.words;
        return "no such input";
    }
    std::string file(const char* name, const std::string& bytes) const
    {
        REQUIRE(writeFileAtomically(path(name), bytes).ok());
        return path(name);
    }
    template <class T>
    std::string npy(DType dtype, std::vector<std::int64_t> dims)
    {
        Value value = Value::make(dtype, std::move(dims), pool).value();
        const auto numbers = value.mutableAs<T>();
        std::iota(numbers.begin(), numbers.end(), T(1));
        return encodeNpy(value).value();
    }
    std::string png()
    {
        Value pixels = Value::make(DType::UInt8, {8, 8, 3}, pool).value();
        const auto bytes = pixels.mutableAs<std::uint8_t>();
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = std::uint8_t(37 * i);
        return encodePng(pixels, -1).value();
    }
};

// Returns what the command line `lapidary run` computes.
Result<Value> computedBy(const Document& document, const std::string& line, const char* fetch)
{
    ASSIGN_OR_RETURN(RunPlan plan, parseRunLine(line));
    plan.fetches = {fetch};
    ASSIGN_OR_RETURN(auto prepared, prepareRun(document.graphs().entry(), "-", plan, Job()));
    ASSIGN_OR_RETURN(const auto values, prepared.session.run(prepared.request, Job()));
    return values.front();
}

} // namespace

TEST_CASE("settings are fed what infers, and strings are empty, until something is said",
          "[run][feeds]")
{
    Desktop desk;
    const std::string file = desk.path("dropout.pbtxt");
    const char* const text = R"(
node { name: "text" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } }
  attr { key: "shape" value { shape { } } } })";
    REQUIRE(writeFileAtomically(file, dropoutGraph(text)).ok());
    REQUIRE(desk.run("open \"" + file + "\"\nwait idle\n") == 0);
    Document& document = *desk.window->parts().tabs->document();
    for (const char* input : {"x:0", "text:0", "prob:0"})
        document.interface().mark(InterfaceSide::Inputs, input, true);
    REQUIRE(desk.run("wait idle\n") == 0);
    const auto wordsOf = [&](const char* tensor) {
        for (const FedInput& input : document.feeds().inputs())
            if (input.tensor.tensor == tensor)
                return input.words;
        return std::string("no such input");
    };
    CHECK(wordsOf("x:0") == "random:1");
    CHECK(wordsOf("text:0") == "zeros");
    CHECK(wordsOf("prob:0") == "ones");
    CHECK(document.feeds().fault().isEmpty());
    REQUIRE(desk.run("feed x \"value:3 4\"\nrun y\nwait idle\nexpect value y max 4\n") == 0);
    CHECK(desk.run("feed prob value:0.5\nwait idle\n") == 0);
    CHECK(wordsOf("prob:0") == "value:0.5");
    // It is one number in a changed graph, too, even if that one does not declare it.
    const RunPlan plan = document.feeds().plan();
    const auto shape = std::ranges::find(plan.shapes, std::string("prob:0"),
                                         [](const auto& one) { return one.first; });
    REQUIRE(shape != plan.shapes.end());
    CHECK(shape->second.dims.empty());
}

TEST_CASE("a node that decodes a sound is fed one, without a question for its size", "[run][feeds]")
{
    const Desktop desk;
    const std::string file = desk.path("sound.pbtxt");
    REQUIRE(writeFileAtomically(file, R"(
node { name: "file" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } }
  attr { key: "shape" value { shape { unknown_rank: true } } } }
node { name: "sound" op: "DecodeWav" input: "file"
  attr { key: "desired_channels" value { i: 1 } } attr { key: "desired_samples" value { i: 64 } } }
)")
                .ok());
    REQUIRE(desk.run("open \"" + file + "\"\nwait idle\n") == 0);
    desk.window->parts().tabs->document()->interface().mark(InterfaceSide::Inputs, "file:0", true);
    CHECK(desk.run("wait idle\naction view.run\nrun sound\nwait idle\n"
                   "expect value sound shape 64,1\nexpect value sound max > 0.5\n"
                   "expect text feedRemark \"\"\n") == 0);
    CHECK(desk.window->parts().tabs->document()->feeds().inputs().front().check.says.startsWith(
        QStringLiteral("a sound, ")));
}

TEST_CASE("each kind of source gives the bytes of the line that is copied", "[run][feeds]")
{
    FeedDesk desk;
    const std::string numbers = desk.npy<float>(DType::Float, {1, 4, 4, 3});
    const std::string png = desk.file("a picture.png", desk.png());
    const std::vector<std::string> sources{
        "random:3",
        "random:5:-1:2",
        "zeros",
        "ones",
        "value:0.25",
        "image:" + png,
        "image:" + png + ":127.5:127.5",
        "image:" + png + ":123.68,116.78,103.94:1:bgr",
        desk.file("x.npy", numbers),
        desk.file("doubles.npy", desk.npy<double>(DType::Double, {1, 4, 4, 3})),
        desk.file("x.raw", numbers.substr(numbers.size() - 48 * 4)),
    };
    for (const std::string& source : sources) {
        INFO(source);
        REQUIRE(desk.run("feed bias \"value:1 -2 0.5\"\nfeed picture \"" + source +
                         "\"\nwait idle\nrun net/sum\nwait idle\naction run.copyLine\n") == 0);
        CHECK(desk.document().feeds().fault().isEmpty());
        REQUIRE(desk.document().values().outputs().size() == 1);
        REQUIRE(desk.document().values().outputs()[0].value);
        const auto copied =
            computedBy(desk.document(), QApplication::clipboard()->text().toStdString(), "net/sum");
        REQUIRE(copied.ok());
        CHECK(std::ranges::equal(copied->bytes(),
                                 desk.document().values().outputs()[0].value->bytes()));
    }
    // A string input takes a text or the content of a file, such as a sound.
    const std::string sound("RIFF\0\1 any bytes", 16);
    for (const std::string& source : {std::string("value:some words"), desk.file("a.wav", sound)}) {
        REQUIRE(desk.run("feed text \"" + source +
                         "\"\nwait idle\nrun net/copy\nwait idle\naction run.copyLine\n") == 0);
        REQUIRE(desk.document().values().outputs().size() == 1);
        const auto copied = computedBy(desk.document(),
                                       QApplication::clipboard()->text().toStdString(), "net/copy");
        REQUIRE(copied.ok());
        CHECK(copied->strings()[0] == desk.document().values().outputs()[0].value->strings()[0]);
        CHECK(copied->strings()[0] == (source.starts_with("value") ? "some words" : sound));
    }
}

TEST_CASE("a source that does not fit says so in its row, and nothing runs or is lost",
          "[run][feeds]")
{
    FeedDesk desk;
    const std::string png = desk.png();
    REQUIRE(desk.run("feed bias \"value:1 2 3\"\nfeed picture zeros\nrun net/sum\nwait idle\n") ==
            0);
    const std::vector<std::pair<std::string, const char*>> wrong{
        {"image:" + desk.path("gone.png"), "gone.png"},
        {desk.path("gone.npy"), "gone.npy"},
        {"image:" + desk.file("cut.png", png.substr(0, png.size() / 2)), "cut.png"},
        {"image:" + desk.file("none.png", "no picture"), "none.png"},
        {desk.file("rank.npy", desk.npy<float>(DType::Float, {4, 4, 3})), "rank.npy"},
        {desk.file("size.npy", desk.npy<float>(DType::Float, {1, 4, 5, 3})), "size.npy"},
        {desk.file("far.npy", desk.npy<std::int64_t>(DType::Int64, {7})), "far.npy"},
        {desk.file("cut.npy", desk.npy<float>(DType::Float, {1, 4, 4, 3}).substr(0, 150)),
         "cut.npy"},
        {desk.file("short.raw", "12345"), "short.raw"},
        {desk.file("no.npz", "PK\3\4 nothing"), "no.npz"},
        {"value:1 2", "2 values"},
        {"value:many", "many"},
        {"random:1:2", "random"},
    };
    for (const auto& [source, named] : wrong) {
        INFO(source);
        REQUIRE(desk.run("feed picture \"" + source + "\"\nwait idle\nexpect text feedTable " +
                         "\"" + named + "\"" +
                         "\nrun net/sum\nwait idle\nexpect text valueMessage picture\n") == 0);
        const QString fault = desk.document().feeds().fault();
        INFO(fault.toStdString());
        CHECK(fault.contains(u"picture"_s));
        CHECK(desk.document().values().outputs().empty());
        CHECK(desk.wordsOf("picture:0") == source); // kept so that it can be corrected
        CHECK(desk.wordsOf("bias:0") == "value:1 2 3");
    }
    REQUIRE(desk.run("feed picture zeros\nwait idle\nrun net/sum\nwait idle\n"
                     "expect value net/sum max 3\n") == 0);
    CHECK(desk.document().feeds().fault().isEmpty());
}

TEST_CASE("a fault is shown in full below the rows, and a low panel has space for it",
          "[run][feeds]")
{
    const FeedDesk desk;
    CHECK(desk.run("action view.run\nfeed bias \"value:1 2\"\nwait idle\n") == 0);
    const auto* panel = desk.window->findChild<FeedPanel*>();
    REQUIRE(panel != nullptr);
    panel->table()->setCurrentIndex(panel->model().index(panel->model().rowOf(u"bias:0"_s), 0));
    const auto* says = panel->findChild<QLabel*>(u"feedSays"_s);
    REQUIRE(says != nullptr);
    CHECK(says->text().contains(u"2 values"_s));
    CHECK(says->property("problem").toBool());
    constexpr int room = 215; // of the tables in a window of 1280 by 800
    CHECK(panel->minimumSizeHint().height() <= room);
    CHECK_FALSE(panel->layout()->hasHeightForWidth());
}

TEST_CASE("the settings say how much of the values is kept", "[run][feeds]")
{
    const FeedDesk desk;
    CHECK(desk.run("run net/sum\nwait idle\nexpect text valueMemory \"of 1.00 GB kept\"\n"
                   "setting values 512\nexpect text valueMemory \"of 512 MB kept\"\n"
                   "setting values 0\nexpect text valueMemory \"of 1.00 GB kept\"\n") == 0);
}

TEST_CASE("a walk through all nodes stays within the memory of the option", "[run][feeds]")
{
    const FeedDesk desk;
    constexpr std::uint64_t one = 48 * 4; // bytes of each value of the network
    desk.document().values().setLimit(2 * one);
    for (const char* node : {"picture", "net/sum", "net/relu", "net/neg", "net/relu", "net/sum"}) {
        REQUIRE(desk.run(std::string("run ") + node + "\nwait idle\nexpect value " + node +
                         " shape 1,4,4,3\n") == 0);
        CHECK(desk.document().values().store().bytes() <= 2 * one);
    }
    CHECK(desk.document().values().store().letGo() > 0);
    CHECK(desk.run(
              "expect text valueMemory \"let go\"\nexpect text valueMemory \"384 B of 384 B\"\n") ==
          0);
}

TEST_CASE("tensors from an iterator are fed with known sizes, for a state too", "[run][feeds]")
{
    Desktop desk;
    const std::string file = desk.path("pipeline.pbtxt");
    REQUIRE(writeFileAtomically(file, R"(
node { name: "it" op: "IteratorV2" attr { key: "shared_name" value { s: "" } }
  attr { key: "container" value { s: "" } }
  attr { key: "output_types" value { list { type: DT_FLOAT } } }
  attr { key: "output_shapes" value { list { shape { dim { size: -1 } dim { size: 2 } } } } } }
node { name: "next" op: "IteratorGetNext" input: "it"
  attr { key: "output_types" value { list { type: DT_FLOAT } } }
  attr { key: "output_shapes" value { list { shape { dim { size: -1 } dim { size: 2 } } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 3 tensor_shape { } } } } }
node { name: "same" op: "Identity" input: "next" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "out" op: "Mul" input: "same" input: "w" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)")
                .ok());
    REQUIRE(desk.run("open \"" + file + "\"\nwait idle\n") == 0);
    Document& document = *desk.window->parts().tabs->document();
    REQUIRE(document.feeds().inputs().size() == 1);
    CHECK(document.feeds().inputs()[0].tensor.tensor == "next:0");
    CHECK(document.feeds().fault().toStdString() == "");
    CHECK(desk.run("feed next ones\nrun out\nwait idle\nexpect value out shape 1,2\n"
                   "expect value out max 3\n"
                   "action recipe.addPass\ntype remove_identity\nkey Return\nwait idle\n"
                   "action recipe.next\nwait idle\n"
                   "action lens.compare\nwait idle\n"
                   "expect text lensRemark \"0 below\"\n") == 0);
}

TEST_CASE("a narrow table of inputs has two lines for each, and cuts no column", "[run][feeds]")
{
    const FeedDesk desk;
    CHECK(desk.run("size 1280 800\naction view.run\nfeed bias \"value:1 2\"\nwait idle\n") == 0);
    desk.window->show();
    QApplication::processEvents();
    const auto* panel = desk.window->findChild<FeedPanel*>();
    REQUIRE(panel != nullptr);
    const QTableView& table = *panel->table();
    CHECK(table.isColumnHidden(FeedModel::FedColumn));
    const QFontMetrics metrics(table.font());
    CHECK(table.rowHeight(0) >= 2 * metrics.height());
    CHECK(table.columnWidth(FeedModel::SourceColumn) >=
          metrics.horizontalAdvance(u"float 1\u00D7224\u00D7224\u00D73, from 0 to 1"_s));
    const QModelIndex bias =
        panel->model().index(panel->model().rowOf(u"bias:0"_s), FeedModel::SourceColumn);
    CHECK(bias.data(FeedModel::SecondLineRole).toString().contains(u"2 values"_s));
    CHECK(bias.data(FeedModel::WrongRole).toBool());
    CHECK(desk.run("expect text feedRemark \"1 of 3 inputs cannot be fed\"\nsize 1920 1080\n") ==
          0);
    QApplication::processEvents();
    CHECK_FALSE(table.isColumnHidden(FeedModel::FedColumn));
}
