// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "views/canvas/paint/picture_state.h"
#include "views/layout/scene.h"
#include "views/theme/theme.h"

#include <QByteArray>
#include <QSize>

#include <filesystem>
#include <optional>

namespace lapidary {

enum class PictureFileFormat { Png, Svg, Pdf };
// Returns the format by the file's extension, in upper or lower case; otherwise an error that names
// the three formats.
Result<PictureFileFormat> pictureFileFormat(const std::filesystem::path& path);

struct ExportOptions {
    bool dark = false;
    std::optional<Rect> area{}; // scene units; none: the whole picture, with a margin
    // Empty means 100 %; otherwise the picture is scaled to fit and centered.
    QSize size{};
    double pixelRatio = 1; // PNG only: device pixels per unit
    PictureState state{};  // dimming, coloring, hits and marks to draw as well
};

struct ExportedPicture {
    QSize size{}; // pixels; for SVG and PDF the size at 100 %
    // less than the scale asked for if the picture would be larger than `longestSide`
    double scale = 1;
};

inline constexpr int longestSide = 16'384; // pixels of a PNG; larger pictures are scaled down
inline constexpr double mostPixels = 120e6;

// Returns the picture as the bytes of a file. GUI thread.
Result<QByteArray> encodePicture(const ScenePtr& scene, PictureFileFormat format,
                                 const ExportOptions& options, ExportedPicture* made = nullptr);
// Writes the same bytes into a file, completely or not at all.
Result<ExportedPicture> exportPicture(const ScenePtr& scene, const std::filesystem::path& path,
                                      const ExportOptions& options);

} // namespace lapidary
