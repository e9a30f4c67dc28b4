// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/picture/graph_view.h"
#include "graph_model/interface/input_setting.h"
#include "graph_model/interface/interface.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/scopes/prepared_scope.h"
#include "runner/feeds/text_form.h"
#include "views/canvas/paint/picture_state.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

enum class InterfaceSide { Inputs, Outputs };

// The chosen inputs and outputs of one graph, and what that choice keeps.
class InterfaceSession : public QObject {
    Q_OBJECT
public:
    explicit InterfaceSession(QObject* parent = nullptr);

    // Guesses and the choice that follows from them; forgets marks made before.
    void setGuess(GraphPtr graph, InterfaceGuess guess);
    void setPreparation(PreparationPtr preparation); // for what is kept
    void setShapes(GraphShapesPtr shapes);           // for what is marked from now on; may be null
    // The shapes of chosen inputs that say more than the file does.
    ShapeOptions givenShapes() const;
    // Returns the given shapes for another version of the graph.
    ShapeOptions givenShapes(const Graph& graph) const;
    // Another version of the graph: guesses and choice stay, under the names that `rename` gives
    // tensors of the original.
    using Rename = std::function<std::vector<std::string>(std::vector<std::string>)>;
    void setShownGraph(GraphPtr graph, const Rename& rename);

    const InterfaceGuess& guess() const { return m_guess; }
    const InterfaceChoice& choice() const { return m_choice; }
    InterfaceChoice originalChoice() const; // under the names of the original
    bool isUserMade() const { return m_isUserMade; }
    // Returns the shape as given or declared, else as inferred.
    Shape shapeOf(const ChosenTensor& tensor) const;
    // Returns what an input controls, if it is a setting of training.
    std::optional<InputSetting> settingOf(const ChosenTensor& input) const;
    // Returns how the graph interprets the texts of an input; plain words if it does not parse
    // them.
    ReadText readTextOf(const ChosenTensor& input) const;

    bool isMarked(InterfaceSide side, NodeId node) const;
    // "name" or "name:port"; unknown names are ignored.
    void mark(InterfaceSide side, const std::string& tensor, bool isMarked);
    void edit(InterfaceSide side, const ChosenTensor& tensor);
    void reset(); // back to the likely choice

    bool isShowingKept() const { return m_isShowingKept; }
    void setShowKept(bool isOn);
    const ItemSetPtr& keptItems() const { return m_keptItems; } // null: nothing to dim
    std::int64_t keptCount() const { return m_keptCount; }

    nlohmann::json remembered() const;
    void restore(const nlohmann::json& state);

signals:
    void choiceChanged(); // by the user
    void keptChanged();

private:
    std::vector<ChosenTensor>& side(InterfaceSide side)
    {
        return side == InterfaceSide::Inputs ? m_choice.inputs : m_choice.outputs;
    }
    ChosenTensor describe(const std::string& tensor) const;
    std::string originalName(const std::string& tensor) const;
    void renameTensors(const Rename& rename);
    void findNodes();
    void changed();
    void computeKept();

    GraphPtr m_graph;
    PreparationPtr m_preparation;
    GraphShapesPtr m_shapes;
    InterfaceGuess m_guess;
    InterfaceChoice m_choice;
    InterfaceChoice m_likely;                      // what reset() goes back to
    std::map<std::string, std::string> m_original; // name in the original, by the one it has now
    bool m_isUserMade = false;
    bool m_isShowingKept = false;
    ItemSetPtr m_keptItems;
    std::int64_t m_keptCount = 0;
    LatestJob m_job;
};

} // namespace lapidary
