// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/camera.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr double margin = 24;         // margin around a fitted picture, on screen
constexpr double smallestText = 9;    // margin of a first picture, on screen
constexpr double smallestRole = 10.5; // px at 100 %, the text size of edge labels and chips
constexpr double largestFirst = 1.5;
constexpr std::size_t mostRemembered = 100;

// Returns the middle of the inputs, or of the topmost boxes where none is marked.
double inputsMiddle(const Scene& scene)
{
    double sum = 0;
    int count = 0;
    for (const SceneBox& box : scene.boxes)
        if (box.parent < 0 && (box.isInput || (box.family == OpFamily::Input && !box.isFed))) {
            sum += box.rect.center().x;
            ++count;
        }
    if (count > 0)
        return sum / count;
    const SceneBox* top = nullptr;
    for (const SceneBox& box : scene.boxes)
        if (box.parent < 0 && (!top || box.rect.y < top->rect.y))
            top = &box;
    return top ? double(top->rect.center().x) : 0.0;
}

} // namespace

Camera Camera::zoomed(double to, QPointF fixedInView) const
{
    const double usable = usableScale(to);
    return {toScene(fixedInView) - fixedInView / usable, usable};
}

double usableScale(double scale)
{
    return std::isfinite(scale) ? std::clamp(scale, 1e-6, 1e5) : 1.0;
}

Camera fitted(const Rect& area, QSizeF view, double largest)
{
    const double width = std::max(view.width() - 2 * margin, 1.0);
    const double height = std::max(view.height() - 2 * margin, 1.0);
    const double fit =
        std::min(width / std::max(double(area.w), 1.0), height / std::max(double(area.h), 1.0));
    const double scale = usableScale(std::min(fit, largest));
    const QPointF middle(area.center().x, area.center().y);
    return {middle - QPointF(view.width(), view.height()) / (2 * scale), scale};
}

Camera firstView(const Scene& scene, QSizeF view)
{
    const Camera whole = fitted(scene.bounds, view, largestFirst);
    const double readable = smallestText / smallestRole;
    if (whole.scale >= readable || scene.boxes.empty())
        return whole;
    const double byWidth = (view.width() - 2 * margin) / std::max(double(scene.bounds.w), 1.0);
    const double scale = std::clamp(byWidth, readable, 1.0);
    const double shown = view.width() / scale;
    const double room = margin / scale;
    double left = inputsMiddle(scene) - shown / 2;
    if (scene.bounds.w + 2 * room <= shown)
        left = scene.bounds.center().x - shown / 2;
    else
        left = std::clamp(left, double(scene.bounds.x) - room, scene.bounds.right() + room - shown);
    return {QPointF(left, scene.bounds.y - room), scale};
}

Camera revealing(Camera camera, const Rect& area, QSizeF view, double around)
{
    const QRectF shown = camera.toView(area);
    const auto shift = [around](double low, double high, double size) {
        if (high - low > size - 2 * around || low < around)
            return low - around;
        return high > size - around ? high - (size - around) : 0.0;
    };
    const auto needed = [&](double low, double high, double size) {
        const bool fits = high - low <= size - 2 * around;
        const bool isStartVisible = low >= 0 && low <= size * 0.75;
        return !fits && isStartVisible ? 0.0 : shift(low, high, size);
    };
    camera.origin += QPointF(needed(shown.left(), shown.right(), view.width()),
                             needed(shown.top(), shown.bottom(), view.height())) /
                     camera.scale;
    return camera;
}

Camera between(const Camera& a, const Camera& b, double share)
{
    if (share >= 1)
        return b;
    // The zoom changes evenly; the point that both cameras show at the same position keeps it.
    const double scale = a.scale * std::pow(b.scale / a.scale, share);
    if (std::abs(a.scale - b.scale) < 1e-9 * a.scale)
        return {a.origin + (b.origin - a.origin) * share, scale};
    const double weight = (1 / a.scale - 1 / scale) / (1 / a.scale - 1 / b.scale);
    return {a.origin + (b.origin - a.origin) * weight, scale};
}

void CameraHistory::push(const Camera& camera)
{
    m_cameras.resize(m_at + 1);
    if (m_cameras.back() == camera)
        return;
    m_cameras.push_back(camera);
    if (m_cameras.size() > mostRemembered)
        m_cameras.erase(m_cameras.begin());
    m_at = m_cameras.size() - 1;
}

Camera CameraHistory::back(const Camera& current)
{
    m_cameras[m_at] = current;
    m_at -= canGoBack() ? 1 : 0;
    return m_cameras[m_at];
}

Camera CameraHistory::forward(const Camera& current)
{
    m_cameras[m_at] = current;
    m_at += canGoForward() ? 1 : 0;
    return m_cameras[m_at];
}

void CameraHistory::clear()
{
    m_cameras.assign(1, Camera{});
    m_at = 0;
}

} // namespace lapidary
