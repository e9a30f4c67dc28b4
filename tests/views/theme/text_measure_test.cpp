// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/theme/canvas_fonts.h"
#include "views/theme/shown_text.h"
#include "views/theme/text_measure.h"

#include <QFontMetricsF>

#include <string>
#include <thread>
#include <vector>

using namespace lapidary;

TEST_CASE("tables agree with Qt's own widths", "[theme]")
{
    const MeasureText measure = measureCanvasText();
    for (const char* text : {"", "conv1", "resnet_v1_50/\u2026/conv2", "1\u00D756\u00D756\u00D764",
                             "54 ops \u00B7 2.3 M weights", "gr\u00FC\u00DFe", "a\nb"})
        for (int role = 0; role < 5; ++role) {
            const QFontMetricsF metrics(canvasFont(TextRole(role)));
            const double exact = metrics.horizontalAdvance(shownText(text)) / canvasFontScale;
            INFO(text << " in role " << role);
            CHECK(measure(text, TextRole(role)) == Approx(exact).margin(0.6));
        }
}

TEST_CASE("damaged and foreign letters have a width", "[theme]")
{
    const auto measure = TextMeasure::make();
    CHECK(measure->width("\xFF\xC3", TextRole::Name) > 0);
    CHECK(measure->width("\u6F22", TextRole::Name) == Approx(12));
    CHECK(measure->width(std::string(10000, 'x'), TextRole::Name) >
          9000 * measure->width("x", TextRole::Name));
}

TEST_CASE("widths may be asked for on any thread", "[theme]")
{
    const MeasureText measure = measureCanvasText();
    const float here = measure("Conv2D", TextRole::Muted);
    float there = 0;
    std::thread([&] { there = measure("Conv2D", TextRole::Muted); }).join();
    CHECK(there == here);
}

TEST_CASE("letters beyond ASCII are measured on any thread, by many at once", "[theme]")
{
    const auto measure = TextMeasure::make();
    const std::string text = "1\u00D756 gr\u00FC\u00DFe \u03B1\u03B2 \u0416 \u0377";
    std::vector<float> widths(4, 0);
    std::vector<std::thread> threads;
    for (float& width : widths)
        threads.emplace_back([&] { width = measure->width(text, TextRole::Name); });
    for (std::thread& thread : threads)
        thread.join();
    const float here = TextMeasure::make()->width(text, TextRole::Name);
    CHECK(widths == std::vector<float>(4, here));
}
