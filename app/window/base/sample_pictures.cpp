// SPDX-License-Identifier: Apache-2.0
#include "app/window/base/sample_pictures.h"

#include "app/document/picture/graph_view.h"
#include "graph_model/read/model_file.h"
#include "views/canvas/paint/export_picture.h"
#include "views/theme/text_measure.h"

namespace lapidary {
namespace {

constexpr QSize pictureSize(384, 240); // the same as for recent files

Result<ScenePtr> sceneOf(const std::filesystem::path& path, MeasureText measure, const Job& job)
{
    ASSIGN_OR_RETURN(const auto file, readModel(path, job, {.check = false}));
    if (file.isRefused())
        return Error{ErrorCode::InvalidArgument, path.string() + " has no graph"};
    ASSIGN_OR_RETURN(auto view, GraphView::make(file.graphs[0].graph, {}, std::move(measure), job));
    SceneOptions options;
    options.aspect = double(pictureSize.width()) / pictureSize.height();
    return view->build(view->firstOpen(), options, job);
}

} // namespace

SamplePictures::SamplePictures(QThreadPool& pool, QObject* parent)
    : QObject(parent)
    , m_job(nullptr, &pool)
{
}

void SamplePictures::request(const QStringList& paths)
{
    m_waiting = paths;
    next();
}

void SamplePictures::stop()
{
    m_waiting.clear();
    m_job.cancel();
}

void SamplePictures::next()
{
    while (!m_waiting.isEmpty() && m_scenes.contains(m_waiting.constFirst()))
        m_waiting.removeFirst();
    if (m_waiting.isEmpty())
        return;
    const QString path = m_waiting.takeFirst();
    m_job.start([file = std::filesystem::path(path.toStdString()), measure = measureCanvasText()](
                    const Job& job) { return sceneOf(file, measure, job); },
                [this, path](const Result<ScenePtr>& scene) {
                    m_scenes[path] = scene ? scene.value() : nullptr;
                    emit pictureMade(path);
                    next();
                });
}

QImage SamplePictures::picture(const QString& path, bool isDark) const
{
    const auto scene = m_scenes.find(path);
    if (scene == m_scenes.end() || !scene->second)
        return {};
    const auto bytes =
        encodePicture(scene->second, PictureFileFormat::Png, {.dark = isDark, .size = pictureSize});
    return bytes ? QImage::fromData(bytes.value(), "PNG") : QImage();
}

} // namespace lapidary
