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
// cannot be done is not added; the error is shown where it was requested.
class DirectEdits : public QObject {
    Q_OBJECT
public:
    explicit DirectEdits(const WindowParts& parts);

    // The state that is shown can be edited: it is not a function's body, and its picture is there.
    bool canEdit() const;
    QString whyNotEdited() const; // and what to do; empty: it can be
    // Does `pass` to the selection with the parameters that need no asking.
    void apply(std::string_view pass, const Parameters& more = {});
    // Asks for the parameters of `pass` first; the selection and `more` are filled in.
    // The field of `parameter` gets the focus.
    void ask(std::string_view pass, const QString& title, const QString& parameter,
             const Parameters& more = {});
    // Asks which variables are to be constants, and where their values come from.
    void askToFreeze();
    bool isBusy() const;

private:
    using Answer = std::function<void(const QString& fault)>; // empty: it was done
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
