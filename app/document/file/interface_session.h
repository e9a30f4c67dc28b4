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

// The chosen inputs and outputs of one graph, and the nodes that this choice keeps.
class InterfaceSession : public QObject {
    Q_OBJECT
public:
    explicit InterfaceSession(QObject* parent = nullptr);

    // Sets the guesses and the choice that follows from them; forgets marks made before.
    void setGuess(GraphPtr graph, InterfaceGuess guess);
    void setPreparation(PreparationPtr preparation); // to find the nodes that are kept
    // Sets the shapes for tensors that are marked from now on; may be null.
    void setShapes(GraphShapesPtr shapes);
    // Returns the shapes of chosen inputs that differ from those that the file declares.
    ShapeOptions givenShapes() const;
    // Returns the given shapes for another version of the graph.
    ShapeOptions givenShapes(const Graph& graph) const;
    // Sets another version of the graph. Guesses and choice are kept, under the names that `rename`
    // gives tensors of the original.
    using Rename = std::function<std::vector<std::string>(std::vector<std::string>)>;
    void setShownGraph(GraphPtr graph, const Rename& rename);

    const InterfaceGuess& guess() const { return m_guess; }
    const InterfaceChoice& choice() const { return m_choice; }
    InterfaceChoice originalChoice() const; // with the names of the original
    bool isUserMade() const { return m_isUserMade; }
    // Returns the shape as given or declared, else as inferred.
    Shape shapeOf(const ChosenTensor& tensor) const;
    // Returns the setting of training that an input controls, if it is one.
    std::optional<InputSetting> settingOf(const ChosenTensor& input) const;
    // Returns how the graph reads the texts of an input; plain words if it does not parse
    // them.
    ReadText readTextOf(const ChosenTensor& input) const;

    bool isMarked(InterfaceSide side, NodeId node) const;
    // Marks or unmarks a tensor, "name" or "name:port". Unknown names are ignored.
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
    InterfaceChoice m_likely;                      // restored by reset()
    std::map<std::string, std::string> m_original; // name in the original, by the present name
    bool m_isUserMade = false;
    bool m_isShowingKept = false;
    ItemSetPtr m_keptItems;
    std::int64_t m_keptCount = 0;
    LatestJob m_job;
};

} // namespace lapidary
