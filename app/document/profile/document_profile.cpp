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
    if (!measureOf(m_colourMode))
        return;
    if (!m_profile.profile())
        m_colourMode = ColourMode::OpFamily;
    computeColours();
}

void Document::setColourMode(ColourMode mode)
{
    m_colourMode = mode;
    computeColours();
}

void Document::computeColours()
{
    if (!m_view)
        return;
    if (const auto measure = measureOf(m_colourMode))
        return computeOverlay(*measure);
    m_colourJob.start(
        [mode = m_colourMode, preparation = preparation(),
         shapes = shapes()](const Job& job) -> Result<ColourClasses> {
            return colourClasses(mode, *preparation, &shapes->inferred, job);
        },
        [this](Result<ColourClasses> classes) {
            if (classes)
                setColours(std::move(classes).value());
        });
}

void Document::computeOverlay(ProfileMeasure measure)
{
    const ProfileSumsPtr sums = m_profile.sums();
    if (!sums || &sums->tree() != preparation()->sharedTree().get())
        return m_colourJob.cancel(); // what is shown now stays until the rows are matched
    m_colourJob.start(
        [sums, measure](const Job& job) -> Result<ColourClasses> {
            return ColourClasses{
                overlayColours(*sums, measure, job), {}, measure, sums->profile().runs};
        },
        [this](Result<ColourClasses> classes) {
            if (classes)
                setColours(std::move(classes).value());
        });
}

void Document::setColours(ColourClasses colours)
{
    m_colours = std::move(colours);
    if (m_scene)
        m_colours.colouring = scaledTo(m_colours.colouring, *m_scene);
    emit coloursChanged();
}

// Colours span what is drawn now.
void Document::rescaleOverlay()
{
    if (!m_colours.colouring || !m_colours.colouring->overlay)
        return;
    ColouringPtr scaled = scaledTo(m_colours.colouring, *m_scene);
    if (scaled == m_colours.colouring)
        return;
    m_colours.colouring = std::move(scaled);
    emit coloursChanged();
}

} // namespace lapidary
