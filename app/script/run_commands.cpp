// SPDX-License-Identifier: Apache-2.0
// The commands of a script that feed graphs and run them.
#include "app/actions/action_set.h"
#include "app/document/document.h"
#include "app/run_line/run_line.h"
#include "app/script/script_driver.h"
#include "app/window/data/data_controller.h"
#include "app/window/main_window.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/recipe/autopilot_controller.h"
#include "app/window/run/lens_controller.h"
#include "app/window/run/picture_controller.h"
#include "app/window/run/run_controller.h"
#include "app/window/run/sensitivity_controller.h"
#include "app/window/run/value_files.h"
#include "graph_model/base/digits.h"
#include "graph_model/write/write_model.h"
#include "runner/profile/chrome_trace.h"
#include "runner/setup/model_interface.h"

#include <algorithm>

namespace lapidary {
namespace {

Error notRun(std::string why)
{
    return {ErrorCode::InvalidArgument, std::move(why)};
}

} // namespace

// Arguments: "line" and a command of lapidary run, "keep" or "use" and the name of a set, or an
// input and the words of its source.
Status ScriptDriver::feed(const Arguments& arguments)
{
    Document* document = m_window.parts().tabs->document();
    if (document == nullptr)
        return notRun("no graph is open");
    if (arguments[0] == "line") {
        ASSIGN_OR_RETURN(const auto plan, parseRunLine(arguments[1]));
        document->feeds().take(plan);
        return Done{};
    }
    if (arguments[0] == "keep") {
        document->feeds().keepSet(arguments[1]);
        return Done{};
    }
    if (arguments[0] == "use")
        return document->feeds().useSet(arguments[1])
                   ? Status(Done{})
                   : notRun("no feeds were kept as " + arguments[1]);
    const std::string tensor = withPort(arguments[0]);
    const auto& inputs = document->feeds().inputs();
    if (std::none_of(inputs.begin(), inputs.end(),
                     [&](const FedInput& input) { return input.tensor.tensor == tensor; }))
        return notRun(tensor + " is not one of the chosen inputs");
    document->feeds().setWords(tensor, arguments[1]);
    return Done{};
}

// Runs to a node, or to the first output.
Status ScriptDriver::run(const Arguments& arguments)
{
    if (arguments.empty())
        return action({"run.outputs"});
    RETURN_IF_ERROR(select(arguments));
    m_window.parts().actions->refresh();
    return action({"run.here"});
}

// Writes the value that is shown.
Status ScriptDriver::value(const Arguments& arguments)
{
    const auto& report = m_window.parts().runs->report();
    if (!report)
        return notRun("no value is shown");
    ASSIGN_OR_RETURN(const auto bytes,
                     valueBytes(*report, QString::fromStdString(arguments[0]), Job()));
    return writeFileAtomically(arguments[0], bytes);
}

// Arguments: a folder of pictures, the file of labels, and that of the true classes.
Status ScriptDriver::evaluate(const Arguments& arguments)
{
    PictureController* pictures = m_window.parts().pictures;
    if (!pictures->canRun())
        return notRun("no graph that can be run is open");
    PictureFolder folder{.images = arguments[0], .labels = {}, .truth = {}};
    if (arguments.size() > 1)
        folder.labels = arguments[1];
    if (arguments.size() > 2)
        folder.truth = arguments[2];
    pictures->setFolder(folder);
    pictures->evaluate();
    return Done{};
}

// Arguments: a folder of pictures, and the log of ranges to write.
Status ScriptDriver::observe(const Arguments& arguments)
{
    PictureController* pictures = m_window.parts().pictures;
    if (!pictures->canRun())
        return notRun("no graph that can be run is open");
    PictureFolder folder = m_window.parts().tabs->document()->pictures().choice().folder;
    folder.images = arguments[0];
    pictures->setFolder(folder);
    pictures->observe(QString::fromStdString(arguments[1]));
    return Done{};
}

// Arguments: a node that rounds to codes, and the range to try.
Status ScriptDriver::range(const Arguments& arguments)
{
    const auto min = parsedNumber<float>(arguments[1]);
    const auto max = parsedNumber<float>(arguments[2]);
    if (!min || !max)
        return notRun("give the smallest and the largest number of the range");
    return m_window.parts().lens->tryRange(arguments[0], *min, *max);
}

// Arguments of a search: a budget as on the command line, and a loss, both optional; or "look" or
// "use", and the number of a file.
Status ScriptDriver::autopilot(const Arguments& arguments)
{
    AutopilotController* autopilot = m_window.parts().autopilot;
    const bool isSearch = arguments.empty() || (arguments[0] != "look" && arguments[0] != "use");
    if (isSearch) {
        if (!autopilot->canSearch())
            return notRun("no graph that can be run is open");
        AutopilotSession& session = m_window.parts().tabs->document()->autopilot();
        AutopilotChoice choice = session.choice();
        if (!arguments.empty())
            choice.budget = arguments[0] == "smallest" ? "" : arguments[0];
        if (arguments.size() > 1)
            choice.accuracy = arguments[1];
        session.setChoice(std::move(choice));
        autopilot->search();
        return Done{};
    }
    if (!autopilot->canUse())
        return notRun("no file was found");
    if (arguments.size() > 1) {
        const auto point = parsedNumber<std::size_t>(arguments[1]);
        const auto& found = m_window.parts().tabs->document()->autopilot().found();
        if (!point || *point >= found->points.size())
            return notRun("there is no file " + arguments[1] + "; there are " +
                          std::to_string(found->points.size()));
        autopilot->look(*point);
    }
    if (arguments[0] == "use")
        autopilot->use();
    return Done{};
}

// Measures layers, optionally in a form that is named as on the command line.
Status ScriptDriver::sensitivity(const Arguments& arguments)
{
    SensitivityController* sensitivity = m_window.parts().sensitivity;
    if (!sensitivity->canRun())
        return notRun("no graph that can be run is open");
    if (!arguments.empty()) {
        const auto form = formNamed(arguments[0]);
        if (!form)
            return notRun("a form is pt8, pc8, pt16 or pc16, not " + arguments[0]);
        sensitivity->setForm(*form);
    }
    sensitivity->measure();
    return Done{};
}

// Writes the last measured run for Perfetto.
Status ScriptDriver::trace(const Arguments& arguments)
{
    const Document* document = m_window.parts().tabs->document();
    if (document == nullptr || !document->profile().profile())
        return notRun("nothing was measured; run and profile the graph first");
    return writeFileAtomically(arguments[0],
                               encodeChromeTrace(stepRecords(*document->profile().profile())));
}

// Opens a file of node data for the shown graph.
Status ScriptDriver::openData(const Arguments& arguments)
{
    if (m_window.parts().tabs->document() == nullptr)
        return notRun("no graph is open");
    m_window.parts().data->open(QString::fromStdString(arguments[0]));
    return Done{};
}

// Arguments: a node or scope, and the text of its note; an empty text removes the note.
Status ScriptDriver::note(const Arguments& arguments)
{
    ASSIGN_OR_RETURN(const auto found, item(arguments[0]));
    const Document& document = *m_window.parts().tabs->document();
    const std::string name =
        found.isNode() ? std::string(document.graph()->node(found.node()).name())
                       : document.picture().preparation()->tree().group(found.group()).path;
    document.notes().setText({!found.isNode(), name}, arguments[1]);
    return Done{};
}

} // namespace lapidary
