#pragma once

#include "graph_model/base/result.h"
#include "views/canvas/picture_state.h"
#include "views/layout/scene.h"
#include "views/theme/theme.h"

#include <QByteArray>
#include <QSize>

#include <filesystem>
#include <optional>

namespace lapidary {

enum class PictureFormat { Png, Svg, Pdf };
// By the extension, upper or lower case; an error that names the three otherwise.
Result<PictureFormat> pictureFormat(const std::filesystem::path& path);

struct ExportOptions {
    bool dark = false;
    std::optional<Rect> area{}; // scene units; nothing: all of it, with a margin
    QSize size{};               // empty: 100 %, else the picture is fitted into it and centred
    double pixelRatio = 1;      // PNG only: device pixels per unit
    PictureState state{};       // dimming, colouring, hits and marks are drawn as well
};

struct ExportedPicture {
    QSize size{};     // pixels; of SVG and PDF the size at 100 %
    double scale = 1; // less than asked for where the picture would be larger than `longestSide`
};

inline constexpr int longestSide = 16'384; // pixels of a PNG; larger ones are scaled down
inline constexpr double mostPixels = 120e6;

// The picture as the bytes of a file. GUI thread.
Result<QByteArray> encodePicture(const ScenePtr& scene, PictureFormat format,
                                 const ExportOptions& options, ExportedPicture* made = nullptr);
// The same into a file, at once or not at all.
Result<ExportedPicture> exportPicture(const ScenePtr& scene, const std::filesystem::path& path,
                                      const ExportOptions& options);

} // namespace lapidary
