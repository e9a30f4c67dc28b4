// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/views/canvas/scene_testing.h"
#include "views/canvas/paint/scene_painter.h"
#include "views/theme/color.h"
#include "views/theme/ramp.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

using namespace lapidary;

namespace {

QImage painted(const ScenePtr& scene, double scale, const PictureState& state, bool dark = false,
               bool direct = true)
{
    ScenePainter painter;
    painter.setScene(scene);
    const QSizeF size(700, 500);
    QImage image(size.toSize(), QImage::Format_RGB32);
    const PictureRequest request{.origin = QPointF(scene->bounds.x - 10, scene->bounds.y - 10),
                                 .size = size,
                                 .scale = scale,
                                 .theme = themeFor(dark),
                                 .state = state};
    if (direct) {
        painter.paint(image, request);
    } else {
        QPainter onto(&image);
        painter.paint(onto, request);
    }
    QPainter overlay(&image);
    painter.paintOverlay(overlay, request, true);
    return image;
}

bool hasColor(const QImage& image, const QColor& color)
{
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y) == color)
                return true;
    return false;
}

} // namespace

TEST_CASE("boxes have their family's colors in both themes", "[canvas]")
{
    for (const bool dark : {false, true}) {
        const QImage image = painted(residualScene(), 1, {}, dark);
        CHECK(hasColor(image, themeFor(dark)[Role::Canvas]));
        for (const OpFamily family : {OpFamily::HeavyMaths, OpFamily::Pooling, OpFamily::Input})
            CHECK(hasColor(image, themeFor(dark).family(family).fill));
    }
}

TEST_CASE("closed groups are blocks of their family's color where their text cannot be read",
          "[canvas]")
{
    SceneMaker maker;
    maker.box(maker.group("block", "9 ops", "Pooling", {0, 0, 300, 200}, false)).family =
        OpFamily::Pooling;
    const ScenePtr scene = maker.finish();
    for (const bool dark : {false, true}) {
        const Theme& theme = themeFor(dark);
        const auto inside = [&](double scale) {
            return painted(scene, scale, {}, dark)
                .pixelColor(int(10 * scale + 250 * scale), int(10 * scale + 190 * scale));
        };
        CHECK(inside(1) == theme[Role::Surface]);
        CHECK(inside(0.4) == theme.family(OpFamily::Pooling).fill);
    }
}

TEST_CASE("a closed group shows its content at every zoom if there is space", "[canvas]")
{
    const auto picture = [](const char* holds, double scale) {
        SceneMaker maker;
        maker.group("block", "9 ops", holds, {0, 0, 240, 88}, false);
        return painted(maker.finish(), scale, {});
    };
    for (const double scale : {1.0, 0.7, 0.54, 0.51, 0.45, 0.4}) {
        INFO(scale);
        CHECK(pixelsApart(picture("Conv2D", scale), picture("MatMul", scale)) > 10);
    }
}

TEST_CASE("names of side parts are in their boxes, or below if most of the name does not fit",
          "[canvas]")
{
    // Nothing, or boxes directly below and above, where the name would be.
    const auto picture = [](const char* title, float width, bool isStacked) {
        SceneMaker maker;
        maker.group("far", "", "", {0, 0, 10, 10}, false);
        maker.box(maker.group(title, "", "", {400, 100, width, 60}, false)).isAside = true;
        for (const float y : {28.0F, 172.0F})
            if (isStacked)
                maker.op("", "Relu", OpFamily::Activation, {400, y, width, 60});
        return painted(maker.finish(), 0.4, {});
    };
    const auto namedIn = [&](const QRect& place, float width, bool isStacked) {
        const QImage one = picture("summaries and checks", width, isStacked);
        const QImage other = picture("conversion and writes", width, isStacked);
        const int apart = pixelsApart(one.copy(place), other.copy(place));
        return apart > 10 && apart == pixelsApart(one, other);
    };
    for (const float width : {60.0F, 120.0F, 200.0F, 250.0F, 400.0F}) {
        INFO(width);
        const int middle = 164 + int(width * 0.2F);
        const QRect box(164, 44, int(width * 0.4F), 24);
        const QRect below(middle - 70, 68, 140, 16);
        const bool hasRoom = width >= 250;
        CHECK(namedIn(box, width, false) == hasRoom);
        CHECK(namedIn(below, width, false) == !hasRoom);
        CHECK(namedIn(box, width, true) ==
              (width > 60)); // a part of the name is better than nothing
    }
}

TEST_CASE("names in far pictures are where no line passes", "[canvas]")
{
    // A line passes one side of the op: the name is on the other side, or omitted.
    const auto picture = [](const char* title, bool isLeft, bool isRight) {
        SceneMaker maker;
        maker.group("far", "", "", {0, 0, 10, 10}, false);
        maker.op(title, "Relu", OpFamily::Activation, {500, 100, 40, 36});
        const auto line = [&](float x) {
            const auto from = maker.op("a", "Relu", OpFamily::Activation, {x - 20, 0, 40, 36});
            const auto to = maker.op("b", "Relu", OpFamily::Activation, {x - 20, 300, 40, 36});
            maker.edge(from, to, {{x, 36}, {x, 300}});
        };
        if (isLeft)
            line(440);
        if (isRight)
            line(600);
        return painted(maker.finish(), 0.4, {});
    };
    const auto namedAt = [&](bool isLeft, bool isRight, int from) {
        const QImage one = picture("a_relu_of_this", isLeft, isRight);
        const QImage other = picture("one_other_name", isLeft, isRight);
        return pixelsApart(one.copy(from, 40, 120, 30), other.copy(from, 40, 120, 30)) > 10;
    };
    constexpr int left = 80;
    constexpr int right = 222;
    CHECK(namedAt(false, false, right));
    CHECK(namedAt(false, true, left));
    CHECK_FALSE(namedAt(false, true, right));
    CHECK(namedAt(true, false, right));
    CHECK_FALSE(namedAt(true, true, left));
    CHECK_FALSE(namedAt(true, true, right));
}

TEST_CASE("names in far pictures are not cut where the view ends", "[canvas]")
{
    // The view of 700 pixels shows 1,750 units less the margin: 150 units of the group, 60 pixels,
    // are visible.
    const auto group = [](const char* title) {
        SceneMaker maker;
        maker.group("beside", "", "", {0, 0, 10, 10}, false);
        maker.group(title, "", "", {1590, 0, 600, 200}, false);
        return painted(maker.finish(), 0.4, {});
    };
    const QImage one = group("block");
    const QImage other = group("stage");
    CHECK(pixelsApart(one, other) > 10);
    CHECK(pixelsApart(one.copy(696, 0, 4, 500), other.copy(696, 0, 4, 500)) == 0);
    // The painted area is larger than the view: the name of an op at the view's left border is to
    // its right.
    const auto op = [](const char* title) {
        SceneMaker maker;
        maker.op(title, "Relu", OpFamily::Activation, {300, 100, 60, 36});
        maker.op("other", "Relu", OpFamily::Activation, {364, 100, 60, 36}); // no space at the
                                                                             // right
        const ScenePtr scene = maker.finish();
        ScenePainter painter;
        painter.setScene(scene);
        QImage image(400, 200, QImage::Format_RGB32);
        painter.paint(image, {.origin = {0, 0},
                              .size = {400, 200},
                              .scale = 0.4,
                              .theme = lightTheme(),
                              .state = {},
                              .inView = QRectF(100, 0, 300, 200)});
        return image;
    };
    CHECK(pixelsApart(op("a_name_of_this_length"), op("another_of_that_one")) == 0);
}

TEST_CASE("names in far pictures keep what tells neighbors apart", "[canvas]")
{
    // Two groups of 100 pixels whose names differ at `place`; another name is at the left one.
    const auto picture = [](const char* left, const char* right) {
        SceneMaker maker;
        maker.group(left, "", "", {0, 0, 250, 60}, false);
        maker.group(right, "", "", {400, 0, 250, 60}, false);
        return painted(maker.finish(), 0.4, {});
    };
    const auto nameless = picture("", "");
    for (const auto& [left, right] :
         {std::pair("stage2a_branch1_1/Conv2D", "stage3b_branch1_1/Conv2D"),
          std::pair("stage_of_a_network/x/unit_1/Conv2D", "stage_of_a_network/x/unit_2/Conv2D"),
          std::pair("network_of_layers_1_of_many_layers", "network_of_layers_2_of_many_layers")}) {
        const QImage both = picture(left, right);
        const QImage ofLeft = both.copy(0, 0, 120, 50);
        const QImage ofRight = both.copy(160, 0, 120, 50);
        CHECK(pixelsApart(ofLeft, nameless.copy(0, 0, 120, 50)) > 20);
        CHECK(pixelsApart(ofRight, nameless.copy(160, 0, 120, 50)) > 20);
        CHECK(pixelsApart(ofLeft, ofRight) > 3);
    }
}

TEST_CASE("signs of differences leave an op's name as it is", "[canvas]")
{
    SceneMaker maker;
    const std::int32_t op = maker.op("name", "Relu", OpFamily::Activation, {0, 0, 100, 36});
    const ItemId item = maker.box(op).item;
    const ScenePtr scene = maker.finish();
    PictureState state;
    const QImage plain = painted(scene, 1, state);
    state.differences = std::make_shared<const DifferenceMarks>(
        DifferenceMarks{{item, {.added = 12, .removed = 2, .changed = 31}}});
    const QImage marked = painted(scene, 1, state);
    CHECK(hasColor(marked, lightTheme()[Role::Removed]));
    const QRect name(14, 14, 90, 28);
    CHECK(pixelsApart(marked.copy(name), plain.copy(name)) == 0);
}

TEST_CASE("signs of differences keep clear of the labels of edges", "[canvas]")
{
    for (const float x : {90.0F, 20.0F}) { // at the right end of the upper edge; at both ends
        SceneMaker maker;
        const std::int32_t above = maker.op("in", "Relu", OpFamily::Activation, {20, 0, 100, 36});
        const std::int32_t group = maker.group("block", "9 ops", "Conv2D", {0, 80, 160, 80}, false);
        maker.edge(above, group, {{x, 60}, {x, 80}}, "1x480x640x3");
        const ItemId item = maker.box(group).item;
        const ScenePtr scene = maker.finish();
        REQUIRE(scene->edges[0].labelRect.w > 0);
        const Rect label = scene->edges[0].labelRect;
        PictureState state;
        const QImage plain = painted(scene, 1, state);
        state.differences = std::make_shared<const DifferenceMarks>(
            DifferenceMarks{{item, {.added = 941, .changed = 55}}});
        const QImage marked = painted(scene, 1, state);
        CHECK(hasColor(marked, lightTheme()[Role::Added]));
        const QRect place(int(label.x - scene->bounds.x) + 11, int(label.y - scene->bounds.y) + 11,
                          int(label.w) - 2, int(label.h) - 2);
        CHECK(pixelsApart(marked.copy(place), plain.copy(place)) == 0);
    }
}

TEST_CASE("the sign of a change is not a minus sign", "[canvas]")
{
    SceneMaker maker;
    const std::int32_t op = maker.op("name", "Relu", OpFamily::Activation, {0, 0, 100, 36});
    const ItemId item = maker.box(op).item;
    const ScenePtr scene = maker.finish();
    // Returns the rows of a sign in the disk around the box's upper right corner.
    const auto rowsOf = [&](const DifferenceCounts& counts, Role role) {
        PictureState state;
        state.differences =
            std::make_shared<const DifferenceMarks>(DifferenceMarks{{item, counts}});
        const QImage image = painted(scene, 1, state);
        int rows = 0;
        for (int y = 0; y < 12; ++y) {
            bool hasSign = false;
            for (int x = 104; x < 114; ++x) {
                const QColor color = image.pixelColor(x, y);
                hasSign =
                    hasSign || std::abs(color.lightness() - lightTheme()[role].lightness()) > 60;
            }
            rows += hasSign ? 1 : 0;
        }
        return rows;
    };
    CHECK(rowsOf({.removed = 1}, Role::Removed) < rowsOf({.changed = 1}, Role::Changed));
}

TEST_CASE("a line that enters an open group at the end of its name shortens the name", "[canvas]")
{
    constexpr int left = 10;   // of the group, in the picture
    constexpr int header = 54; // the rows of its name, below the text above it
    const auto picture = [](float x) {
        SceneMaker maker;
        const std::int32_t above = maker.op("in", "Relu", OpFamily::Activation, {0, 0, 400, 36});
        const std::int32_t frame =
            maker.group("separable_convolution", {}, {}, {0, 50, 400, 150}, true);
        const std::int32_t inside =
            maker.op("op", "Relu", OpFamily::Activation, {20, 120, 360, 36}, frame);
        maker.edge(above, frame, {{x, 36}, {x, 50}});
        maker.edge(frame, inside, {{x, 50}, {x, 120}});
        return painted(maker.finish(), 1, {});
    };
    const auto lastInk = [](const QImage& image, int from, int to) {
        int last = -1;
        const QColor ground = image.pixelColor(left + 395, header + 20);
        for (int x = from; x < to; ++x)
            for (int y = header + 10; y < header + 24; ++y)
                if (std::abs(image.pixelColor(x, y).lightness() - ground.lightness()) > 60)
                    last = x;
        return last;
    };
    constexpr float away = 380;
    const int end = lastInk(picture(away), left + 26, left + 370);
    REQUIRE(end > left + 80);
    const int line = end - 12;
    const QImage crossed = picture(float(line - left));
    CHECK(lastInk(crossed, line + 3, left + 370) == -1);
    CHECK(lastInk(crossed, left + 26, line - 3) > left + 60); // most of the name is visible
}

TEST_CASE("a far name without any space beside its box is in it", "[canvas]")
{
    // The box in the middle is 40 pixels wide and touches those on both sides.
    const auto picture = [](const char* title) {
        SceneMaker maker;
        maker.op(title, "Reshape", OpFamily::DataMovement, {100, 0, 100, 36});
        maker.op("a", "Relu", OpFamily::Activation, {0, 0, 96, 36});
        maker.op("b", "Relu", OpFamily::Activation, {204, 0, 96, 36});
        return painted(maker.finish(), 0.4, {});
    };
    CHECK(pixelsApart(picture("strided_slice_20"), picture("")) > 10);
}

TEST_CASE("selection and hover change the picture and nothing else does", "[canvas]")
{
    const ScenePtr scene = residualScene();
    PictureState state;
    const QImage plain = painted(scene, 1, state);
    CHECK(pixelsApart(plain, painted(scene, 1, state)) == 0);
    state.selected = scene->boxes[2].item;
    const QImage selected = painted(scene, 1, state);
    CHECK(pixelsApart(plain, selected) > 200);
    CHECK(hasColor(selected, lightTheme()[Role::Accent]));
    state.selected = {};
    state.hovered = scene->boxes[2].item;
    CHECK(pixelsApart(plain, painted(scene, 1, state)) > 100);
}

TEST_CASE("a box that is not highlighted is dimmed but visible", "[canvas]")
{
    const ScenePtr scene = residualScene();
    PictureState state;
    state.lit = std::make_shared<const ItemSet>(ItemSet{scene->boxes[2].item});
    const QImage image = painted(scene, 1, state);
    CHECK(hasColor(image, lightTheme().family(OpFamily::Pooling).fill));
    CHECK_FALSE(hasColor(image, lightTheme().family(OpFamily::Input).outline));
    CHECK(pixelsApart(image, painted(std::make_shared<const Scene>(), 1, {})) > 1000);
}

TEST_CASE("thousands of boxes are rasterized with the same colors", "[canvas]")
{
    const ScenePtr scene = gridScene(100, 60);
    const double scale = 680.0 / scene->bounds.w;
    const QImage raster = painted(scene, scale, {});
    const QImage vector = painted(scene, scale, {}, false, false);
    CHECK(hasColor(raster, lightTheme()[Role::Canvas]));
    const auto inkShare = [](const QImage& image) {
        int ink = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                ink += image.pixelColor(x, y) != lightTheme()[Role::Canvas];
        return double(ink) / (image.width() * image.height());
    };
    CHECK(inkShare(raster) > 0.1);
    CHECK(inkShare(raster) == Approx(inkShare(vector)).margin(0.25));
}

TEST_CASE("every zoom paints", "[canvas]")
{
    const ScenePtr scene = residualScene();
    PictureState state;
    state.selected = scene->boxes[4].item;
    state.hits.insert(scene->boxes[5].item);
    state.marks[scene->boxes[6].item] = {.input = true, .problem = true};
    auto classes = std::make_shared<Coloring>();
    classes->classOf[scene->boxes[5].item] = 3;
    state.coloring = classes;
    for (const double scale : {0.001, 0.02, 0.08, 0.24, 0.4, 0.55, 1.0, 3.0, 40.0, 5000.0})
        CHECK_FALSE(painted(scene, scale, state).isNull());
    CHECK_FALSE(painted(std::make_shared<const Scene>(), 1, state).isNull());
}

TEST_CASE("an overlay paints values on its scale and leaves the rest neutral", "[canvas]")
{
    const ScenePtr scene = residualScene();
    const auto box = [&](BoxKind kind, std::size_t number) -> const SceneBox& {
        for (const SceneBox& candidate : scene->boxes)
            if (candidate.kind == kind && number-- == 0)
                return candidate;
        FAIL("no such box");
        return scene->boxes.front();
    };
    auto faces = std::make_shared<OverlayFaces>();
    (*faces)[box(BoxKind::Op, 0).item] = {1000, "1.0 ms"};
    (*faces)[box(BoxKind::Op, 1).item] = {0, "0.0 ms"};
    auto coloring = std::make_shared<Coloring>();
    coloring->overlay = faces;
    coloring->scale = {1, 1000};
    PictureState state;
    state.coloring = coloring;
    for (const bool dark : {false, true}) {
        const QImage image = painted(scene, 1, state, dark);
        CHECK(hasColor(image, overlayRamp(1)));
        CHECK(hasColor(image, overlayRamp(0)));
        CHECK(!hasColor(image, themeFor(dark).family(OpFamily::HeavyMaths).fill));
    }
}

TEST_CASE("a logarithmic scale has its ends and bears any number", "[canvas]")
{
    const OverlayScale scale{1, 1000};
    CHECK(scale.position(1000) == 1);
    CHECK(scale.position(1) == 0);
    CHECK(scale.position(0.5) == 0);
    CHECK(scale.position(-3) == 0);
    CHECK(scale.position(1e9) == 1);
    CHECK(std::abs(scale.position(10) - 1.0 / 3) < 1e-9);
    CHECK(OverlayScale{}.position(5) == 0);
    CHECK((OverlayScale{0, 10}.position(5)) == 0.5);
    for (const double at : {0.0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0})
        for (const bool dark : {false, true}) {
            const FamilyColors colors = overlayBox(at, themeFor(dark));
            CHECK(contrast(colors.text, colors.fill) >= 4.5);
            CHECK(contrast(colors.outline, themeFor(dark)[Role::Canvas]) >= 1.5);
        }
}
