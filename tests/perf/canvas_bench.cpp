// SPDX-License-Identifier: Apache-2.0
// Frame times of the canvas, 1920x1080, software, offscreen: whole frames into an image, then
// panning and zooming as the widget does it. Wall milliseconds, medians and 95th percentiles.
#include "tests/perf/figures.h"
#include "tests/views/canvas/scene_testing.h"
#include "views/canvas/graph_canvas.h"
#include "views/canvas/scene_motion.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

using namespace lapidary;

namespace {

const QSize screen(1920, 1080);
constexpr int frames = 21;

struct Times {
    std::vector<double> cpu;
    std::vector<double> wall;
};

double at(std::vector<double> all, double share)
{
    std::ranges::sort(all);
    return all[std::min(all.size() - 1, std::size_t(share * double(all.size())))];
}

double threadMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

Times timed(int count, const std::function<void(int)>& work)
{
    Times times;
    for (int i = 0; i < count; ++i) {
        QElapsedTimer timer;
        timer.start();
        const double before = threadMilliseconds();
        work(i);
        times.cpu.push_back(threadMilliseconds() - before);
        times.wall.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    return times;
}

void printRow(const char* what, std::size_t boxes, const Times& times, double goal)
{
    const double median = at(times.cpu, 0.5);
    std::printf("%-36s %7zu boxes  median %7.2f ms  95 %% %7.2f ms  wall %7.2f ms", what, boxes,
                median, at(times.cpu, 0.95), at(times.wall, 0.5));
    if (goal > 0)
        std::printf("  goal %g: %s", goal, median <= goal ? "kept" : "MISSED");
    std::printf("\n");
}

void report(const char* what, std::size_t boxes, const Times& times, double goal)
{
    printRow(what, boxes, times, goal);
    testing::recordFigure("canvas, " + std::to_string(boxes) + " boxes: " + what, at(times.cpu, 0));
}

// A scene in the window's proportions in which everything is visible at once.
ScenePtr wholeScene(int boxes)
{
    const double cell = 170.0 / 72.0;
    const int columns = int(std::sqrt(boxes * 16.0 / 9.0 / cell));
    return gridScene(columns, boxes / columns);
}

void benchWhole(int boxes, bool dark)
{
    const ScenePtr scene = wholeScene(boxes);
    const Times index = timed(15, [&](int) { indexOf(scene); });
    // A large index takes twice as long if the system gives it memory in small pages. This differs
    // from run to run for the same code, so it has no budget.
    constexpr int fitsCaches = 10'000; // boxes
    (boxes <= fitsCaches ? report : printRow)("index (made beside the layout)", scene->boxes.size(),
                                              index, 0);
    ScenePainter painter;
    painter.setScene(scene);
    const Camera camera = fitted(scene->bounds, screen, 10);
    PictureState state;
    QImage image(screen, QImage::Format_RGB32);
    const Theme& theme = themeFor(dark);
    const PictureRequest request{.origin = camera.origin,
                                 .size = screen,
                                 .scale = camera.scale,
                                 .theme = theme,
                                 .state = state};
    painter.paint(image, request);
    report("frame, everything visible", scene->boxes.size(),
           timed(frames, [&](int) { painter.paint(image, request); }), 16);
    SceneMotion motion(*scene, painter.index().boxRects(), scene);
    PictureRequest moving = request;
    moving.moved = &motion.geometry();
    report("frame of an animation", scene->boxes.size(),
           timed(frames,
                 [&](int i) {
                     motion.moveTo(i / double(frames));
                     painter.paint(image, moving);
                 }),
           16);
}

void benchZoom(const ScenePtr& scene, double scale)
{
    ScenePainter painter;
    painter.setScene(scene);
    PictureState state;
    QImage image(screen, QImage::Format_RGB32);
    const Rect& all = scene->bounds;
    const PictureRequest request{.origin = QPointF(all.x + all.w / 3, all.y + all.h / 3),
                                 .size = screen,
                                 .scale = scale,
                                 .theme = lightTheme(),
                                 .state = state};
    painter.paint(image, request);
    char what[64];
    std::snprintf(what, sizeof what, "frame at %.0f %%", scale * 100);
    report(what, painter.index().boxesIn(request.area()).size(),
           timed(frames, [&](int) { painter.paint(image, request); }), 16);
}

void benchWidget(const ScenePtr& scene)
{
    GraphCanvas canvas;
    canvas.resize(screen);
    canvas.show();
    QApplication::processEvents();
    const SceneIndexPtr index = indexOf(scene);
    report("widget: setScene", scene->boxes.size(),
           timed(3, [&](int) { canvas.setScene(scene, false, {}, index); }), 16);
    canvas.camera().setReducedMotion(true);
    canvas.camera().fitAll();
    QImage image(screen, QImage::Format_RGB32);
    const auto paint = [&] { canvas.render(&image); };
    paint();
    report("widget: pan", scene->boxes.size(),
           timed(frames,
                 [&](int i) {
                     Camera camera = canvas.camera().now();
                     camera.origin += QPointF(i % 2 ? 40 : -40, 10) / camera.scale;
                     canvas.camera().set(camera, false);
                     paint();
                 }),
           16);
    report("widget: zoom (first a scaled copy)", scene->boxes.size(),
           timed(frames,
                 [&](int) {
                     canvas.camera().set(
                         canvas.camera().now().zoomed(canvas.camera().zoom() * 1.02, {960, 540}),
                         false);
                     paint();
                 }),
           16);
    canvas.highlights().setSelected(scene->boxes[scene->boxes.size() / 2].item);
    paint();
    report("widget: hover and selection", scene->boxes.size(),
           timed(frames,
                 [&](int i) {
                     canvas.highlights().setSelected(
                         scene->boxes[scene->boxes.size() / 2 + std::size_t(i)].item);
                     paint();
                 }),
           16);
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    for (const int boxes : {1'000, 5'000, 10'000, 50'000, 100'000})
        benchWhole(boxes, false);
    const ScenePtr large = wholeScene(100'000);
    for (const double scale : {0.05, 0.09, 0.2, 0.26, 0.4, 0.52, 0.6, 1.0, 2.0})
        benchZoom(large, scale);
    benchWidget(wholeScene(10'000));
    benchWidget(large);
}
