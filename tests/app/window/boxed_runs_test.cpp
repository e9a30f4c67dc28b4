// SPDX-License-Identifier: Apache-2.0
// The window runs graphs in a sandboxed process: the results are the same, and the window survives
// the end of that process.
#include "app/boxed/boxed_runs.h"
#include "app/boxed/run_limits.h"
#include "app/boxed/step_process.h"
#include "app/document/document.h"
#include "graph_model/graph/graph_edit.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "transforms/pass/pass.h"
#include "views/theme/text_measure.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <sstream>
#include <string>

#include <unistd.h>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

class InProcess {
public:
    InProcess() { runGraphsWith(LAPIDARY_PROGRAM); }
    ~InProcess() { runGraphsWith({}); }
    InProcess(const InProcess&) = delete;
    InProcess& operator=(const InProcess&) = delete;
};

void waitUntil(const std::function<bool()>& isReached)
{
    REQUIRE(QTest::qWaitFor(isReached, 60'000));
}

struct Desk {
    InProcess boxed;
    QTemporaryDir folder;
    QThreadPool pool;
    std::unique_ptr<Document> document;

    explicit Desk(std::string_view model)
    {
        pool.setMaxThreadCount(1);
        document = std::make_unique<Document>(
            DocumentContext{.layoutPool = &pool, .measure = measureCanvasText()});
        const auto path = std::filesystem::path(folder.path().toStdString()) / "net.pbtxt";
        REQUIRE(writeFileAtomically(path, model).ok());
        document->file().open(path);
        settle();
        REQUIRE(document->work().stage() == DocumentStage::Shown);
    }
    void settle() const
    {
        waitUntil([&] { return !document->work().isBusy(); });
    }
    void markOutput(const std::string& tensor) const
    {
        document->interface().mark(InterfaceSide::Outputs, tensor, true);
    }
    QString failure() const { return document->profile().failure(); }
};

const char* const network = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 0.5
    tensor_shape { dim { size: 3 } dim { size: 4 } } } } } }
node { name: "product" op: "MatMul" input: "x" input: "w" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "i" op: "Identity" input: "product" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Softmax" input: "i" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

// An endless loop.
const char* const endless = R"(
node { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
  attr { key: "value" value { tensor { dtype: DT_INT64 int64_val: 0 tensor_shape { } } } } }
node { name: "e" op: "Enter" input: "zero" attr { key: "T" value { type: DT_INT64 } }
  attr { key: "frame_name" value { s: "f" } } }
node { name: "m" op: "Merge" input: "e" input: "n" attr { key: "T" value { type: DT_INT64 } }
  attr { key: "N" value { i: 2 } } }
node { name: "same" op: "Equal" input: "m" input: "m" attr { key: "T" value { type: DT_INT64 } } }
node { name: "c" op: "LoopCond" input: "same" }
node { name: "s" op: "Switch" input: "m" input: "c" attr { key: "T" value { type: DT_INT64 } } }
node { name: "n" op: "NextIteration" input: "s:1" attr { key: "T" value { type: DT_INT64 } } }
node { name: "out" op: "Exit" input: "s" attr { key: "T" value { type: DT_INT64 } } }
versions { producer: 134 }
)";

// Returns the first process whose parent is `parent`; 0 if there is none.
pid_t childOf(pid_t parent)
{
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream file(entry.path() / "stat");
        std::string line;
        std::getline(file, line);
        const std::size_t end = line.rfind(')'); // of the program's name
        if (end == std::string::npos)
            continue;
        std::istringstream rest(line.substr(end + 1));
        char state = 0;
        pid_t itsParent = 0;
        if (rest >> state >> itsParent && itsParent == parent && state != 'Z')
            return pid_t(std::stol(name));
    }
    return 0;
}

// Returns the process that computes, in the sandbox: a child of the one outside. Waits until it has
// worked for a moment.
pid_t waitForWorker()
{
    pid_t inner = 0;
    waitUntil([&] {
        const pid_t outer = childOf(getpid());
        inner = outer == 0 ? 0 : childOf(outer);
        return inner != 0;
    });
    QElapsedTimer time;
    time.start();
    waitUntil([&] { return time.elapsed() > 500; });
    return inner;
}

} // namespace

TEST_CASE("a profile comes from the sandboxed process whole", "[boxed]")
{
    const Desk desk(network);
    runProfile(*desk.document);
    desk.settle();
    CHECK(desk.failure() == QString());
    REQUIRE(desk.document->profile().profile());
    const NodeProfile& profile = *desk.document->profile().profile();
    CHECK(profile.runs >= 1);
    CHECK(profile.nodes.size() >= 4);
    const auto product = std::ranges::find(profile.nodes, "product", &ProfiledNode::name);
    REQUIRE(product != profile.nodes.end());
    CHECK(product->op == "MatMul");
    CHECK(product->flops == 2 * 2 * 3 * 4);
    CHECK(product->least.has_value());
    CHECK(profile.slices.size() >= 4);
    CHECK(profile.lanes.size() == 1);
    CHECK(childOf(getpid()) == 0);
}

TEST_CASE("an error of the sandboxed process is said as it would be here", "[boxed]")
{
    const Desk desk(
        R"(node { name: "x" op: "NoSuchOp" } node { name: "y" op: "Mystery" input: "x" })");
    desk.markOutput("y");
    runProfile(*desk.document);
    desk.settle();
    CHECK(desk.failure().contains(u"Mystery (y)"_s));
    CHECK(desk.failure().contains(u"mark an output before them"_s));
}

TEST_CASE("a process that is lost is a sentence with the node, and the window goes on", "[boxed]")
{
    const Desk desk(endless);
    desk.markOutput("out");
    std::vector<int> ends{SIGKILL};
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    ends.push_back(SIGSEGV); // sanitizers start processes of their own
#endif
    for (const int signal : ends) {
        runProfile(*desk.document);
        const pid_t worker = waitForWorker();
        CHECK(desk.document->work().isBusy());
        REQUIRE(kill(worker, signal) == 0);
        desk.settle();
        INFO(desk.failure().toStdString());
        CHECK(desk.failure().contains(signal == SIGKILL ? u"): the graph was killed"_s
                                                        : u"): the graph crashed (SIGSEGV)"_s));
        CHECK(desk.document->work().stage() == DocumentStage::Shown);
    }
}

TEST_CASE("a cancelled run leaves no process", "[boxed]")
{
    const Desk desk(endless);
    desk.markOutput("out");
    runProfile(*desk.document);
    const pid_t worker = waitForWorker();
    desk.document->profile().cancel();
    desk.settle();
    CHECK(desk.failure().isEmpty());
    waitUntil([&] { return childOf(getpid()) == 0 && kill(worker, 0) != 0; });
}

TEST_CASE("a run that takes longer than the limit ends with a sentence, and leaves no process",
          "[boxed]")
{
    const Desk desk(endless);
    desk.markOutput("out");
    setRunLimits({.seconds = 1});
    runProfile(*desk.document);
    desk.settle();
    setRunLimits({});
    CHECK(desk.failure().startsWith(u"the run took longer than 1 second and was stopped; "_s));
    waitUntil([&] { return childOf(getpid()) == 0; });
}

TEST_CASE("a state is judged in the sandboxed process", "[boxed]")
{
    const Desk desk(network);
    const GraphPtr base = desk.document->graph();
    REQUIRE(base);
    NodeDraft changed = NodeDraft::of(base->node(base->find("i")));
    changed.op = "Tanh";
    GraphEdit edit(base);
    edit.replace(base->find("i"), changed);
    auto other = std::move(edit).finish();
    REQUIRE(other);
    const GraphEntry entry = desk.document->graphs().entry();
    RunPlan run;
    run.inputs = {"x"};
    run.otherInputs = RandomFeed{};
    run.fetches = {"i"};
    const auto verdict = [&](const GraphPtr& graph) {
        return verifyBoxed({.entry = entry,
                            .other = graph,
                            .path = desk.document->file().path().string(),
                            .plan = {.run = run, .options = {}, .pictures = {}}},
                           Job());
    };
    const auto same = verdict(base);
    REQUIRE(same);
    CHECK(same->isSame());
    CHECK(same->samples > 1);
    const auto differs = verdict(other->graph);
    REQUIRE(differs);
    CHECK_FALSE(differs->isSame());
    REQUIRE(differs->firstAbove);
    CHECK(differs->pairs[*differs->firstAbove].agreement.maxAbs > 0);
}

TEST_CASE("codes and their ranges come from the sandboxed process", "[boxed]")
{
    const Desk desk(network);
    RunPlan run;
    run.inputs = {"x"};
    run.otherInputs = RandomFeed{};
    run.fetches = {"i"};
    const GraphEntry entry = desk.document->graphs().entry();
    const auto quantized = findPass("quantize_nodes")->run(entry.graph, {{"x"}, {"i"}, {}}, Job());
    REQUIRE(quantized);
    VerifyPlan plan{.run = run, .options = {}, .pictures = {}};
    plan.options.comparesRanges = true;
    const auto found = verifyBoxed({.entry = entry,
                                    .other = quantized->graph,
                                    .path = desk.document->file().path().string(),
                                    .plan = plan},
                                   Job());
    REQUIRE(found);
    const auto pair =
        std::ranges::find_if(found->pairs, [](const VerifiedPair& one) { return one.isRounding; });
    REQUIRE(pair != found->pairs.end());
    REQUIRE(pair->codes);
    CHECK(pair->codes->scale > 0);
    CHECK(pair->codes->used > 0);
    REQUIRE(pair->codes->range);
    CHECK(pair->codes->range->first < pair->codes->range->second);
}

namespace {

// Asks the process that computes a document's values.
struct StepDesk : Desk {
    StepProcess process;
    GraphEntry entry = document->graphs().entry();
    std::string path = document->file().path().string();

    using Desk::Desk;
    static TensorRequest to(const std::string& tensor,
                            const FeedSource& source = WrittenFeed{"[[1, 2, 3], [4, 5, 6]]"})
    {
        TensorRequest request{.tensors = {tensor}, .plan = {}};
        request.plan.feeds.push_back({"x:0", source});
        return request;
    }
    Result<Value> step(const TensorRequest& request, const Job& job = {})
    {
        const auto computed = process.compute(entry, path, request, job);
        if (!computed)
            return computed.error();
        REQUIRE(computed->size() == 1);
        CHECK(computed->front().tensor == request.tensors.front());
        return computed->front().value;
    }
    std::string write(const char* name, const std::vector<float>& numbers) const
    {
        const auto file = (folder.path() + u'/' + QString::fromUtf8(name)).toStdString();
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(numbers.data()),
                   std::streamsize(numbers.size() * sizeof(float)));
        return file;
    }
    static float last(const Result<Value>& value)
    {
        REQUIRE(value);
        return value->as<float>().back();
    }
};

// Returns the process that computes and waits for the next step.
pid_t worker()
{
    const pid_t outer = childOf(getpid());
    return outer == 0 ? 0 : childOf(outer);
}

} // namespace

TEST_CASE("the values of a node come from the sandboxed process", "[boxed][steps]")
{
    StepDesk desk(network);
    const auto product = desk.step(desk.to("product:0"));
    REQUIRE(product);
    REQUIRE(product->dims() == Dims{2, 4});
    CHECK(product->as<float>()[0] == 3.0F);
    CHECK(product->as<float>()[7] == 7.5F);
    // The next run starts from known values, which are not computed again.
    TensorRequest next = desk.to("i:0", FileFeed{"/no/such/file.npy"}); // nothing needs it any more
    next.known = {{"product:0", *product}};
    CHECK(desk.last(desk.step(next)) == 7.5F);
}

TEST_CASE("steps of one graph are computed in one process, which keeps their values",
          "[boxed][steps]")
{
    StepDesk desk(network);
    const std::string fed = desk.write("x.bin", {1, 2, 3, 4, 5, 6});
    const auto product = desk.step(desk.to("product:0", FileFeed{fed}));
    CHECK(desk.last(product) == 7.5F);
    const pid_t first = worker();
    REQUIRE(first != 0);
    // The process has the value itself and ignores another one of the same name.
    TensorRequest next = desk.to("i:0", FileFeed{fed});
    next.known = {{"product:0", Value::ofStrings({1}, {"not this one"})}};
    CHECK(desk.last(desk.step(next)) == 7.5F);
    CHECK(worker() == first);
    // Values that are no longer known are computed again, from the feeds.
    desk.write("x.bin", {2, 4, 6, 8, 10, 12});
    CHECK(desk.last(desk.step(desk.to("i:0", FileFeed{fed}))) == 15.0F);
    CHECK(worker() == first);
}

TEST_CASE("another graph, and other feeds, get a process of their own", "[boxed][steps]")
{
    StepDesk desk(network);
    const std::string one = desk.write("one.bin", {1, 2, 3, 4, 5, 6});
    CHECK(desk.last(desk.step(desk.to("product:0", FileFeed{one}))) == 7.5F);
    const pid_t first = worker();
    // It is not allowed to read another file.
    const std::string two = desk.write("two.bin", {2, 4, 6, 8, 10, 12});
    CHECK(desk.last(desk.step(desk.to("product:0", FileFeed{two}))) == 15.0F);
    const pid_t second = worker();
    CHECK(second != first);
    GraphEdit edit(desk.entry.graph);
    NodeDraft draft = NodeDraft::of(desk.entry.graph->node(desk.entry.graph->find("i")));
    draft.op = "Neg";
    edit.replace(desk.entry.graph->find("i"), draft);
    desk.entry.graph = std::move(edit).finish()->graph;
    CHECK(desk.last(desk.step(desk.to("i:0", FileFeed{two}))) == -15.0F);
    CHECK(worker() != second);
    waitUntil([&] { return kill(first, 0) != 0 && kill(second, 0) != 0; });
}

TEST_CASE("a step that kills its process is a sentence, and the next one has another",
          "[boxed][steps]")
{
    StepDesk desk(endless);
    for (const int signal : {SIGKILL, SIGTERM}) {
        auto failed = std::async(std::launch::async, [&] {
            return desk.process.compute(desk.entry, desk.path, {.tensors = {"out:0"}, .plan = {}},
                                        Job());
        });
        const pid_t running = waitForWorker();
        REQUIRE(kill(running, signal) == 0);
        const auto computed = failed.get();
        REQUIRE_FALSE(computed);
        INFO(computed.error().message);
        CHECK(computed.error().message.find("): the graph was") != std::string::npos);
        CHECK(computed.error().message.find('\n') == std::string::npos);
        const auto next =
            desk.process.compute(desk.entry, desk.path, {.tensors = {"zero:0"}, .plan = {}}, Job());
        REQUIRE(next);
        CHECK(next->front().value);
        // A process that ends between two steps is replaced without an error.
        REQUIRE(kill(worker(), SIGKILL) == 0);
        // When a process ends, its leak check is briefly a child of it.
        waitUntil([&] { return childOf(getpid()) == 0; });
    }
}

TEST_CASE("a cancelled step leaves the process for the next one", "[boxed][steps]")
{
    StepDesk desk(endless);
    std::stop_source stop;
    auto cancelled = std::async(std::launch::async, [&] {
        return desk.process.compute(desk.entry, desk.path, {.tensors = {"out:0"}, .plan = {}},
                                    Job(stop.get_token()));
    });
    const pid_t first = waitForWorker();
    stop.request_stop();
    const auto computed = cancelled.get();
    REQUIRE_FALSE(computed);
    CHECK(computed.error().code == ErrorCode::Cancelled);
    const auto next =
        desk.process.compute(desk.entry, desk.path, {.tensors = {"zero:0"}, .plan = {}}, Job());
    REQUIRE(next);
    CHECK(worker() == first);
}

TEST_CASE("a step that takes longer than the limit ends with a sentence", "[boxed][steps]")
{
    StepDesk desk(endless);
    setRunLimits({.seconds = 1});
    const auto late =
        desk.process.compute(desk.entry, desk.path, {.tensors = {"out:0"}, .plan = {}}, Job());
    setRunLimits({});
    REQUIRE_FALSE(late);
    CHECK(late.error().message == "the run took longer than 1 second and was stopped");
    CHECK(childOf(getpid()) == 0);
    CHECK(desk.process.compute(desk.entry, desk.path, {.tensors = {"zero:0"}, .plan = {}}, Job()));
}

TEST_CASE("a step without memory names its node, and the next one goes on", "[boxed][steps]")
{
    StepDesk desk(R"(
node { name: "sizes" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 int_val: 30000 int_val: 1000
    tensor_shape { dim { size: 2 } } } } } }
node { name: "one" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 1 tensor_shape { } } } } }
node { name: "large" op: "Fill" input: "sizes" input: "one" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)");
    TensorRequest request{.tensors = {"large:0"}, .plan = {}};
    request.plan.session.memoryLimit = 1 << 20;
    const auto large = desk.step(request);
    REQUIRE_FALSE(large);
    CHECK(large.error().message.find("large") != std::string::npos);
    const pid_t first = worker();
    request.tensors = {"one:0"};
    CHECK(desk.last(desk.step(request)) == 1.0F);
    CHECK(worker() == first);
}

TEST_CASE("the process of a document's values ends with it, and without work", "[boxed][steps]")
{
    Desk desk(network);
    ValueSession& values = desk.document->values();
    values.setIdleTime(std::chrono::milliseconds(50));
    const auto runTo = [&](const char* tensor) {
        values.runTo(desk.document->graphs().entry(), desk.document->file().path().string(),
                     {.tensors = {tensor}});
        waitUntil([&] { return !values.isBusy(); });
        REQUIRE(values.outputs().size() == 1);
        CHECK(values.outputs().front().value);
    };
    desk.document->feeds().setWords("x:0", "ones");
    runTo("product:0");
    waitUntil([&] { return childOf(getpid()) == 0; });
    values.setIdleTime(std::chrono::hours(1));
    runTo("i:0");
    CHECK(childOf(getpid()) != 0);
    desk.document.reset();
    waitUntil([&] { return childOf(getpid()) == 0; });
}
