// SPDX-License-Identifier: Apache-2.0
#include "app/actions/conditions.h"

#include "app/document/document.h"

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

bool hasTab(const ActionContext& context)
{
    return context.document != nullptr;
}

bool hasGraph(const ActionContext& context)
{
    return context.document != nullptr && context.document->graph() != nullptr;
}

bool hasScene(const ActionContext& context)
{
    if (!hasGraph(context))
        return false;
    const Picture& picture = context.document->picture();
    return picture.scene() && picture.view() && picture.view()->graph() == picture.graph();
}

bool hasSelection(const ActionContext& context)
{
    return hasScene(context) && context.document->selection().item().isValid();
}

bool hasNodeSelected(const ActionContext& context)
{
    return hasSelection(context) && context.document->selection().item().isNode();
}

bool hasGroupSelected(const ActionContext& context)
{
    return hasSelection(context) && !context.document->selection().item().isNode();
}

bool hasHits(const ActionContext& context)
{
    return hasScene(context) && !context.document->search().answer().hits.empty();
}

QString pictureObstacle(const ActionContext& context)
{
    if (!hasTab(context))
        return u"Open a model first (Ctrl+O)"_s;
    if (context.document->work().stage() == DocumentStage::Failed)
        return u"Nothing in this file can be shown; see the message in its tab"_s;
    return hasScene(context) ? QString() : u"Wait until the picture is there"_s;
}

} // namespace lapidary
