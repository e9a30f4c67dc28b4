// SPDX-License-Identifier: Apache-2.0
// The part of Document that paints it by class or by measured value.
#include "app/document/document.h"

#include <utility>

namespace lapidary {

std::string Document::shownFunction() const
{
    return m_callers.empty() ? std::string() : m_functionTitle.toStdString();
}

bool Document::canProfile() const
{
    return m_file != nullptr && m_graph != nullptr && m_callers.empty() && m_view != nullptr;
}

void Document::runProfile()
{
    if (!canProfile())
        return;
    GraphEntry entry = m_file->graphs[std::size_t(m_entry)];
    entry.graph = m_graph;
    m_profile.run(std::move(entry), m_path.string(), m_interface.choice());
}

// Follows a new profile, another match of its rows, and its end.
void Document::renewProfile()
{
    if (!measureOf(m_colorMode))
        return;
    if (!m_profile.profile())
        m_colorMode = ColorMode::OpFamily;
    computeColors();
}

void Document::setColorMode(ColorMode mode)
{
    m_colorMode = mode;
    computeColors();
}

void Document::computeColors()
{
    if (!m_view)
        return;
    if (const auto measure = measureOf(m_colorMode))
        return computeOverlay(*measure);
    m_colorJob.start(
        [mode = m_colorMode, preparation = preparation(),
         shapes = shapes()](const Job& job) -> Result<ColorClasses> {
            return colorClasses(mode, *preparation, &shapes->inferred, job);
        },
        [this](Result<ColorClasses> classes) {
            if (classes)
                setColors(*std::move(classes));
        });
}

void Document::computeOverlay(ProfileMeasure measure)
{
    const ProfileSumsPtr sums = m_profile.sums();
    if (!sums || &sums->tree() != preparation()->sharedTree().get())
        return m_colorJob.cancel(); // what is shown now stays until the rows are matched
    m_colorJob.start(
        [sums, measure](const Job& job) -> Result<ColorClasses> {
            return ColorClasses{
                overlayColors(*sums, measure, job), {}, measure, sums->profile().runs};
        },
        [this](Result<ColorClasses> classes) {
            if (classes)
                setColors(*std::move(classes));
        });
}

void Document::setColors(ColorClasses colors)
{
    m_colors = std::move(colors);
    if (m_scene)
        m_colors.coloring = scaledTo(m_colors.coloring, *m_scene);
    emit colorsChanged();
}

// Colors span what is drawn now.
void Document::rescaleOverlay()
{
    if (!m_colors.coloring || !m_colors.coloring->overlay)
        return;
    ColoringPtr scaled = scaledTo(m_colors.coloring, *m_scene);
    if (scaled == m_colors.coloring)
        return;
    m_colors.coloring = std::move(scaled);
    emit colorsChanged();
}

} // namespace lapidary
