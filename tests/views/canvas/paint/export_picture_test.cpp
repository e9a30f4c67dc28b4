// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/views/canvas/scene_testing.h"
#include "views/canvas/paint/export_picture.h"

#include <QDir>
#include <QFile>
#include <QSvgRenderer>
#include <QTemporaryDir>

using namespace lapidary;

namespace {

std::filesystem::path inside(const QTemporaryDir& directory, const char* name)
{
    return std::filesystem::path(directory.path().toStdString()) / name;
}

QByteArray content(const std::filesystem::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

TEST_CASE("the three formats are written", "[canvas]")
{
    QTemporaryDir directory;
    const ScenePtr scene = residualScene();
    const auto png = inside(directory, "a.PNG");
    const auto made = exportPicture(scene, png, {});
    REQUIRE(made.ok());
    CHECK(QImage::fromData(content(png)).size() == made->size);

    const auto svg = inside(directory, "a.svg");
    REQUIRE(exportPicture(scene, svg, {.dark = true}).ok());
    QSvgRenderer renderer(content(svg));
    CHECK(renderer.isValid());
    CHECK(content(svg).contains("conv1/BatchNorm"));

    const auto pdf = inside(directory, "a.pdf");
    REQUIRE(exportPicture(scene, pdf, {}).ok());
    CHECK(content(pdf).startsWith("%PDF"));
    CHECK(QDir(directory.path()).entryList(QDir::Files | QDir::Hidden).size() == 3);
}

TEST_CASE("a size asked for is the size of the picture", "[canvas]")
{
    ExportedPicture made;
    const auto bytes = encodePicture(residualScene(), PictureFileFormat::Png,
                                     {.size = QSize(320, 200), .pixelRatio = 2}, &made);
    REQUIRE(bytes.ok());
    CHECK(QImage::fromData(*bytes).size() == QSize(640, 400));
    CHECK(made.scale < 1);
}

TEST_CASE("a picture that would be too large is scaled", "[canvas]")
{
    SceneMaker maker;
    maker.op("a", "", OpFamily::Input, {0, 0, 100, 36});
    maker.op("b", "", OpFamily::Input, {0, 400'000, 100, 36});
    ExportedPicture made;
    const auto bytes = encodePicture(maker.finish(), PictureFileFormat::Png, {}, &made);
    REQUIRE(bytes.ok());
    CHECK(made.size.height() <= longestSide);
    CHECK(made.scale < 0.05);
}

TEST_CASE("other extensions and folders that do not exist are refused", "[canvas]")
{
    const auto odd = exportPicture(residualScene(), "/tmp/x.gif", {});
    REQUIRE_FALSE(odd.ok());
    CHECK(odd.error().code == ErrorCode::InvalidArgument);
    CHECK(odd.error().message.find("x.gif") != std::string::npos);
    QTemporaryDir directory;
    CHECK_FALSE(exportPicture(residualScene(), inside(directory, "no/such/x.png"), {}).ok());
}
