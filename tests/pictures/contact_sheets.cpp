// SPDX-License-Identifier: Apache-2.0
// Pictures of many models for review: sheets of small pictures, collapsed and with the largest
// group open, and each one large if asked for. Prints faults of a picture that a program can find,
// and neighbors that look the same.
//     contact_sheets [--dark] [--all] [--full] OUT FILE...
#include "app/document/picture/graph_view.h"
#include "graph_model/read/model_file.h"
#include "views/canvas/paint/export_picture.h"
#include "views/layout/scene_json.h"
#include "views/theme/text_measure.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace lapidary;

namespace {

constexpr QSize tile(640, 400);
constexpr int caption = 20;
constexpr int columns = 3;
constexpr int rows = 3;

struct Wanted {
    std::filesystem::path out;
    std::vector<std::string> files;
    bool isDark = false;
    bool all = false;  // adds a third picture of each graph, with every group open
    bool full = false; // also writes a file of each picture, at 1600x1000
};

class Sheets {
public:
    Sheets(const Wanted& wanted, QString name)
        : m_wanted(wanted)
        , m_name(std::move(name))
    {
    }

    void add(const QImage& picture, const QString& text)
    {
        if (m_count % (columns * rows) == 0)
            m_sheet = blank();
        const int place = m_count++ % (columns * rows);
        const QPoint at(place % columns * tile.width(),
                        place / columns * (tile.height() + caption));
        QPainter painter(&m_sheet);
        painter.setPen(Qt::gray);
        painter.drawImage(at + QPoint(0, caption), picture);
        painter.drawText(QRect(at, QSize(tile.width(), caption)), Qt::AlignVCenter, text);
        painter.drawRect(QRect(at, tile + QSize(-1, caption - 1)));
        painter.end();
        if (place + 1 == columns * rows)
            save();
    }

    void save()
    {
        if (m_sheet.isNull())
            return;
        const QString file =
            QStringLiteral("%1-%2.png").arg(m_name).arg(++m_saved, 2, 10, QLatin1Char('0'));
        if (!m_sheet.save(QString::fromStdString((m_wanted.out / file.toStdString()).string())))
            std::fprintf(stderr, "%s cannot be written\n", qUtf8Printable(file));
        m_sheet = {};
    }

private:
    QImage blank() const
    {
        QImage sheet(columns * tile.width(), rows * (tile.height() + caption),
                     QImage::Format_RGB32);
        sheet.fill(m_wanted.isDark ? Qt::black : Qt::white);
        return sheet;
    }

    const Wanted& m_wanted;
    QString m_name;
    QImage m_sheet;
    int m_count = 0;
    int m_saved = 0;
};

GroupId largestClosed(const GraphView& view, const std::set<GroupId>& open)
{
    GroupId largest;
    std::uint32_t most = 0;
    for (std::uint32_t i = 1; i < view.tree().size(); ++i) {
        const Group& group = view.tree().group(GroupId{i});
        if (!open.contains(GroupId{i}) && group.nodeCount > most) {
            most = group.nodeCount;
            largest = GroupId{i};
        }
    }
    return largest;
}

class Painter {
public:
    explicit Painter(const Wanted& wanted)
        : m_wanted(wanted)
        , m_closed(wanted, QStringLiteral("closed"))
        , m_largest(wanted, QStringLiteral("largest"))
        , m_all(wanted, QStringLiteral("all"))
    {
    }

    void addFile(const std::string& file)
    {
        const auto model = readModel(file, Job{}, {.check = false});
        if (!model || model->isRefused()) {
            std::printf("%s: no graph: %s\n", file.c_str(), reason(model).c_str());
            return;
        }
        const std::filesystem::path path(file);
        std::string name = path.filename().string();
        for (std::size_t i = 0; i < model->graphs.size(); ++i)
            addGraph(model->graphs[i], i == 0 ? name : name + "#" + std::to_string(i));
    }

    int finish()
    {
        m_closed.save();
        m_largest.save();
        m_all.save();
        std::printf("%d pictures, %d with faults, %d neighbors that look alike\n", m_pictures,
                    m_faulty, m_twins);
        return m_faulty == 0 ? 0 : 1;
    }

private:
    static std::string reason(const Result<ModelFile>& model)
    {
        if (!model)
            return model.error().message;
        const Problems& problems = model->problems;
        return problems.empty() ? "refused" : problems.front().message;
    }

    void addGraph(const GraphEntry& entry, const std::string& name)
    {
        const auto made = makeFirstView(entry, {}, measureCanvasText(), Job{});
        if (!made)
            return;
        GraphView& view = *made->view;
        SceneOptions options;
        options.aspect = double(tile.width()) / tile.height();
        options = view.withEnds(std::move(options));
        const std::set<GroupId> first = view.firstOpen();
        add(m_closed, view, first, options, name);
        if (const GroupId largest = largestClosed(view, first); largest.isValid())
            add(m_largest, view,
                view.withOpened(view.withVisible(first, ItemId::of(largest)), largest), options,
                name + " : " + view.tree().group(largest).path);
        if (m_wanted.all)
            add(m_all, view, view.everyGroup(), options, name + " : all");
    }

    void add(Sheets& sheets, GraphView& view, const std::set<GroupId>& open,
             const SceneOptions& options, const std::string& text)
    {
        const auto scene = view.build(open, options, Job{});
        if (!scene) {
            std::printf("%s: %s\n", text.c_str(), scene.error().message.c_str());
            return;
        }
        ++m_pictures;
        const auto faults = scenePictureFaults(**scene, 5);
        m_faulty += !faults.empty();
        countTwins(**scene, text);
        for (const std::string& fault : faults)
            std::printf("%s: %s\n", text.c_str(), fault.c_str());
        sheets.add(picture(*scene, tile), QString::fromStdString(text));
        if (m_wanted.full)
            save(*scene, text);
    }

    // Returns boxes of one parent that show the same text.
    void countTwins(const Scene& scene, const std::string& text)
    {
        std::set<std::tuple<std::int32_t, std::string, std::string>> faces;
        for (const SceneBox& box : scene.boxes) {
            if (box.kind == BoxKind::Chip || box.kind == BoxKind::Stub ||
                faces.emplace(box.parent, box.title, box.subtitle).second)
                continue;
            ++m_twins;
            std::printf("%s: two neighbors say \"%s\"\n", text.c_str(), box.title.c_str());
        }
    }

    QImage picture(const ScenePtr& scene, QSize size) const
    {
        const auto bytes =
            encodePicture(scene, PictureFileFormat::Png, {.dark = m_wanted.isDark, .size = size});
        return bytes ? QImage::fromData(bytes.value()) : QImage();
    }

    void save(const ScenePtr& scene, std::string name) const
    {
        for (char& c : name)
            if (c == '/' || c == ' ' || c == ':')
                c = '_';
        name.resize(std::min<std::size_t>(name.size(), 120));
        if (!picture(scene, QSize(1600, 1000))
                 .save(QString::fromStdString((m_wanted.out / (name + ".png")).string())))
            std::fprintf(stderr, "%s.png cannot be written\n", name.c_str());
    }

    const Wanted& m_wanted;
    Sheets m_closed;
    Sheets m_largest;
    Sheets m_all;
    int m_pictures = 0;
    int m_faulty = 0;
    int m_twins = 0;
};

Wanted parse(int argc, char** argv)
{
    Wanted wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--dark")
            wanted.isDark = true;
        else if (argument == "--all")
            wanted.all = true;
        else if (argument == "--full")
            wanted.full = true;
        else if (wanted.out.empty())
            wanted.out = argument;
        else
            wanted.files.push_back(argument);
    }
    return wanted;
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    const Wanted wanted = parse(argc, argv);
    if (wanted.files.empty()) {
        std::fprintf(stderr, "contact_sheets [--dark] [--all] [--full] OUT FILE...\n");
        return 2;
    }
    std::error_code fault;
    std::filesystem::create_directories(wanted.out, fault);
    if (fault) {
        std::fprintf(stderr, "%s: %s\n", wanted.out.c_str(), fault.message().c_str());
        return 2;
    }
    Painter painter(wanted);
    for (const std::string& file : wanted.files)
        painter.addFile(file);
    return painter.finish();
}
