// SPDX-License-Identifier: Apache-2.0
#include "app/window/view/strip_follower.h"

#include "app/document/document.h"
#include "views/strip/architecture_strip.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

constexpr double readableScale = 0.6;
constexpr double leastScale = 0.35; // scale down to which a large box is shown as a whole
constexpr double border = 24;       // pixels above and left of a box that is larger than the view

} // namespace

StripFollower::StripFollower(const Document& document, ArchitectureStrip& strip, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_strip(strip)
{
    connect(&document.picture(), &Picture::prepared, this, &StripFollower::renewStages);
    connect(&document.picture(), &Picture::shapesChanged, this, &StripFollower::renewStages);
    connect(&document.search(), &SearchSession::answered, this, &StripFollower::renewMarks);
    connect(&document.search(), &SearchSession::currentChanged, this, &StripFollower::renewMarks);
    connect(&document.colors(), &PictureColors::changed, this, &StripFollower::renewMarks);
    connect(&document.selection(), &ItemSelection::changed, this, &StripFollower::renewCurrent);
    connect(&strip, &ArchitectureStrip::stageActivated, this,
            [this](int stage) { emit chosen(m_strip.stages()->row[std::size_t(stage)].item); });
}

void StripFollower::setDifferences(std::vector<DifferenceCounts> differences)
{
    if (m_differences == differences)
        return;
    m_differences = std::move(differences);
    renewMarks();
}

void StripFollower::renewStages()
{
    if (!m_document.picture().view())
        return;
    m_strip.setStages(m_document.picture().view()->stages());
    renewMarks();
    renewCurrent();
}

void StripFollower::renewMarks()
{
    const StagesPtr& stages = m_strip.stages();
    if (!stages)
        return;
    std::vector<StageMarks> marks(stages->row.size());
    std::vector<NodeId> hits;
    for (const SearchHit& hit : m_document.search().answer().hits)
        hits.push_back(hit.node);
    countHits(marks, *stages, hits, m_document.search().currentNode());
    for (std::size_t s = 0; s < marks.size(); ++s) {
        marks[s].color = colorOfStage(stages->row[s], m_document.colors().classes().coloring);
        if (s < m_differences.size())
            marks[s].differences = m_differences[s];
    }
    m_strip.setMarks(std::move(marks));
}

void StripFollower::renewCurrent()
{
    const PreparationPtr preparation = m_document.picture().preparation();
    if (preparation && m_strip.stages())
        m_strip.setCurrent(m_strip.stages()->find(*preparation, m_document.selection().item()));
}

Camera arrivalAt(const Rect& box, const Camera& from, QSizeF view)
{
    const double whole = fitted(box, view, 1).scale;
    const double readable = std::max(from.scale, readableScale);
    if (whole >= leastScale) {
        const double scale = std::min(whole, readable);
        const QPointF middle(box.center().x, box.center().y);
        return {middle - QPointF(view.width(), view.height()) / 2 / scale, scale};
    }
    const QPointF begin(box.w * readable > view.width()
                            ? box.x - border / readable
                            : box.center().x - view.width() / 2 / readable,
                        box.y - border / readable);
    return {begin, readable};
}

} // namespace lapidary
