// SPDX-License-Identifier: Apache-2.0
#include "app/document/colors/picture_colors.h"

#include "app/document/base/document_work.h"
#include "app/document/colors/data_colors.h"
#include "app/document/colors/delta_colors.h"
#include "app/document/colors/target_colors.h"
#include "app/document/data/data_session.h"
#include "app/document/picture/picture.h"
#include "app/document/profile/delta_session.h"
#include "app/document/profile/profile_session.h"
#include "runner/setup/estimate_cost.h"

#include <utility>

namespace lapidary {

PictureColors::PictureColors(DocumentWork& work, const ColorSources& sources, QObject* parent)
    : QObject(parent)
    , m_picture(sources.picture)
    , m_profile(sources.profile)
    , m_delta(sources.delta)
    , m_target(sources.target)
    , m_data(sources.data)
{
    const auto& [picture, profile, delta, target, data] = sources;
    work.watch(DocumentJob::Coloring, m_job);
    connect(&profile, &ProfileSession::changed, this, &PictureColors::followProfile);
    connect(&profile, &ProfileSession::measured, this, [this] {
        if (!measureOf(m_mode))
            m_mode = ColorMode::Time;
    });
    connect(&delta, &DeltaSession::changed, this, &PictureColors::followDelta);
    connect(&target, &TargetSession::changed, this, &PictureColors::followTarget);
    connect(&data, &DataSession::changed, this, [this] {
        if (m_mode == ColorMode::Data)
            renew();
    });
    connect(&data, &DataSession::opened, this, [this] { m_mode = ColorMode::Data; });
    connect(&data, &DataSession::shownChanged, this, &PictureColors::followData);
    connect(&picture, &Picture::prepared, this, [this] {
        if (m_picture.isReplacing())
            m_classes = {}; // the classes are for items of the other graph
    });
    connect(&picture, &Picture::sceneChanged, this, &PictureColors::rescale);
}

// Called for a new profile, another match of its rows, and its end.
void PictureColors::followProfile()
{
    if (!measureOf(m_mode))
        return;
    if (!m_profile.profile() && m_mode == ColorMode::Time)
        m_mode = ColorMode::OpFamily;
    renew();
}

// Shows the difference between two runs as soon as it is known.
void PictureColors::followDelta()
{
    const bool isShown = m_mode == ColorMode::TwoRuns;
    if (m_delta.delta())
        m_mode = ColorMode::TwoRuns;
    else if (isShown && !m_delta.isBusy())
        m_mode = m_profile.profile() ? ColorMode::Time : ColorMode::OpFamily;
    if (isShown || m_mode == ColorMode::TwoRuns)
        renew();
}

// Shows a target that was just chosen, and leaves the mode when there is none.
void PictureColors::followTarget()
{
    const bool isShown = m_mode == ColorMode::Target;
    if (m_target.target() != nullptr && m_target.target() != m_shownTarget)
        m_mode = ColorMode::Target;
    else if (m_target.target() == nullptr && isShown)
        m_mode = ColorMode::OpFamily;
    m_shownTarget = m_target.target();
    if (isShown || m_mode == ColorMode::Target)
        renew();
}

// Shows numbers that were just chosen.
void PictureColors::followData()
{
    const bool isShown = m_mode == ColorMode::Data;
    const bool isWanted = m_data.isShowing();
    if (isWanted)
        m_mode = ColorMode::Data;
    else if (isShown)
        m_mode = ColorMode::OpFamily;
    if (isShown || isWanted)
        renew();
}

void PictureColors::setMode(ColorMode mode)
{
    m_mode = mode;
    renew();
}

void PictureColors::renew()
{
    if (!m_picture.view())
        return;
    if (const auto measure = measureOf(m_mode))
        return renewOverlay(*measure);
    if (m_mode == ColorMode::Target)
        return renewTarget();
    if (m_mode == ColorMode::TwoRuns)
        return renewDelta();
    if (m_mode == ColorMode::Data)
        return renewData();
    m_job.start(
        [mode = m_mode, preparation = m_picture.preparation(),
         shapes = m_picture.shapes()](const Job& job) -> Result<ColorClasses> {
            return colorClasses(mode, *preparation, &shapes->inferred, job);
        },
        [this](Result<ColorClasses> classes) {
            if (classes)
                setClasses(*std::move(classes));
        });
}

void PictureColors::renewOverlay(ProfileMeasure measure)
{
    const ProfileSumsPtr sums = m_profile.sums();
    if (!m_profile.profile())
        return renewEstimate(measure);
    if (!sums || &sums->tree() != m_picture.preparation()->sharedTree().get())
        return m_job.cancel(); // the current colors are shown until the rows are matched
    m_job.start(
        [sums, measure, isOfOther = m_profile.isOfOther()](const Job& job) -> Result<ColorClasses> {
            ColorClasses classes;
            classes.coloring = overlayColors(*sums, measure, job);
            classes.measure = measure;
            classes.runs = sums->profile().runs;
            classes.isOfOther = isOfOther;
            return classes;
        },
        [this](Result<ColorClasses> classes) {
            if (classes)
                setClasses(*std::move(classes));
        });
}

// Before any run, sizes give an estimate of each node's work.
void PictureColors::renewEstimate(ProfileMeasure measure)
{
    const GraphShapesPtr shapes = m_picture.shapes();
    if (!shapes)
        return m_job.cancel(); // until they are inferred
    struct Estimated {
        NodeProfilePtr cost;
        ColorClasses classes;
    };
    m_job.start(
        [shapes, preparation = m_picture.preparation(), measure,
         known =
             m_estimatedFor == shapes ? m_estimate : nullptr](const Job& job) -> Result<Estimated> {
            const Graph& graph = preparation->graph();
            Estimated made{.cost = known, .classes = {}};
            if (!made.cost) {
                ASSIGN_OR_RETURN(made.cost, estimateCost(graph, shapes->inferred, job));
            }
            ASSIGN_OR_RETURN(
                const auto sums,
                ProfileSums::make(made.cost, graph, preparation->sharedTree(), "", job));
            made.classes.coloring = overlayColors(*sums, measure, job);
            made.classes.measure = measure;
            return made;
        },
        [this, shapes](Result<Estimated> made) {
            if (!made)
                return;
            m_estimatedFor = shapes;
            m_estimate = std::move(made->cost);
            setClasses(std::move(made->classes));
        });
}

// A graph that is neither of the two has no measurements.
void PictureColors::renewDelta()
{
    const ProfileDeltaPtr delta = m_delta.delta();
    const PreparationPtr preparation = m_picture.preparation();
    const bool isLater = preparation->sharedGraph() == m_delta.graph();
    const bool isKnown = isLater || preparation->sharedGraph() == m_delta.keptGraph();
    m_job.start(
        [delta = isKnown ? delta : nullptr, preparation,
         isLater](const Job&) -> Result<ColorClasses> {
            return delta ? deltaColors(*delta, isLater, *preparation) : ColorClasses();
        },
        [this](Result<ColorClasses> classes) {
            if (classes)
                setClasses(*std::move(classes));
        });
}

void PictureColors::renewTarget()
{
    const TargetReportPtr report = m_target.report();
    const PreparationPtr preparation = m_picture.preparation();
    if (!report || report->graph != preparation->sharedGraph())
        return m_job.cancel(); // the current colors are shown until the graph was checked
    m_job.start(
        [report, preparation](const Job&) -> Result<ColorClasses> {
            return targetColors(*report, *preparation);
        },
        [this](Result<ColorClasses> classes) {
            if (classes)
                setClasses(*std::move(classes));
        });
}

void PictureColors::renewData()
{
    const DataTablePtr table = m_data.table();
    const auto column = m_data.shown();
    const PreparationPtr preparation = m_picture.preparation();
    if (!table || !column || table->graph() != preparation->sharedGraph())
        return m_job.cancel(); // the current colors are shown until the numbers are matched
    m_job.start(
        [table, column, preparation](const Job&) -> Result<ColorClasses> {
            return dataColors(*table, *column, *preparation);
        },
        [this](Result<ColorClasses> classes) {
            if (classes)
                setClasses(*std::move(classes));
        });
}

void PictureColors::setClasses(ColorClasses classes)
{
    m_classes = std::move(classes);
    if (m_picture.scene())
        m_classes.coloring = scaledTo(m_classes.coloring, *m_picture.scene());
    emit changed();
}

// Fits the scale to what is drawn now.
void PictureColors::rescale()
{
    if (!m_classes.coloring || !m_classes.coloring->overlay)
        return;
    ColoringPtr scaled = scaledTo(m_classes.coloring, *m_picture.scene());
    if (scaled == m_classes.coloring)
        return;
    m_classes.coloring = std::move(scaled);
    emit changed();
}

} // namespace lapidary
