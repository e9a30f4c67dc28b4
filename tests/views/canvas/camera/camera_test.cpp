// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/canvas/camera/following.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr QSizeF window(1000, 800);

SceneBox box(float x, float y, float w, float h)
{
    SceneBox made;
    made.kind = BoxKind::Op;
    made.rect = {x, y, w, h};
    return made;
}

SceneBox input(float x, float y)
{
    SceneBox made = box(x, y, 100, 36);
    made.isInput = true;
    return made;
}

Scene sceneOf(std::vector<SceneBox> boxes)
{
    Scene scene;
    scene.boxes = std::move(boxes);
    for (const SceneBox& one : scene.boxes) {
        scene.bounds.w = std::max(scene.bounds.w, one.rect.right());
        scene.bounds.h = std::max(scene.bounds.h, one.rect.bottom());
    }
    return scene;
}

bool shows(const Camera& camera, const Rect& rect)
{
    return camera.sceneArea(window).contains(QRectF(rect.x, rect.y, rect.w, rect.h));
}

} // namespace

TEST_CASE("a box that is revealed does not lie below the headers of the groups around it",
          "[camera]")
{
    SceneBox inner = box(0, 500, 100, 36);
    inner.depth = 2;
    const Camera below{{0, 600}, 1}; // the box is above the view
    const Camera plain = revealing(below, inner.rect, window, 32);
    CHECK(plain.toView(inner.rect).top() == Approx(32));
    const Camera clear = revealingBox(below, inner, window, 32);
    CHECK(clear.toView(inner.rect).top() == Approx(32 + 2 * stickyHeaderHeight));
    // A low view has space for few headers, and for the box.
    inner.depth = 30;
    const QSizeF low(1000, 240);
    CHECK(mostStickyHeaders(low.height()) == 3);
    const QRectF shown = revealingBox(below, inner, low, 32).toView(inner.rect);
    CHECK(shown.top() == Approx(32 + 3 * stickyHeaderHeight));
    CHECK(shown.bottom() < low.height());
}

TEST_CASE("a first picture shows everything down to 70 percent", "[camera]")
{
    const Scene scene = sceneOf({input(0, 0), box(0, 1000, 100, 40)});
    const Camera camera = firstView(scene, window);
    CHECK(camera.scale >= 0.7);
    CHECK(camera.scale < 0.75);
    CHECK(shows(camera, scene.bounds));
}

TEST_CASE("a network whose output is in a closed box is not cut after its input", "[camera]")
{
    std::vector<SceneBox> boxes{input(0, 0)};
    for (int i = 1; i < 12; ++i)
        boxes.push_back(box(0, float(i) * 100, 100, 50));
    const Scene scene = sceneOf(boxes);
    CHECK(shows(firstView(scene, window), scene.bounds));
}

TEST_CASE("the network is seen with the chips of its weights", "[camera]")
{
    SceneBox aside = box(1200, 0, 700, 100);
    aside.isAside = true;
    SceneBox chip = box(960, 600, 60, 20);
    chip.kind = BoxKind::Chip;
    chip.parent = 1;
    const Scene scene = sceneOf({input(0, 0), box(350, 600, 600, 40), aside, chip});
    const Camera camera = firstView(scene, window);
    CHECK(camera.scale >= 0.7);
    CHECK(shows(camera, chip.rect));
}

TEST_CASE("a view is held within a picture, and shows all that fits", "[camera]")
{
    const QSizeF view(200, 100);
    // The parts that fit into the view are in it, wherever the camera was.
    const Camera shown = within({{500, -300}, 1}, {0, 0, 100, 40}, view);
    CHECK(shown.sceneArea(view).contains(QRectF(0, 0, 100, 40)));
    CHECK(within({{30, 0}, 1}, {0, 0, 190, 40}, view).origin.x() == -5); // without its margin
    // A view beyond the lower end moves up to it; one in the middle stays.
    CHECK(within({{0, 5000}, 1}, {0, 0, 100, 1000}, view).origin.y() < 1000);
    CHECK(within({{0, 400}, 1}, {0, 0, 100, 1000}, view).origin.y() == 400);
}

TEST_CASE("side parts give way to the network", "[camera]")
{
    SceneBox aside = box(900, 0, 700, 100);
    aside.isAside = true;
    const Scene scene = sceneOf({input(0, 0), box(0, 900, 600, 40), aside});
    const Camera camera = firstView(scene, window);
    CHECK(shows(camera, scene.boxes[0].rect));
    CHECK(shows(camera, scene.boxes[1].rect));
    // As much of the network as fits is in view.
    CHECK(camera.sceneArea(window).right() > 900);
}

TEST_CASE("side parts are shown if the picture is hardly smaller then", "[camera]")
{
    SceneBox aside = box(1360, 0, 150, 100);
    aside.isAside = true;
    const Scene scene = sceneOf({input(0, 0), box(0, 900, 1300, 40), aside});
    CHECK(shows(firstView(scene, window), aside.rect));
    // The network is not made smaller for the box if there is space beside the network.
    aside.rect = {660, 0, 1000, 100};
    const Scene high = sceneOf({input(0, 0), box(0, 1400, 600, 40), aside});
    const Camera camera = firstView(high, window);
    CHECK(shows(camera, aside.rect));
    CHECK(camera.scale > 0.5);
}

TEST_CASE("boxes beside the path from the input to the output are not cut at the edge", "[camera]")
{
    // The box below the output makes the network too high for the view, but not the path through
    // it.
    SceneBox aside = box(900, 0, 400, 100);
    aside.isAside = true;
    SceneBox output = box(300, 1000, 100, 36);
    output.isOutput = true;
    const Scene scene = sceneOf({input(300, 0), output, box(0, 1050, 700, 60), aside});
    const Camera camera = firstView(scene, window);
    CHECK(camera.scale > 0.7);
    CHECK(shows(camera, aside.rect));
}

TEST_CASE("a network that is somewhat too large is shown small, not cut", "[camera]")
{
    SceneBox aside = box(2000, 0, 300, 100);
    aside.isAside = true;
    const Scene scene = sceneOf({input(0, 0), box(1700, 700, 100, 40), aside});
    const Camera camera = firstView(scene, window);
    CHECK(shows(camera, scene.boxes[0].rect));
    CHECK(shows(camera, scene.boxes[1].rect));
    CHECK(camera.scale >= 0.5);
    // Far titles name the boxes of a network at a third of its size.
    const Scene small = sceneOf({input(0, 0), box(2400, 700, 100, 40)});
    CHECK(shows(firstView(small, window), small.bounds));
    const Scene larger = sceneOf({input(0, 0), box(3000, 700, 100, 36)});
    CHECK(firstView(larger, window).scale >= 0.85); // nothing would be readable
}

TEST_CASE("a network of closed groups is shown whole down to a quarter", "[camera]")
{
    const auto firstScale = [](BoxKind kind, float height) {
        std::vector<SceneBox> boxes{input(0, 0)};
        for (int i = 0; i < 8; ++i)
            boxes.push_back(box(float(400 * i), 700, 180, height));
        for (SceneBox& one : boxes)
            one.kind = one.isInput ? BoxKind::Op : kind;
        boxes.push_back(box(3300, 1000, 100, 36));
        return firstView(sceneOf(boxes), window).scale;
    };
    CHECK(firstScale(BoxKind::Group, 80) == Approx(952.0 / 3400)); // the whole network
    CHECK(firstScale(BoxKind::Op, 36) >= 0.85);                    // the view begins at the input
}

TEST_CASE("a network that is too large is cut beside its ends where they are close", "[camera]")
{
    SceneBox output = box(300, 1500, 100, 40);
    output.isOutput = true;
    const Scene scene = sceneOf({input(0, 0), output, box(3000, 700, 100, 36)});
    const Camera camera = firstView(scene, window);
    CHECK(shows(camera, scene.boxes[0].rect));
    CHECK(shows(camera, output.rect));
    CHECK_FALSE(shows(camera, scene.boxes[2].rect));
}

TEST_CASE("a long network begins at its inputs, not between them", "[camera]")
{
    std::vector<SceneBox> boxes{input(0, 0), input(5000, 0)};
    for (int i = 0; i < 40; ++i)
        boxes.push_back(box(4900, 80 + 80 * float(i), 300, 50));
    const Scene scene = sceneOf(boxes);
    const Camera camera = firstView(scene, window);
    CHECK(shows(camera, scene.boxes[1].rect)); // the input above the column
    CHECK(shows(camera, scene.boxes[2].rect));
    CHECK(camera.scale >= 0.85);
}

TEST_CASE("a network that is cut is shown smaller where that shows most of its width", "[camera]")
{
    const Scene scene = sceneOf({input(600, 0), box(0, 100, 1900, 40), box(600, 2900, 300, 40)});
    const Camera camera = firstView(scene, window);
    CHECK(camera.scale == 0.7);
    CHECK(shows(camera, scene.boxes[0].rect));
}

TEST_CASE("the first picture of nothing and of one box", "[camera]")
{
    CHECK(firstView(sceneOf({}), window).scale > 0);
    const Scene one = sceneOf({box(0, 0, 100, 36)});
    CHECK(shows(firstView(one, window), one.bounds));
    SceneBox aside = box(0, 0, 9000, 9000);
    aside.isAside = true;
    CHECK(shows(firstView(sceneOf({aside}), window), aside.rect));
}

TEST_CASE("the camera follows a scope that was opened", "[camera]")
{
    const Camera whole{{0, 0}, 1};
    const auto followed = [](const Camera& from, const SceneBox& frame) {
        return following(from, frame.rect, window, 32);
    };
    // A box that fits stays, or moves in by as little as needed.
    CHECK(followed(whole, box(100, 100, 600, 500)) == whole);
    CHECK(followed(whole, box(100, 500, 600, 500)) == Camera{{0, 232}, 1});
    // A slightly larger box is shown as a whole, a little smaller.
    const SceneBox tall = box(100, 500, 600, 1000);
    CHECK(shows(followed(whole, tall), tall.rect));
    CHECK(followed(whole, tall).scale >= 0.7);
    // The beginning of a larger box is shown, centered, as wide as it can be read.
    const SceneBox taller = box(100, 500, 1200, 4000);
    const Camera begun = followed(whole, taller);
    CHECK(begun.scale == Approx(0.78));
    CHECK(begun.toView(taller.rect).top() == Approx(32));
    CHECK(begun.toView(taller.rect).center().x() == Approx(500));
    // A user who looks at the whole picture keeps its scale.
    CHECK(followed({{0, 0}, 0.5}, taller).scale == 0.5);
}

} // namespace lapidary
