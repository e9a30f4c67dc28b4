// SPDX-License-Identifier: Apache-2.0
// import_pb_to_tensorboard, as called through a link of that name (spec: tools, section 4).
#include "app/cli/event_output.h"
#include "app/cli/originals/python_graphs.h"
#include "app/cli/tool_list.h"
#include "transforms/attributes/imported_graph.h"

#include <ostream>

namespace lapidary {
namespace {

int runImportPbToTensorboard(std::string_view calledAs, std::span<const std::string> words,
                             Console& console)
{
    std::string model;
    std::string folder;
    PythonFlags flags(calledAs);
    flags.addText("model_dir", model, PythonFlags::Need::Required);
    flags.addText("log_dir", folder, PythonFlags::Need::Required);
    if (const auto done = flags.parse(words, console))
        return *done;
    int exitCode = 0;
    const auto graph = loadForPython(model, true, console, exitCode);
    if (!graph)
        return exitCode;
    const auto imported = importedGraph(*graph, "import", console.job);
    if (!imported)
        return pythonException("ValueError", imported.error().message, console);
    const auto written = writeEvents(**imported, folder);
    if (!written)
        return pythonException("OSError", written.error().message, console);
    console.out << "Model Imported. Visualize by running: tensorboard --logdir=" << folder << '\n';
    return 0;
}

} // namespace

const ReplacedTool tools::importPbToTensorboard{.name = "import_pb_to_tensorboard",
                                                .run = runImportPbToTensorboard};

} // namespace lapidary
