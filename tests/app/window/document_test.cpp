// SPDX-License-Identifier: Apache-2.0
#include "app/document/document.h"
#include "app/document/picture/visible_items.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/shared_data.h"
#include "views/theme/text_measure.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace lapidary;

namespace {

struct Desk {
    QTemporaryDir folder;
    QThreadPool pool;
    StateStore store{std::filesystem::path(folder.filePath(QStringLiteral("state")).toStdString())};

    Desk() { pool.setMaxThreadCount(1); }
    std::filesystem::path write(const char* name, std::string_view bytes) const
    {
        const std::filesystem::path path = folder.path().toStdString();
        const Status written = writeFileAtomically(path / name, bytes);
        REQUIRE(written.ok());
        return path / name;
    }
    std::unique_ptr<Document> document() const
    {
        return std::make_unique<Document>(
            DocumentContext{const_cast<QThreadPool*>(&pool), measureCanvasText(), &store, nullptr});
    }
};

void waitFor(const std::function<bool()>& condition)
{
    REQUIRE(QTest::qWaitFor(condition, 60'000));
}

std::string network()
{
    return encodeGraphDef(*graph(R"(x = Placeholder()
                                    net/a/one = Relu(x)
                                    net/a/two = Relu(net/a/one)
                                    net/b/one = Sigmoid(net/a/two)
                                    net/b/two = Sigmoid(net/b/one)
                                    y = Softmax(net/b/two)
                                    spare = Tanh(x))"));
}

void open(Document& document, const std::filesystem::path& path)
{
    document.file().open(path);
    waitFor([&] {
        return document.work().stage() == DocumentStage::Shown && !document.work().isBusy();
    });
}

} // namespace

TEST_CASE("a document loads, opens scopes and remembers them", "[document]")
{
    const Desk desk;
    const auto path = desk.write("net.pb", network());
    {
        auto document = desk.document();
        open(*document, path);
        const GroupId net = document->picture().preparation()->tree().find("net");
        REQUIRE(net.isValid());
        document->scopes().collapseAll();
        waitFor([&] { return !document->work().isBusy(); });
        CHECK(document->picture().openGroups().empty());
        document->scopes().makeVisible(ItemId::of(document->graph()->find("net/b/one")));
        waitFor([&] { return !document->work().isBusy(); });
        CHECK(document->picture().openGroups().contains(net));
        CHECK(document->picture().scene()->boxOf.contains(
            ItemId::of(document->graph()->find("net/b/one"))));
        document->interface().mark(InterfaceSide::Outputs, "net/b/one", true);
        document->memory().addToRecent({});
    }
    auto again = desk.document();
    open(*again, path);
    CHECK(again->picture().scene()->boxOf.contains(ItemId::of(again->graph()->find("net/b/one"))));
    CHECK(again->interface().isMarked(InterfaceSide::Outputs, again->graph()->find("net/b/one")));
    CHECK(desk.store.recentFiles().size() == 1);
}

TEST_CASE("shapes given to inputs reach the edges", "[document]")
{
    const Desk desk;
    auto document = desk.document();
    open(*document, desk.write("net.pb", network()));
    document->scopes().expandAll();
    waitFor([&] { return !document->work().isBusy(); });
    const auto inferred = [&] {
        return std::ranges::count_if(document->picture().scene()->edges, [](const SceneEdge& edge) {
            return edge.label == "2\u00D75" && edge.isInferred;
        });
    };
    CHECK(inferred() == 0);
    InterfaceSession& interface = document->interface();
    if (!interface.isMarked(InterfaceSide::Inputs, document->graph()->find("x")))
        interface.mark(InterfaceSide::Inputs, "x", true);
    ChosenTensor x = interface.choice().inputs.front();
    REQUIRE(x.tensor == "x:0");
    x.shape = {{2, 5}, false};
    interface.edit(InterfaceSide::Inputs, x);
    waitFor([&] { return !document->work().isBusy(); });
    CHECK(inferred() >= 4);
    const TensorLabel* y =
        document->picture().shapes()->inferred.find({document->graph()->find("y"), 0});
    REQUIRE(y != nullptr);
    CHECK(y->shape == Shape{{2, 5}, false});
    x.shape = {{}, true};
    interface.edit(InterfaceSide::Inputs, x);
    waitFor([&] { return !document->work().isBusy(); });
    CHECK(inferred() == 0);
}

TEST_CASE("the newest expansion wins", "[document]")
{
    const Desk desk;
    auto document = desk.document();
    open(*document, desk.write("net.pb", network()));
    document->scopes().expandAll();
    document->scopes().collapseAll();
    document->scopes().expandAll();
    waitFor([&] { return !document->work().isBusy(); });
    CHECK(document->picture().openGroups().size() ==
          document->picture().preparation()->tree().size() - 1);
}

TEST_CASE("a document that is closed while it loads goes quietly", "[document]")
{
    const Desk desk;
    const auto path = desk.write("net.pb", network());
    for (int i = 0; i < 20; ++i) {
        auto document = desk.document();
        document->file().open(path);
        if (i % 2 == 0)
            QCoreApplication::processEvents();
    }
    QCoreApplication::processEvents();
}

TEST_CASE("a file that is not a model is described in a sentence", "[document]")
{
    const Desk desk;
    auto document = desk.document();
    document->file().open(desk.write("a.bin", "this is not a model at all, only words"));
    waitFor([&] { return document->work().stage() == DocumentStage::Failed; });
    CHECK(!document->work().failure().isEmpty());
    auto missing = desk.document();
    missing->file().open("/no/such/file.pb");
    waitFor([&] { return missing->work().stage() == DocumentStage::Failed; });
    CHECK(missing->work().failure().contains(QStringLiteral("/no/such/file.pb")));
}

TEST_CASE("the choice of inputs and outputs dims what it prunes", "[document]")
{
    const Desk desk;
    auto document = desk.document();
    open(*document, desk.write("net.pb", network()));
    InterfaceSession& interface = document->interface();
    interface.mark(InterfaceSide::Outputs, "spare", false);
    interface.mark(InterfaceSide::Outputs, "y", false);
    interface.mark(InterfaceSide::Outputs, "net/a/two:0", true);
    interface.setShowKept(true);
    waitFor([&] { return document->highlight().items() != nullptr; });
    const auto has = [&](const char* name) {
        return document->highlight().items()->contains(ItemId::of(document->graph()->find(name)));
    };
    CHECK(interface.keptCount() == 3);
    CHECK(has("net/a/one"));
    CHECK(!has("y"));
    CHECK(!has("spare"));
    interface.mark(InterfaceSide::Inputs, "net/a/one", true);
    waitFor([&] { return interface.keptCount() == 2; });
    interface.setShowKept(false);
    CHECK(document->highlight().items() == nullptr);
}

TEST_CASE("search follows the graph and steps round", "[document]")
{
    const Desk desk;
    auto document = desk.document();
    open(*document, desk.write("net.pb", network()));
    SearchSession& search = document->search();
    search.setQuery(QStringLiteral("op:relu"));
    waitFor([&] { return !search.isBusy(); });
    CHECK(search.answer().hits.size() == 2);
    search.step(1);
    CHECK(search.current() == 0);
    search.step(-1);
    CHECK(search.current() == 1);
    search.setQuery({});
    CHECK(search.answer().hits.empty());
    CHECK(!search.currentNode().isValid());
}

TEST_CASE("traces and paths keep their nodes bright", "[document]")
{
    const Desk desk;
    auto document = desk.document();
    open(*document, desk.write("net.pb", network()));
    const auto id = [&](const char* name) { return document->graph()->find(name); };
    document->highlight().traceUp({id("net/a/two")});
    waitFor([&] { return document->highlight().items() != nullptr; });
    CHECK(document->highlight().items()->contains(ItemId::of(id("x"))));
    CHECK(!document->highlight().items()->contains(ItemId::of(id("y"))));
    document->highlight().clearTrace();
    CHECK(document->highlight().items() == nullptr);
    document->highlight().tracePaths(id("y"), id("net/b/one"));
    waitFor([&] { return document->highlight().items() != nullptr; });
    CHECK(document->highlight().items()->contains(ItemId::of(id("net/b/two"))));
    CHECK(!document->highlight().items()->contains(ItemId::of(id("x"))));
}

TEST_CASE("a group that would make the first picture too large is not opened", "[document][models]")
{
    const auto path = sharedData() / "models/made/lstm_static.pb"; // four steps, one by one
    if (!std::filesystem::exists(path))
        return;
    const Desk desk;
    auto document = desk.document();
    open(*document, path);
    const ScopeTree& tree = document->picture().view()->tree();
    CHECK(document->picture().openGroups() == std::set<GroupId>{tree.find("rnn")});
    CHECK(document->picture().view()->firstOpen().size() == 2);
    document->picture().setOpen(document->picture().view()->firstOpen(), {}); // when asked for
    waitFor([&] { return !document->work().isBusy(); });
    CHECK(document->picture().openGroups().size() == 2);
    CHECK(document->picture().scene()->bounds.h > 1900);
}

TEST_CASE("first pictures open a group where they would tell little without", "[document]")
{
    // One scope has equal cells between ops; the last cell is added on request.
    const auto network = [](int ops, const char* lastOp) {
        std::string text = "x = Placeholder()\n";
        std::string at = "x";
        for (int i = 0; i < ops; ++i) {
            const std::string name = "op" + std::string(1, char('a' + i));
            text += name + (i % 2 == 0 ? " = Relu(" : " = Tanh(") + at + ")\n";
            at = name;
        }
        for (int i = 0; i < 14; ++i) {
            const std::string cell = "body/cell_" + std::to_string(i);
            const std::string op = i == 13 ? lastOp : "Tanh";
            text += cell + "/mul = MatMul(" + at + ")\n";
            text += cell + "/act = " + op + "(" + cell + "/mul)\n";
            text += cell + "/out = Neg(" + cell + "/act)\n";
            at = cell + "/out";
        }
        return graph(text + "y = Softmax(" + at + ")\n");
    };
    const Desk desk;
    const auto opened = [&](int ops, const char* lastOp, float width) {
        auto document = desk.document();
        open(*document, desk.write("net.pb", encodeGraphDef(*network(ops, lastOp))));
        const GraphView& view = *document->picture().view();
        Scene scene;
        scene.bounds = {0, 0, width, 1000};
        std::set<GroupId> first = view.withoutTooMuch(view.firstOpen(), scene);
        return first.contains(view.tree().find("body"));
    };
    CHECK(opened(1, "Tanh", 1000));
    CHECK_FALSE(opened(7, "Tanh", 1000)); // a series says how many there are
    CHECK(opened(7, "Sigmoid", 1000));
    CHECK_FALSE(opened(7, "Sigmoid", 1700)); // text would be small
    CHECK(opened(1, "Sigmoid", 1700));
    CHECK_FALSE(opened(1, "Sigmoid", 2700));
}

TEST_CASE("a group that prepares one product is not opened by itself", "[document]")
{
    const auto isOpened = [](const char* op) {
        std::string text = "x = Placeholder()\n";
        std::string at = "x";
        for (int i = 0; i < 12; ++i) {
            const std::string name = "dot/step" + std::string(1, char('a' + i));
            text += name +
                    (i == 9   ? " = MatMul("
                     : i == 4 ? " = " + std::string(op) + "("
                              : " = Neg(") +
                    at + ")\n";
            at = name;
        }
        const Desk desk;
        auto document = desk.document();
        open(*document,
             desk.write("net.pb", encodeGraphDef(*graph(text + "y = Softmax(" + at + ")\n"))));
        const GraphView& view = *document->picture().view();
        return view.firstOpen().contains(view.tree().find("dot"));
    };
    CHECK_FALSE(isOpened("Tanh"));
    CHECK(isOpened("MatMul"));
}

TEST_CASE("a loop is opened by itself if there is little beside it", "[document]")
{
    const auto isOpened = [](const std::string& beside) {
        const std::string frame = " { name: 'while/Enter' op: 'Enter' input: 'x' "
                                  "attr { key: 'frame_name' value { s: 'while' } } }\n";
        std::string text = "node" + frame;
        const auto node = [&](const std::string& name, const std::string& op,
                              const std::vector<std::string>& inputs) {
            text += "node { name: '" + name + "' op: '" + op + "'";
            for (const std::string& input : inputs)
                text += " input: '" + input + "'";
            text += " }\n";
        };
        node("x", "Placeholder", {});
        node("while/Merge", "Merge", {"while/Enter", "while/NextIteration"});
        node("while/limit", "Const", {"^while/Merge"});
        node("while/Less", "Less", {"while/Merge", "while/limit"});
        node("while/LoopCond", "LoopCond", {"while/Less"});
        node("while/Switch", "Switch", {"while/Merge", "while/LoopCond"});
        node("while/Identity", "Identity", {"while/Switch:1"});
        node("while/Tanh", "Tanh", {"while/Identity"});
        node("while/NextIteration", "NextIteration", {"while/Tanh"});
        node("while/Exit", "Exit", {"while/Switch"});
        std::string last = "while/Exit";
        for (const char letter : beside) {
            node(std::string(1, letter), "Relu", {last});
            last = letter;
        }
        node("y", "Softmax", {last});
        const Desk desk;
        auto document = desk.document();
        open(*document, desk.write("loop.pbtxt", text));
        const GraphView& view = *document->picture().view();
        const GroupId loop = view.tree().find("while");
        REQUIRE(loop.isValid());
        return view.firstOpen().contains(loop);
    };
    CHECK(isOpened(""));
    CHECK_FALSE(isOpened("abcdefgh"));
}

TEST_CASE("a graph is checked after its first picture", "[document]")
{
    const Desk desk;
    const auto path = desk.write("broken.pb", encodeGraphDef(*graph("x = NoOp(^gone)")));
    auto document = desk.document();
    bool wasPendingAtFirst = false;
    QObject::connect(&document->picture(), &Picture::sceneChanged, document.get(), [&] {
        wasPendingAtFirst = document->check().state() == GraphCheck::State::Pending;
    });
    open(*document, path);
    CHECK(wasPendingAtFirst);
    CHECK(document->check().state() == GraphCheck::State::Done);
    const std::size_t found = document->check().problems()->size();
    CHECK(found > 0);
    CHECK(document->check().problems()->front().node == "x");
    CHECK(document->check().problems() == document->check().problems()); // shared, not copied
    document->picture().change([](PictureLook& look) {
        look.hiddenOps.insert("Identity");
    }); // a new preparation does not check the graph again
    CHECK(document->check().state() == GraphCheck::State::Done);
    waitFor([&] { return !document->work().isBusy(); });
    CHECK(document->check().problems()->size() == found);
    desk.write("broken.pb", encodeGraphDef(*graph("x = NoOp()")));
    document->file().reload();
    waitFor([&] {
        return document->work().stage() == DocumentStage::Shown && !document->work().isBusy();
    });
    CHECK(document->check().state() == GraphCheck::State::Done);
    CHECK(document->check().problems()->empty());
}

TEST_CASE("a check that is stopped is not taken for a good graph", "[document]")
{
    const Desk desk;
    const auto path = desk.write("broken.pb", encodeGraphDef(*graph("x = NoOp(^gone)")));
    auto document = desk.document();
    QObject::connect(&document->picture(), &Picture::sceneChanged, document.get(),
                     [&] { document->cancelWork(); });
    document->file().open(path);
    waitFor([&] { return document->check().state() == GraphCheck::State::Stopped; });
    waitFor([&] { return !document->work().isBusy(); });
    CHECK(document->check().state() == GraphCheck::State::Stopped);
    CHECK(document->work().stage() == DocumentStage::Shown);
}

TEST_CASE("a SavedModel opens on the network that it calls", "[document]")
{
    const Desk desk;
    const auto path = desk.write("saved_model.pbtxt", R"(saved_model_schema_version: 1
meta_graphs { meta_info_def { tags: "train" } graph_def {
  node { name: "t" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } } } }
meta_graphs { meta_info_def { tags: "serve" }
  graph_def {
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "call" op: "PartitionedCall" input: "x"
      attr { key: "f" value { func { name: "body" } } } }
    library { function {
      signature { name: "body" input_arg { name: "a" type: DT_FLOAT }
                  output_arg { name: "r" type: DT_FLOAT } }
      node_def { name: "layer/act" op: "Relu" input: "a"
        attr { key: "T" value { type: DT_FLOAT } } }
      ret { key: "r" value: "layer/act:activations:0" } } } }
  signature_def { key: "serving_default" value {
    inputs { key: "in" value { name: "x:0" dtype: DT_FLOAT } }
    outputs { key: "out" value { name: "call:0" dtype: DT_FLOAT } } } } })");
    auto document = desk.document();
    open(*document, path);
    GraphChoice& graphs = document->graphs();
    CHECK(graphs.entryNumber() == 1); // the one to serve
    REQUIRE(graphs.isInNetwork());
    CHECK(document->graph()->find("layer/act").isValid());
    CHECK(graphs.titles().at(graphs.number()) == QStringLiteral("network of serving_default"));
    CHECK(document->interface().isMarked(InterfaceSide::Outputs, document->graph()->find("out")));
    CHECK(graphs.nameInFile("out:0") == "call:0");
    CHECK(canProfile(*document));

    const auto settled = [&] {
        return document->work().stage() == DocumentStage::Shown && !document->work().isBusy();
    };
    graphs.choose(graphs.entryNumber()); // the graph of the file itself
    waitFor(settled);
    CHECK_FALSE(graphs.isInFunction());
    CHECK(document->graph() == graphs.entry().graph);
    CHECK(graphs.nameInFile("out:0") == "out:0");
    graphs.choose(2); // after the two graphs
    waitFor(settled);
    CHECK(graphs.isInNetwork());
    graphs.openFunction("body");
    waitFor(settled);
    CHECK_FALSE(graphs.isInNetwork());
    CHECK(graphs.path().size() == 3);
    graphs.closeFunctions(1);
    waitFor(settled);
    CHECK(graphs.isInNetwork());
}
