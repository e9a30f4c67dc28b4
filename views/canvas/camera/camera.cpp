// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/camera/camera.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lapidary {
namespace {

constexpr double margin = 24; // around a fitted picture, on screen
constexpr double largestFirst = 1.5;
constexpr double smallestFirst = 0.7;     // headings are 9 px high then
constexpr double smallestWhole = 1.0 / 3; // far titles name all boxes, the network is seen at once
constexpr double smallestMostly = 0.25;   // the same, if most of the boxes are high
constexpr double lowestTitled = 12;       // on screen, of a box that a far title names
constexpr double lowestEndTitled = 5;     // the same, of an input or output
// Share of the network's own scale from which on the whole picture is shown instead.
constexpr double mostForAside = 0.8;
constexpr double mostBeyond =
    2; // the network may be cut at its inputs and outputs if it is at most this many times larger
constexpr double smallestBegun = 9 / 10.5; // edge labels are 9 px, where the end is out of view
constexpr std::size_t mostLooked = 400;    // boxes that are examined for the best start
constexpr std::size_t mostRemembered = 100;

Rect joined(const Rect& a, const Rect& b)
{
    const float x = std::min(a.x, b.x);
    const float y = std::min(a.y, b.y);
    return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

// The boxes at the root without the parts beside the network, and the area that they take with the
// chips of their weights.
struct Network {
    std::vector<const SceneBox*> boxes;
    Rect bounds;
    std::optional<Rect> aside; // bounds of the parts beside the network
};

Network networkOf(const Scene& scene)
{
    Network network;
    const auto isChipOfRoot = [&](const SceneBox& box) {
        return box.kind == BoxKind::Chip && box.parent >= 0 && scene.boxes[box.parent].parent < 0 &&
               !scene.boxes[box.parent].isAside;
    };
    for (const SceneBox& box : scene.boxes) {
        if (isChipOfRoot(box) && !network.boxes.empty())
            network.bounds = joined(network.bounds, box.rect);
        if (box.parent >= 0)
            continue;
        if (box.isAside) {
            network.aside = network.aside ? joined(*network.aside, box.rect) : box.rect;
            continue;
        }
        network.bounds = network.boxes.empty() ? box.rect : joined(network.bounds, box.rect);
        network.boxes.push_back(&box);
    }
    return network;
}

bool isBeginning(const SceneBox& box)
{
    return box.isInput || (box.family == OpFamily::Input && !box.isFed && box.kind == BoxKind::Op);
}

// Returns the area of the model's inputs and outputs. Empty if those of one side are not drawn,
// such as an output in a closed box: the area would not contain the network then.
Rect endsOf(const Scene& scene)
{
    Rect area;
    bool hasInput = false;
    bool hasOutput = false;
    for (const SceneBox& box : scene.boxes) {
        if (box.kind != BoxKind::Op || box.isAside || !(box.isInput || box.isOutput))
            continue;
        area = hasInput || hasOutput ? joined(area, box.rect) : box.rect;
        hasInput = hasInput || box.isInput;
        hasOutput = hasOutput || box.isOutput;
    }
    return hasInput && hasOutput ? area : Rect();
}

// Returns the smallest scale at which three of four boxes have names. High boxes, such as groups,
// and the model's inputs and outputs keep their names at smaller scales.
double smallestNamed(const Scene& scene)
{
    std::vector<double> scales; // from which on each box has a name
    for (const SceneBox& box : scene.boxes) {
        if (box.isAside || (box.kind != BoxKind::Op && box.kind != BoxKind::Group))
            continue;
        const bool isEnd = box.isInput || box.isOutput;
        scales.push_back((isEnd ? lowestEndTitled : lowestTitled) / std::max(box.rect.h, 1.0F));
    }
    if (scales.empty())
        return smallestWhole;
    const auto most = scales.begin() + std::ptrdiff_t(scales.size() * 3 / 4);
    std::ranges::nth_element(scales, most);
    return std::clamp(*most, smallestMostly, smallestWhole);
}

// Returns how much of the network a view of this area shows; inputs and outputs have the largest
// weight.
double shownOf(const Network& network, const Rect& area)
{
    double sum = 0;
    const std::size_t count = std::min(network.boxes.size(), mostLooked);
    for (std::size_t i = 0; i < count; ++i) {
        const Rect& box = network.boxes[i]->rect;
        const double w = std::min(area.right(), box.right()) - std::max(area.x, box.x);
        const double h = std::min(area.bottom(), box.bottom()) - std::max(area.y, box.y);
        if (w <= 0 || h <= 0)
            continue;
        const bool isWhole = w >= box.w - 0.5 && h >= box.h - 0.5;
        sum += w * h * (isWhole ? 2 : 1);
        if (isWhole && isBeginning(*network.boxes[i]))
            sum += 200'000;
    }
    return sum;
}

// Returns the top of the highest input or other source, or of the network.
float beginningOf(const Network& network)
{
    float top = network.bounds.bottom();
    for (const SceneBox* box : network.boxes)
        if (isBeginning(*box))
            top = std::min(top, box->rect.y);
    return top < network.bounds.bottom() ? top : network.bounds.y;
}

// Returns a camera that shows the inputs, at the position across the flow where most is visible.
Camera begun(const Network& network, QSizeF view)
{
    const double width = view.width() - 2 * margin;
    const double byWidth = width / std::max(double(network.bounds.w), 1.0);
    // A smaller scale is allowed if that shows most of the width.
    const double smallest = byWidth * 2 >= smallestFirst ? smallestFirst : smallestBegun;
    // If the network is longer than the view, seeing more of it is better than larger boxes.
    const double byHeight = (view.height() - 2 * margin) / std::max(double(network.bounds.h), 1.0);
    const double scale =
        std::clamp(std::min(byWidth, std::max(byHeight, smallestFirst)), smallest, 1.0);
    const double room = margin / scale;
    const double shown = view.width() / scale;
    const double top = beginningOf(network) - room;
    const double middle = network.bounds.center().x - shown / 2;
    if (network.bounds.w + 2 * room <= shown)
        return {QPointF(middle, top), scale};
    double best = middle;
    double most = -1;
    const auto consider = [&](double left) {
        left = std::clamp(left, double(network.bounds.x) - room,
                          network.bounds.right() + room - shown);
        const Rect area{float(left), float(top), float(shown), float(view.height() / scale)};
        const double seen = shownOf(network, area);
        if (seen > most * 1.001) {
            most = seen;
            best = left;
        }
    };
    const std::size_t count = std::min(network.boxes.size(), mostLooked);
    for (std::size_t i = 0; i < count; ++i) {
        const Rect& box = network.boxes[i]->rect;
        if (box.y > top + view.height() / scale)
            continue;
        consider(box.center().x - shown / 2);
        consider(box.x - room);
        consider(box.right() + room - shown);
    }
    return {QPointF(best, top), scale};
}

// Moves a view of the network towards the parts beside it, as long as no part of the network leaves
// the view. Shows the whole picture instead if that is hardly smaller.
Camera withAside(Camera camera, const Network& network, const Scene& scene, QSizeF view)
{
    const double room = margin / camera.scale;
    const double shown = view.width() / camera.scale;
    const double wanted = scene.bounds.right() + room - shown;
    const double most = network.bounds.x - room;
    camera.origin.setX(std::max(camera.origin.x(), std::min(wanted, most)));
    const Rect aside = network.aside.value_or(network.bounds);
    if (camera.sceneArea(view).contains(QRectF(aside.x, aside.y, aside.w, aside.h)))
        return camera;
    const Camera whole = fitted(scene.bounds, view, largestFirst);
    const bool isHardlySmaller =
        whole.scale >= std::max(camera.scale * mostForAside, smallestWhole);
    return isHardlySmaller ? whole : camera;
}

// Tells whether a view shows the whole width of the network.
bool showsWidth(const Network& network, const Camera& camera, QSizeF view)
{
    return camera.origin.x() <= network.bounds.x &&
           camera.origin.x() + view.width() / camera.scale >= network.bounds.right();
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
    if (whole.scale >= smallestFirst || scene.boxes.empty())
        return whole;
    const Network network = networkOf(scene);
    if (network.boxes.empty())
        return whole;
    const Camera alone = fitted(network.bounds, view, largestFirst);
    if (network.aside && alone.scale >= smallestFirst)
        return withAside(alone, network, scene, view);
    const Rect ends = endsOf(scene);
    const Camera path = fitted(ends, view, 1.0);
    if (ends.w > 0 && path.scale >= smallestFirst && showsWidth(network, path, view))
        return withAside(path, network, scene, view);
    // Small boxes are better than a network that is cut on two or three sides.
    if (alone.scale >= smallestNamed(scene))
        return withAside(alone, network, scene, view);
    if (ends.w > 0 && path.scale >= smallestWhole && alone.scale * mostBeyond >= path.scale)
        return path;
    return begun(network, view);
}

Camera within(Camera camera, const Rect& bounds, QSizeF view)
{
    const double room = margin / camera.scale;
    const auto held = [room](double at, double low, double high, double shown) {
        const double spare = shown - (high - low);
        const double gap = spare < 0 ? room : std::min(room, spare / 2);
        const double first = low - gap;
        const double last = high + gap - shown;
        return std::clamp(at, std::min(first, last), std::max(first, last));
    };
    camera.origin = {
        held(camera.origin.x(), bounds.x, bounds.right(), view.width() / camera.scale),
        held(camera.origin.y(), bounds.y, bounds.bottom(), view.height() / camera.scale)};
    return camera;
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

int mostStickyHeaders(double viewHeight)
{
    return 1 + int(viewHeight / 4 / stickyHeaderHeight);
}

Camera revealingBox(Camera camera, const SceneBox& box, QSizeF view, double margin)
{
    const int headers = std::min(int(box.depth), mostStickyHeaders(view.height()));
    const auto above = float(headers * stickyHeaderHeight / camera.scale);
    const Rect& rect = box.rect;
    return revealing(camera, {rect.x, rect.y - above, rect.w, rect.h + above}, view, margin);
}

Camera between(const Camera& a, const Camera& b, double share)
{
    if (share >= 1)
        return b;
    // The zoom changes evenly. The point that both cameras show at the same position stays there.
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

void CameraHistory::startAt(const Camera& camera)
{
    m_cameras.assign(1, camera);
    m_at = 0;
}

} // namespace lapidary
