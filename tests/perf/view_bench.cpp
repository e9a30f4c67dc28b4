// SPDX-License-Identifier: Apache-2.0
// From a file to a picture: first views of large graphs step by step, opening any scope, and the
// start of the program itself. Medians and 95th percentiles beside the goals; nothing is asserted.
//     view_bench [first] [expand] [start]
#include "app/document/picture/graph_view.h"
#include "graph_model/read/model_file.h"
#include "graph_model/write/write_model.h"
#include "tests/perf/figures.h"
#include "tests/perf/scoped_graph.h"
#include "tests/perf/stopwatch.h"
#include "views/canvas/camera/camera.h"
#include "views/canvas/paint/scene_painter.h"
#include "views/theme/text_measure.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/resource.h>

using namespace lapidary;
using namespace lapidary::testing;

namespace {

const QSize screen(1920, 1080);
constexpr int runs = 7;

// Each run of the benchmark gets a graph of its own.
GraphPtr flatChain(int nodes)
{
    static constexpr std::array<const char*, 4> ops{"Relu", "Tanh", "Identity", "Neg"};
    Graph::Parts parts;
    std::uint32_t random = 1;
    for (int i = 0; i < nodes; ++i) {
        random = random * 1664525 + 1013904223;
        NodeDraft draft;
        draft.name = "n" + std::to_string(i);
        const bool isSum = i > 3 && i % 5 == 0;
        draft.op = i == 0 ? "Placeholder" : isSum ? "AddV2" : ops[random >> 30];
        if (i > 0)
            draft.inputs.push_back("n" + std::to_string(i - 1));
        if (isSum)
            draft.inputs.push_back(
                "n" +
                std::to_string(i - 2 - int((random >> 8) % std::uint32_t(std::min(38, i - 2)))));
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

std::string write(const QTemporaryDir& folder, const char* name, const Graph& graph)
{
    const std::string path = folder.filePath(QString::fromUtf8(name)).toStdString();
    if (!writeFileAtomically(path, encodeGraphDef(graph))) {
        std::fprintf(stderr, "%s cannot be written\n", path.c_str());
        std::exit(1);
    }
    return path;
}

QImage paintFirst(ScenePainter& painter, const ScenePtr& scene, const SceneIndexPtr& index)
{
    painter.setScene(scene, index);
    const Camera camera = firstView(*scene, screen);
    const PictureState state;
    QImage image(screen, QImage::Format_RGB32);
    painter.paint(image, PictureRequest{.origin = camera.origin,
                                        .size = screen,
                                        .scale = camera.scale,
                                        .theme = lightTheme(),
                                        .state = state});
    return image;
}

// The steps of a first view.
enum Step { Read, Prepare, Layout, Index, Paint, Whole, Steps };
constexpr std::array<const char*, Steps> stepNames{"read and check", "groups, shapes and interface",
                                                   "first scene",    "index",
                                                   "first frame",    "file to first view"};

struct Picture {
    ScenePtr scene;
    std::size_t nodes = 0;
};

Picture firstViewOf(const std::string& path, std::array<Times, Steps>& times)
{
    Result<ModelFile> file = Error{};
    Result<FirstView> first = Error{};
    Picture result;
    const Elapsed whole = timed([&] {
        times[Read].add(timed([&] { file = readModel(path, Job()); }));
        const GraphEntry& entry = file->graphs.at(0);
        result.nodes = entry.graph->size();
        times[Prepare].add(
            timed([&] { first = makeFirstView(entry, {}, measureCanvasText(), Job()); }));
        times[Layout].add(timed([&] {
            GraphView& prepared = *first->view;
            const SceneOptions options = prepared.withEnds({});
            result.scene = prepared.build(prepared.firstOpen(), options, Job()).value();
        }));
        SceneIndexPtr index;
        times[Index].add(timed([&] { index = indexOf(result.scene); }));
        ScenePainter painter;
        times[Paint].add(timed([&] { paintFirst(painter, result.scene, index); }));
    });
    times[Whole].add(whole);
    return result;
}

void benchFirst(const char* title, const std::string& path)
{
    std::array<Times, Steps> times;
    Picture view;
    for (int i = 0; i < runs; ++i)
        view = firstViewOf(path, times);
    const auto top = std::ranges::count_if(view.scene->boxes, [](const SceneBox& box) {
        return box.parent == -1 && (box.kind == BoxKind::Op || box.kind == BoxKind::Group ||
                                    box.kind == BoxKind::OpenGroup);
    });
    std::printf("%s: %zu nodes, %zu boxes in the first view, %td at the top (goal of a flat graph: "
                "at most 60)\n",
                title, view.nodes, view.scene->boxes.size(), top);
    for (int step = 0; step < Steps; ++step)
        printTimes(stepNames[std::size_t(step)], times[std::size_t(step)], 0.5,
                   step == Whole ? 1000 : 0);
    recordFigure(std::string("first view: ") + title, times[Whole].cpu(0));
}

// Opens groups over the whole tree, each in the picture where it can be clicked.
void benchExpand(const std::string& path)
{
    const Result<ModelFile> file = readModel(path, Job(), {.check = false});
    const GraphEntry& entry = file->graphs.at(0);
    const FirstView made = makeFirstView(entry, {}, measureCanvasText(), Job()).value();
    const GraphViewPtr& view = made.view;
    const SceneOptions options = view->withEnds({});
    const auto first = view->firstOpen();
    ScenePainter painter;
    Times layout;
    Times whole;
    const std::uint32_t step = std::max<std::uint32_t>(1, std::uint32_t(view->tree().size() / 400));
    for (std::uint32_t i = 1; i < view->tree().size(); i += step) {
        const auto around = view->withVisible(first, ItemId::of(GroupId{i}));
        const ScenePtr before = view->build(around, options, Job()).value();
        Elapsed laid;
        whole.add(timed([&] {
            ScenePtr scene;
            laid = timed([&] {
                scene = view->build(view->withOpened(around, GroupId{i}), options, Job()).value();
            });
            paintFirst(painter, scene, indexOf(scene));
        }));
        layout.add(laid);
    }
    std::printf("opening a scope of %zu nodes: %zu of %zu groups\n", entry.graph->size(),
                whole.size(), view->tree().size() - 1);
    printTimes("layout", layout);
    printTimes("layout, index and frame", whole);
    printTimes("layout", layout, 0.95);
    printTimes("layout, index and frame", whole, 0.95, 50);
}

double childMilliseconds()
{
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

// Returns the wall time from the start until `word` is on standard output (or to the end), and the
// total CPU time.
Elapsed started(const QStringList& arguments, const QByteArray& word)
{
    const double before = childMilliseconds();
    QElapsedTimer timer;
    timer.start();
    QProcess process;
    process.start(QStringLiteral(LAPIDARY_PROGRAM), arguments);
    QByteArray output;
    while (!word.isEmpty() && !output.contains(word) && process.waitForReadyRead())
        output += process.readAllStandardOutput();
    double wall = double(timer.nsecsElapsed()) / 1e6;
    process.waitForFinished();
    if (word.isEmpty())
        wall = double(timer.nsecsElapsed()) / 1e6;
    if (process.exitCode() != 0 || (!word.isEmpty() && !output.contains(word)))
        std::fprintf(stderr, "%s %s: exit code %d\n%s", LAPIDARY_PROGRAM,
                     qPrintable(arguments.join(u' ')), process.exitCode(),
                     process.readAllStandardError().constData());
    return {wall, childMilliseconds() - before};
}

void benchStart(const QTemporaryDir& folder)
{
    const QString script = folder.filePath(QStringLiteral("script"));
    QFile file(script);
    if (!file.open(QIODevice::WriteOnly))
        return;
    file.write("say first-picture\nquit\n");
    file.close();
    const GraphPtr graph = scopedGraph(3000);
    const QString large = QString::fromStdString(write(folder, "3000.pb", *graph));
    const QString small = QString::fromStdString(write(folder, "small.pb", *scopedGraph(80)));
    Times version;
    Times summary;
    Times window;
    for (int i = 0; i < 2 * runs; ++i) {
        version.add(started({QStringLiteral("--version")}, {}));
        summary.add(started({QStringLiteral("summarize"), small}, {}));
        window.add(started({QStringLiteral("--script"), script, large}, "first-picture"));
    }
    std::printf("the program, from its start (CPU time: to its end)\n");
    printTimes("lapidary --version", version);
    printTimes("lapidary summarize, a small file", summary, 0.5, 30);
    char what[64];
    std::snprintf(what, sizeof what, "window with %zu nodes to its first frame", graph->size());
    printTimes(what, window, 0.5, 300);
}

void printLoad()
{
    std::array<double, 3> load{};
    if (getloadavg(load.data(), 3) == 3)
        std::printf("load of the machine: %.2f %.2f %.2f\n", load[0], load[1], load[2]);
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QStringList wanted = QApplication::arguments().mid(1);
    const auto wants = [&](const char* what) {
        return wanted.isEmpty() || wanted.contains(QString::fromUtf8(what));
    };
    const QTemporaryDir folder;
    printLoad();
    if (wants("start"))
        benchStart(folder);
    const std::string scoped = write(folder, "scoped.pb", *scopedGraph(100'000));
    if (wants("first")) {
        benchFirst("scoped", scoped);
        benchFirst("flat chain, meaningless names", write(folder, "flat.pb", *flatChain(10'000)));
    }
    if (wants("expand"))
        benchExpand(scoped);
    printLoad();
    return 0;
}
