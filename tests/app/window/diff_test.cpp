// SPDX-License-Identifier: Apache-2.0
#include "app/document/diff/diff_session.h"
#include "app/document/document.h"
#include "graph_model/read/model_file.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/shared_data.h"
#include "transforms/recipe/presets.h"
#include "transforms/recipe/run_recipe.h"
#include "views/models/diff/difference_model.h"
#include "views/theme/text_measure.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <set>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

struct Pair {
    QTemporaryDir folder;
    QThreadPool pool;
    std::unique_ptr<Document> before;
    std::unique_ptr<Document> after;
    std::unique_ptr<DiffSession> session;

    Pair(const GraphPtr& left, const GraphPtr& right)
    {
        pool.setMaxThreadCount(1);
        before = open("before.pb", left);
        after = open("after.pb", right);
        session = std::make_unique<DiffSession>(*before, *after);
        settle();
        REQUIRE(session->list());
    }
    std::unique_ptr<Document> open(const char* name, const GraphPtr& graph)
    {
        const auto path = std::filesystem::path(folder.path().toStdString()) / name;
        REQUIRE(writeFileAtomically(path, encodeGraphDef(*graph)).ok());
        auto document = std::make_unique<Document>(
            DocumentContext{.layoutPool = &pool, .measure = measureCanvasText()});
        document->file().open(path);
        return document;
    }
    void settle() const
    {
        const auto isDone = [&] {
            return !before->work().isBusy() && !after->work().isBusy() &&
                   !(session && session->isBusy()) &&
                   before->work().stage() == DocumentStage::Shown &&
                   after->work().stage() == DocumentStage::Shown;
        };
        REQUIRE(QTest::qWaitFor(isDone, 60'000));
    }
};

GraphPtr original()
{
    return graph(R"(x = Placeholder()
                    net/a/one = Relu(x)
                    net/a/two = Relu(net/a/one)
                    net/b/one = Sigmoid(net/a/two)
                    net/b/two = Sigmoid(net/b/one)
                    y = Softmax(net/b/two))");
}

GraphPtr changed()
{
    return graph(R"(x = Placeholder()
                    net/a/one = Relu(x)
                    net/b/one = Sigmoid(net/a/one)
                    net/b/extra = Tanh(net/b/one)
                    net/b/two = Sigmoid(net/b/extra)
                    y = Softmax(net/b/two))");
}

std::uint32_t total(const DifferenceMarks& marks)
{
    std::uint32_t sum = 0;
    for (const auto& [item, counts] : marks)
        sum += counts.added + counts.removed + counts.changed + counts.renamed;
    return sum;
}

std::uint32_t onSide(const DifferenceList& list, bool isBefore)
{
    return std::uint32_t(std::ranges::count_if(list.steps, [&](const Difference& step) {
        return (isBefore ? step.before : step.after).isValid();
    }));
}

} // namespace

TEST_CASE("every difference counts on one box of its side, open or closed", "[diff]")
{
    const Pair pair(original(), changed());
    const DifferenceList& list = *pair.session->list();
    CHECK(list.steps.size() == 4); // two, b/one, extra, b/two
    for (const bool isOpen : {false, true}) {
        isOpen ? pair.before->scopes().expandAll() : pair.before->scopes().collapseAll();
        pair.settle();
        for (const bool isBefore : {true, false}) {
            REQUIRE(pair.session->marks(isBefore));
            CHECK(total(*pair.session->marks(isBefore)) == onSide(list, isBefore));
        }
    }
    const ItemId extra = ItemId::of(pair.after->graph()->find("net/b/extra"));
    REQUIRE(pair.session->marks(false)->contains(extra));
    CHECK(pair.session->marks(false)->at(extra) == DifferenceCounts{.added = 1});
}

TEST_CASE("stepping visits every shown difference once and goes round", "[diff]")
{
    const Pair pair(original(), changed());
    DiffSession& session = *pair.session;
    std::set<int> seen;
    for (int i = 0; i < session.shownCount(); ++i) {
        session.step(1);
        CHECK(seen.insert(session.current()).second);
    }
    CHECK(seen.size() == session.list()->steps.size());
    session.step(1);
    CHECK(session.current() == 0);
    session.step(-1);
    CHECK(session.current() == int(session.list()->steps.size()) - 1);
    session.setShownKinds(1U << int(DifferenceKind::Added));
    CHECK(session.shownCount() == 1);
    session.step(1);
    CHECK(session.list()->steps[std::size_t(session.current())].name == "net/b/extra");
    session.setShownKinds(0);
    const int at = session.current();
    session.step(1);
    CHECK(session.current() == at);
}

TEST_CASE("all that quantizing did to Inception v3 is stepped through, each once", "[diff]")
{
    const auto read = [](const char* name) -> GraphPtr {
        const auto model = readModel(sharedData() / name, Job(), ReadOptions{.check = false});
        return model && !model.value().graphs.empty() ? model.value().graphs.front().graph
                                                      : nullptr;
    };
    const GraphPtr before = read("models/made/inception_v3_2015.pb");
    const GraphPtr after = read("models/quantised/inception_v3_2015_8bit.pb");
    if (!before || !after) {
        WARN("skipped: the models are not there");
        return;
    }
    const Pair pair(before, after);
    DiffSession& session = *pair.session;
    std::set<std::pair<NodeId, NodeId>> seen; // before and after; none: differences of the graph
    for (int i = 0; i < session.shownCount(); ++i) {
        session.step(1);
        const Difference& step = session.list()->steps[std::size_t(session.current())];
        CHECK(seen.insert({step.before, step.after}).second);
    }
    std::vector<int> stops; // one step of each change
    for (std::size_t i = 0; i < session.list()->steps.size(); ++i)
        if (session.list()->isStop(i))
            stops.push_back(int(i));
    CHECK(seen.size() == stops.size());
    CHECK(stops.size() == session.list()->story.changes.size());
    CHECK(stops.size() > 300);
    session.step(1);
    CHECK(session.current() == stops.front()); // around the end
}

TEST_CASE("ResNet beside its 8-bit state is one sentence and at most 200 rows", "[diff]")
{
    const auto model =
        readModel(sharedData() / "models/made/resnet_v1_50.pb", Job(), ReadOptions{.check = false});
    if (!model || model->graphs.empty()) {
        WARN("skipped: the model is not there");
        return;
    }
    const GraphEntry& entry = model->graphs.front();
    const auto fitted = fitPreset(*findPreset("arm-8bit"), entry, {}, {}, Job());
    REQUIRE(fitted.ok());
    const RecipeRun run =
        runRecipe(entry.graph, fitted->recipe, fitted->inputs, fitted->outputs, Job());
    REQUIRE(run.ok());
    const auto list = listDifferences(entry.graph, run.result(entry.graph), Job());
    REQUIRE(list.ok());
    CHECK((*list)->steps.size() > 1000);
    CHECK((*list)->story.summary.starts_with("54 Conv2D quantized, 53 batch norms folded, "));
    DifferenceModel rows;
    rows.setList(*list);
    CHECK(rows.rowCount() <= 200);
    CHECK(rows.index(0, DifferenceModel::OpColumn).data().toString() ==
          QStringLiteral("Conv2D \u2192 QuantizedConv2D"));
}

TEST_CASE("both sides have one selection and the same scopes open", "[diff]")
{
    const Pair pair(original(), changed());
    pair.before->scopes().collapseAll();
    pair.settle();
    const GroupId there = pair.after->picture().preparation()->tree().find("net");
    REQUIRE(there.isValid());
    CHECK(!pair.after->picture().openGroups().contains(there));
    pair.before->scopes().expandAll();
    pair.settle();
    CHECK(pair.after->picture().openGroups().contains(there));
    pair.before->selection().select(ItemId::of(pair.before->graph()->find("net/b/two")));
    pair.settle();
    CHECK(pair.after->selection().item() == ItemId::of(pair.after->graph()->find("net/b/two")));
    pair.before->selection().select(ItemId::of(pair.before->graph()->find("net/a/two")));
    CHECK(!pair.after->selection().item().isValid()); // that graph does not have it
    pair.after->selection().select(ItemId::of(there));
    CHECK(pair.before->selection().item() ==
          ItemId::of(pair.before->picture().preparation()->tree().find("net")));
    pair.session->setLeadsBefore(false);
    pair.after->scopes().collapseAll();
    pair.settle();
    CHECK(pair.before->picture().openGroups().empty());
}

TEST_CASE("places of one picture lie beside the same boxes in the other", "[diff]")
{
    const Pair pair(original(), changed());
    pair.before->scopes().expandAll();
    pair.settle();
    const SceneLink& link = pair.session->link();
    REQUIRE(!link.isEmpty());
    const auto center = [](const Document& document, const char* name) {
        const ItemId item = ItemId::of(document.graph()->find(name));
        const Point c = document.picture()
                            .scene()
                            ->boxes[document.picture().scene()->boxOf.at(item)]
                            .rect.center();
        return QPointF(c.x, c.y);
    };
    for (const char* name : {"net/a/one", "net/b/two", "y"}) {
        const QPointF way =
            link.mapped(center(*pair.before, name), true) - center(*pair.after, name);
        CHECK(std::abs(way.x()) < 40);
        CHECK(std::abs(way.y()) < 40);
        const QPointF back =
            link.mapped(center(*pair.after, name), false) - center(*pair.before, name);
        CHECK(std::abs(back.y()) < 40);
    }
    CHECK(SceneLink().mapped({3, 4}, true) == QPointF(3, 4));
}
