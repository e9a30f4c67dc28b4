// SPDX-License-Identifier: Apache-2.0
#include "app/window_verbs/render_verb.h"

#include "app/base/drawn_network.h"
#include "app/base/exit_codes.h"
#include "app/cli/interrupt.h"
#include "app/cli/verb_call.h"
#include "app/document/picture/graph_view.h"
#include "graph_model/explore/served_functions.h"
#include "graph_model/graph/function.h"
#include "views/canvas/paint/export_picture.h"
#include "views/theme/text_measure.h"

#include <QGuiApplication>
#include <QRegularExpression>

#include <iostream>

namespace lapidary {
namespace {

struct RenderOptions {
    std::string out;
    std::vector<std::string> expand;
    std::string theme = "light";
    std::string size;
    std::string direction = "down";
    std::string training = "folded";
    bool calls = false;
    bool plumbing = false;
};

void addOptions(VerbCall& call, RenderOptions& options)
{
    call.addFile();
    CLI::App& app = call.options();
    app.add_option("-o,--output", options.out, "the picture to write: .png, .svg or .pdf")
        ->required();
    app.add_option("--expand", options.expand,
                   "a scope to expand, with its parents; may be repeated; all expands every scope")
        ->allow_extra_args(false);
    app.add_option("--theme", options.theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}));
    app.add_option("--size", options.size,
                   "size to fit the picture into, as WIDTHxHEIGHT pixels; default: 100 %");
    app.add_option(
           "--training", options.training,
           "the parts beside the network (losses, gradients, optimizer, ...): folded, each in a "
           "closed box at the side; lane, expanded there; all, drawn within the network")
        ->check(CLI::IsMember({"folded", "lane", "all"}));
    app.add_flag("--calls", options.calls,
                 "draw the graph of the file even if it only calls a function");
    app.add_flag("--plumbing", options.plumbing,
                 "draw the Enter, Merge, Switch and similar nodes of loops and branches");
    app.add_option("--direction", options.direction, "direction of the data flow, down or right")
        ->check(CLI::IsMember({"down", "right"}));
}

// Parses "1600x1000"; the error tells the expected form.
Result<QSize> parseSize(const std::string& text)
{
    if (text.empty())
        return QSize();
    static const QRegularExpression form(QStringLiteral("^(\\d{1,6})[xX\u00D7](\\d{1,6})$"));
    const auto match = form.match(QString::fromStdString(text));
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (!match.hasMatch() || size.isEmpty() || size.width() > longestSide ||
        size.height() > longestSide)
        return Error{ErrorCode::InvalidArgument,
                     "--size " + text + ": give width and height in pixels, at most " +
                         std::to_string(longestSide) + " each, as in 1600x1000"};
    return size;
}

Result<std::set<GroupId>> openGroups(const GraphView& view, const std::vector<std::string>& names)
{
    std::set<GroupId> open = view.firstOpen();
    for (const std::string& name : names) {
        if (name == "all")
            return view.everyGroup();
        const GroupId group = view.tree().find(name);
        if (!group.isValid())
            return Error{ErrorCode::NotFound, "--expand " + name +
                                                  ": there is no scope of that name; outer scopes "
                                                  "come first, as in resnet/block1"};
        open = view.withOpened(view.withVisible(std::move(open), ItemId::of(group)), group);
    }
    return open;
}

SceneOptions sceneOptions(const GraphView& view, const RenderOptions& options, QSize size)
{
    SceneOptions scene;
    scene.direction = options.direction == "right" ? Direction::Right : Direction::Down;
    if (!size.isEmpty())
        scene.aspect = double(size.width()) / size.height();
    return view.withEnds(std::move(scene));
}

GraphViewOptions viewOptions(const RenderOptions& options)
{
    GraphViewOptions view;
    if (options.training == "lane")
        view.training = TrainingView::Lane;
    if (options.training == "all")
        view.training = TrainingView::All;
    view.prepare.loops = !options.plumbing;
    return view;
}

// Returns the graph that does the work if the file's graph only calls it: the network of a
// signature, or the function behind the likely outputs.
GraphEntry servedEntry(const GraphEntry& file, const Job& job)
{
    if (auto network = drawnNetwork(file, job))
        return *std::move(network);
    const std::vector<std::string> functions = servedFunctions(file);
    if (functions.empty())
        return file;
    GraphEntry body;
    body.graph = file.graph->functions()->find(functions.back())->body;
    return body;
}

// Needs a QGuiApplication, for the fonts.
Result<QByteArray> paint(const GraphEntry& file, const RenderOptions& options, QSize size,
                         PictureFileFormat format, const Job& job)
{
    const GraphEntry entry = options.calls ? file : servedEntry(file, job);
    ASSIGN_OR_RETURN(const auto first,
                     makeFirstView(entry, viewOptions(options), measureCanvasText(), job));
    GraphView& view = *first.view;
    ASSIGN_OR_RETURN(const auto open, openGroups(view, options.expand));
    ASSIGN_OR_RETURN(const auto scene, view.build(open, sceneOptions(view, options, size), job));
    return encodePicture(scene, format, {.dark = options.theme == "dark", .size = size});
}

int render(VerbCall& call, const RenderOptions& options, Console& console)
{
    const auto size = parseSize(options.size);
    if (!size)
        return call.wrongUse(size.error().message);
    const auto format = options.out == "-" ? Result<PictureFileFormat>(PictureFileFormat::Png)
                                           : pictureFileFormat(options.out);
    if (!format)
        return call.wrongUse(format.error().message);
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const auto picture = paint(*opened.entry, options, *size, *format, console.job);
    if (!picture && picture.error().code == ErrorCode::NotFound)
        return call.wrongUse(picture.error().message);
    if (!picture)
        return failWith(picture.error(), console);
    return writeResult(options.out, {picture->constData(), std::size_t(picture->size())}, console);
}

} // namespace

int runRender(std::span<const std::string> arguments)
{
    Interrupt interrupt;
    interrupt.start();
    Console console{std::cin, std::cout, std::cerr, Job(interrupt.token())};
    VerbCall call(verbs::render, console);
    RenderOptions options;
    addOptions(call, options);
    if (const auto done = call.parse(arguments))
        return *done;
    // No window is shown, so no display is needed, and the picture is the same with and without
    // one.
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    // The user did not ask for Qt's remarks about the session (fonts, runtime folder).
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    static char name[] = "lapidary";
    char* names[] = {name, nullptr};
    int count = 1;
    const QGuiApplication application(count, names);
    return render(call, options, console);
}

} // namespace lapidary
