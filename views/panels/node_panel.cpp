// SPDX-License-Identifier: Apache-2.0
#include "views/panels/node_panel.h"

#include "graph_model/scopes/local_name.h"
#include "views/models/display_text.h"
#include "views/models/tensor_report.h"
#include "views/panels/base/elided_label.h"
#include "views/panels/base/fact_view.h"
#include "views/panels/tensor_section.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

FactSections joined(FactSections sections, FactSections rest)
{
    std::ranges::move(rest, std::back_inserter(sections));
    return sections;
}

} // namespace

NodePanel::NodePanel(QWidget* parent)
    : QWidget(parent)
    , m_name(new ElidedLabel)
    , m_op(new ElidedLabel)
    , m_edit(new QToolButton)
    , m_head(new QWidget(this))
    , m_empty(new QLabel(
          u"Once a graph is open, this panel describes the selected node or scope."_s, this))
    , m_facts(new FactView(this))
    , m_tensor(new TensorSection(this))
{
    setObjectName(u"nodePanel"_s);
    m_name->setObjectName(u"nodeName"_s);
    m_name->setBold(true);
    m_op->setObjectName(u"nodeOp"_s);
    m_op->setMuted(true);
    m_op->setAlignment(Qt::AlignRight);
    m_empty->setObjectName(u"nodeEmpty"_s);
    m_empty->setProperty("muted", true);
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(12, 12, 12, 12);
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(12, 8, 12, 6);
    // The op gets the space that the name leaves.
    m_op->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    head->addWidget(m_name);
    head->addWidget(m_op, 1);
    head->addWidget(m_edit);
    m_edit->setObjectName(u"nodeEdit"_s);
    m_edit->setText(u"Edit"_s);
    m_edit->setToolTip(u"Edits of the selection, as steps of the recipe"_s);
    m_edit->setAutoRaise(true);
    m_edit->setPopupMode(QToolButton::InstantPopup);
    m_edit->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_empty);
    column->addWidget(m_facts, 1);
    column->addWidget(m_tensor);
    connect(m_facts, &FactView::linkActivated, this, &NodePanel::linkActivated);
    showItem({}, {});
}

void NodePanel::setEditActions(const QList<QAction*>& actions)
{
    auto* menu = new QMenu(m_edit);
    menu->setObjectName(u"nodeEditMenu"_s);
    menu->addActions(actions);
    m_edit->setMenu(menu);
    m_edit->setVisible(!actions.isEmpty());
}

void NodePanel::showItem(const PreparationPtr& preparation, ItemId item,
                         const InferredShapes* shapes, bool hasCheckpoint, FactSections measured,
                         FactSections lineage)
{
    const bool hasGraph = preparation != nullptr;
    m_head->setVisible(hasGraph);
    m_facts->setVisible(hasGraph);
    m_empty->setVisible(!hasGraph);
    static_cast<QVBoxLayout*>(layout())->setAlignment(m_empty, Qt::AlignTop);
    if (!item.isValid())
        item = ItemId::of(rootGroup);
    if (!hasGraph) {
        m_facts->setSections({});
        m_tensor->setTensors({}, {});
        return;
    }
    m_edit->setVisible(m_edit->menu() != nullptr && item != ItemId::of(rootGroup));
    if (item.isNode()) {
        const Node& node = preparation->graph().node(item.node());
        m_name->setText(
            plainText(localName(preparation->tree(), preparation->graph(), item.node())));
        m_op->setText(plainText(node.op()));
        FactSections facts = nodeFacts(*preparation, item.node(), shapes);
        facts.insert(facts.begin() + 1, std::make_move_iterator(lineage.begin()),
                     std::make_move_iterator(lineage.end()));
        m_facts->setSections(joined(std::move(measured), std::move(facts)));
        m_tensor->setTensors(preparation->sharedGraph(),
                             constantsOf(preparation->graph(), item.node(), hasCheckpoint));
        return;
    }
    const Group& group = preparation->tree().group(item.group());
    m_name->setText(item.group() == rootGroup ? u"Whole graph"_s : plainText(group.name));
    m_op->setText(counted(group.nodeCount, u"node"_s));
    m_facts->setSections(joined(std::move(measured), groupFacts(*preparation, item.group())));
    m_tensor->setTensors({}, {});
}

} // namespace lapidary
