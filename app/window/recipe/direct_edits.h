// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "transforms/recipe/recipe.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <string_view>

namespace lapidary {

class FreezeDialog;
struct WindowParts;

// Edits of the selection, each a step of the recipe after the state that is shown. A step that
// fails is not added; the error is shown where the step was requested.
class DirectEdits : public QObject {
    Q_OBJECT
public:
    explicit DirectEdits(const WindowParts& parts);

    // Tells whether the shown state can be edited: it is not the body of a function, and its
    // picture is ready.
    bool canEdit() const;
    QString whyNotEdited() const; // and what to do; empty: it can be edited
    // Applies `pass` to the selection; `more` has its other parameters.
    void apply(std::string_view pass, const Parameters& more = {});
    // Asks for the parameters of `pass` first. Those of the selection and `more` are filled in; the
    // field of `parameter` gets the focus.
    void ask(std::string_view pass, const QString& title, const QString& parameter,
             const Parameters& more = {});
    // Asks which variables to freeze, and for the source of their values.
    void askToFreeze();
    bool isBusy() const;

private:
    using Answer = std::function<void(const QString& fault)>; // empty: success
    RecipeStep stepFor(std::string_view pass, const Parameters& more) const;
    void start(const RecipeStep& step, Answer answer);

    const WindowParts& m_parts;
    QPointer<FreezeDialog> m_freezing;
    LatestJob m_job;
};

// Returns the parameters for passes that edit single nodes: "name" of a node; "scope" of a scope if
// it contains exactly the nodes whose names begin with its path, else the names of all its nodes.
Parameters selectionAsParameters(const Preparation& preparation, ItemId item,
                                 const std::vector<NodeId>& nodes);

} // namespace lapidary
