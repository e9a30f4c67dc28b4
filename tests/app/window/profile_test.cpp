// SPDX-License-Identifier: Apache-2.0
#include "app/document/document.h"
#include "app/window/docks/profile_dock.h"
#include "graph_model/write/write_model.h"
#include "runner/profile/read_node_profile.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "views/theme/text_measure.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

const char* const network = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
node { name: "net/w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 0.5
    tensor_shape { dim { size: 3 } dim { size: 4 } } } } } }
node { name: "net/a/product" op: "MatMul" input: "x" input: "net/w"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/a/relu" op: "Relu" input: "net/a/product"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/b/tanh" op: "Tanh" input: "net/a/relu"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Softmax" input: "net/b/tanh" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

struct Desk {
    QTemporaryDir folder;
    QThreadPool pool;
    std::unique_ptr<Document> document;

    explicit Desk(std::string_view model, const char* name = "net.pbtxt")
    {
        pool.setMaxThreadCount(1);
        document = std::make_unique<Document>(
            DocumentContext{.layoutPool = &pool, .measure = measureCanvasText()});
        document->file().open(write(name, model));
        settle();
        REQUIRE(document->work().stage() == DocumentStage::Shown);
    }
    std::filesystem::path write(const char* name, std::string_view bytes) const
    {
        const auto path = std::filesystem::path(folder.path().toStdString()) / name;
        REQUIRE(writeFileAtomically(path, bytes).ok());
        return path;
    }
    void settle() const
    {
        REQUIRE(QTest::qWaitFor([&] { return !document->work().isBusy(); }, 60'000));
    }
    ProfileSum sumOf(ItemId item) const { return document->profile().sums()->of(item); }
    ItemId node(const char* name) const { return ItemId::of(document->graph()->find(name)); }
    ItemId scope(const char* path) const
    {
        return ItemId::of(document->picture().preparation()->tree().find(path));
    }
};

} // namespace

TEST_CASE("a run here colors by time and adds up exactly", "[profile]")
{
    const Desk desk(network);
    Document& document = *desk.document;
    runProfile(document);
    CHECK(document.work().isBusy());
    desk.settle();
    CHECK(document.profile().failure().isEmpty());
    REQUIRE(document.profile().sums());
    CHECK(document.colors().mode() == ColorMode::Time);
    ProfileSum a = desk.sumOf(desk.node("net/a/product"));
    a += desk.sumOf(desk.node("net/a/relu"));
    CHECK(a.nodes == 2);
    CHECK(a.flops == 2 * 2 * 3 * 4);
    ProfileSum net = a;
    net += desk.sumOf(desk.node("net/b/tanh"));
    net += desk.sumOf(desk.node("net/w"));
    CHECK(desk.sumOf(desk.scope("net")) == net);
    REQUIRE(document.colors().classes().coloring);
    const Coloring& coloring = *document.colors().classes().coloring;
    REQUIRE(coloring.face(desk.scope("net")) != nullptr);
    CHECK(coloring.face(desk.scope("net"))->value == double(net.nanoseconds));
    CHECK(coloring.scale.most > 0);
    document.colors().setMode(ColorMode::Flops);
    desk.settle();
    CHECK(document.colors().classes().coloring->face(desk.node("net/a/product"))->value == 48);
    const FactSections facts = profileFacts(document, desk.node("net/a/product"));
    REQUIRE(facts.size() == 1);
    CHECK(facts[0].facts[0].key == u"time"_s);
    CHECK(profileFacts(document, desk.node("gone")).empty());
    document.profile().clear();
    desk.settle();
    CHECK(document.colors().mode() == ColorMode::Flops); // sizes tell that without a run
    CHECK(document.colors().classes().coloring);
    document.colors().setMode(ColorMode::OpFamily);
    runProfile(document);
    desk.settle();
    CHECK(document.colors().mode() == ColorMode::Time);
    document.profile().clear();
    desk.settle();
    CHECK(document.colors().mode() == ColorMode::OpFamily);
    CHECK(!document.colors().classes().coloring);
}

TEST_CASE("a graph that cannot be run says which ops lack a kernel", "[profile]")
{
    const Desk desk(encodeGraphDef(*graph("x = NoSuchOp()\ny = Mystery(x)")), "odd.pb");
    InterfaceSession& interface = desk.document->interface();
    interface.mark(InterfaceSide::Outputs, "y", true);
    runProfile(*desk.document);
    desk.settle();
    CHECK(!desk.document->profile().profile());
    CHECK(desk.document->profile().failure().contains(u"Mystery"_s));
    CHECK(desk.document->colors().mode() == ColorMode::OpFamily);
    while (!interface.choice().outputs.empty())
        interface.mark(InterfaceSide::Outputs, interface.choice().outputs.front().tensor, false);
    runProfile(*desk.document);
    desk.settle();
    CHECK(desk.document->profile().failure().contains(u"mark an output"_s));
}

TEST_CASE("a run can be stopped and leaves what was there", "[profile]")
{
    const Desk desk(network);
    runProfile(*desk.document);
    desk.settle();
    const NodeProfilePtr first = desk.document->profile().profile();
    runProfile(*desk.document);
    desk.document->cancelWork();
    CHECK(!desk.document->profile().isBusy());
    QCoreApplication::processEvents();
    CHECK(desk.document->profile().profile() == first);
    CHECK(desk.document->profile().failure().isEmpty());
}

TEST_CASE("profiles from disk lie on the graph by name", "[profile]")
{
    const Desk desk(network);
    const auto trace = desk.write("trace.json", R"({"traceEvents": [
        {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:CPU:0 Compute"}},
        {"ph": "X", "pid": 1, "tid": 0, "ts": 1, "dur": 40, "name": "MatMul",
         "args": {"name": "net/a/product", "op": "MatMul"}},
        {"ph": "X", "pid": 1, "tid": 0, "ts": 50, "dur": 2, "name": "Relu",
         "args": {"name": "elsewhere", "op": "Relu"}}]})");
    desk.document->profile().open(trace);
    desk.settle();
    CHECK(desk.document->profile().failure().toStdString() == "");
    REQUIRE(desk.document->profile().sums());
    CHECK(desk.sumOf(desk.scope("net")).nanoseconds == 40'000);
    CHECK(desk.document->profile().sums()->unmatched() == 1);
    desk.document->profile().open(desk.write("no.log", "nothing of that kind"));
    desk.settle();
    CHECK(desk.document->profile().failure().contains(u"no.log"_s));
    CHECK(desk.sumOf(desk.scope("net")).nanoseconds == 40'000); // the one before stays
    desk.document->profile().open("/no/such/file.json");
    desk.settle();
    CHECK(desk.document->profile().failure().contains(u"/no/such/file.json"_s));
}

TEST_CASE("our own JSON survives what anybody may write into it", "[profile]")
{
    const auto good = decodeNodeProfile(
        R"({"profiled_sum_ns": 7, "profiled_runs": 3, "nodes": [
            {"name": "a", "op": "Relu", "avg_us": 1.5, "sum_ns": 4500, "memory_bytes": -4,
             "flops": null},
            {"name": "executor", "op": "", "avg_us": 1, "sum_ns": 3000}]})",
        Job());
    REQUIRE(good.ok());
    CHECK((*good)->runs == 3);
    REQUIRE((*good)->nodes.size() == 1);
    CHECK((*good)->nodes[0].nanoseconds == 4500);
    CHECK((*good)->nodes[0].bytes == 0);
    CHECK((*good)->outsideNanoseconds == 3000);
    for (const char* bad :
         {R"({"profiled_sum_ns": 7, "nodes": [{"name": "a", "op": "b", "avg_us": 1e308,
              "sum_ns": "x", "count": 1e40, "flops": 1e300}], "profiled_runs": -5})",
          R"({"profiled_sum_ns": 7, "nodes": [{"name": "a", "op": "b", "avg_us": 5,
              "sum_ns": 18446744073709551615}], "profiled_runs": 1e300})",
          R"({"profiled_sum_ns": 7, "nodes": 3})", R"({"profiled_sum_ns": 7, "nodes": []})", ""}) {
        const auto read = decodeNodeProfile(bad, Job());
        if (read.ok())
            CHECK((*read)->runs >= 1);
        else
            CHECK(!read.error().message.empty());
    }
}
