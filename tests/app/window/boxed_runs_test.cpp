// SPDX-License-Identifier: Apache-2.0
// What the window runs, it runs in a sandboxed process: with the same results, and without being
// lost where that process is.
#include "app/boxed/boxed_runs.h"
#include "app/boxed/run_limits.h"
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

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
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
    QElapsedTimer time;
    time.start();
    while (!isReached() && time.elapsed() < 60'000)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    REQUIRE(isReached());
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

// Counts for ever.
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

// The first process whose parent is `parent`; 0: there is none.
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
    ends.push_back(SIGSEGV); // the sanitizers make their own of it
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
    run.otherInputs = RandomFeed{};
    run.fetches = {"i"};
    const auto verdict = [&](const GraphPtr& graph) {
        return verifyBoxed({.entry = entry,
                            .other = graph,
                            .path = desk.document->file().path().string(),
                            .plan = randomVerifyPlan({"x"}, run)},
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
    run.otherInputs = RandomFeed{};
    run.fetches = {"i"};
    const GraphEntry entry = desk.document->graphs().entry();
    const auto quantized = findPass("quantize_nodes")->run(entry.graph, {{"x"}, {"i"}, {}}, Job());
    REQUIRE(quantized);
    VerifyPlan plan = randomVerifyPlan({"x"}, run);
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

TEST_CASE("the values of a node come from the sandboxed process", "[boxed]")
{
    const Desk desk(network);
    GraphEntry entry = desk.document->graphs().entry();
    const std::string path = desk.document->file().path().string();
    TensorRequest request{.tensors = {"product:0"}, .plan = {}};
    request.plan.feeds.push_back({"x:0", WrittenFeed{"[[1, 2, 3], [4, 5, 6]]"}});
    const auto computed = computeBoxed(entry, path, request, Job());
    REQUIRE(computed);
    REQUIRE(computed->size() == 1);
    CHECK((*computed)[0].tensor == "product:0");
    REQUIRE((*computed)[0].value);
    const Value product = *(*computed)[0].value;
    REQUIRE(product.dims() == Dims{2, 4});
    CHECK(product.as<float>()[0] == 3.0F);
    CHECK(product.as<float>()[7] == 7.5F);
    // What is known is what the next run starts from, and not computed again.
    Value known = product;
    TensorRequest next{.tensors = {"i:0"}, .plan = request.plan, .known = {{"product:0", known}}};
    next.plan.feeds[0].source = FileFeed{"/no/such/file.npy"}; // nothing needs it any more
    const auto after = computeBoxed(entry, path, next, Job());
    REQUIRE(after);
    REQUIRE((*after)[0].value);
    CHECK((*after)[0].value->as<float>()[7] == 7.5F);
}
