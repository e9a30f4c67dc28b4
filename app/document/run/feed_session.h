// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface_flags.h"
#include "graph_model/tensor/tensor_picture.h"
#include "runner/feeds/text_form.h"
#include "runner/setup/run_plan.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

class InterfaceSession;

// The result of trying to make the value of an input, as a run would.
struct FeedCheck {
    QString says; // "float 1×224×224×3, from 0 to 1", or the error
    bool isWrong = false;
    bool isSizeOpen = false;              // wrong because some sizes are open
    std::optional<TensorPicture> picture; // exactly what is fed, if it is a picture
    QString inTable = {}; // shown in the table of feeds instead of `says`; empty: the same text
};

// One input of the graph and what is fed into it.
struct FedInput {
    ChosenTensor tensor; // as chosen in the interface
    Shape shape;         // as given in the interface, declared or inferred
    std::string words;   // the source: see parseFeedSource()
    TextForm form;       // for an input of texts
    FeedCheck check;     // `says` is empty until the source was tried
};

// The values that runs feed into the chosen inputs of a graph. Inputs without a chosen source are
// fed random numbers, empty strings, or the value for inference. Every source is tried in the
// background, so that wrong ones are known before a run.
class FeedSession : public QObject {
    Q_OBJECT
public:
    static constexpr const char* usualWords = "random:1";

    explicit FeedSession(InterfaceSession& interface, QObject* parent = nullptr);

    const std::vector<FedInput>& inputs() const { return m_inputs; }
    void setWords(const std::string& tensor, const std::string& words);
    void setShape(const std::string& tensor, const Shape& shape); // of the input in the interface
    void reset();                                                 // random numbers everywhere
    // Takes the sources and shapes of a plan; its inputs and outputs are marked in the interface if
    // they are not chosen.
    void take(const RunPlan& plan);

    // Named sets of sources and sizes. Keeping a set replaces the one of that name; using a set
    // does not choose inputs that it names and that are not chosen.
    void keepSet(const std::string& name);
    bool useSet(const std::string& name); // returns whether there is such a set
    void forgetSet(const std::string& name);
    std::vector<std::string> setNames() const;
    // Returns the name of the set that equals the current sources and sizes; empty: none.
    std::string currentSet() const;

    RunPlan plan() const;              // with every input's source and shape, for this machine
    const FedInput* openInput() const; // the first one whose sizes are not known; null: none
    // Returns the fault of the first wrong input, with its name; empty: none is known.
    QString fault() const;
    std::uint64_t version() const { return m_version; } // changes whenever plan() changes
    bool isChecking() const { return m_job.isRunning(); }

    nlohmann::json remembered() const;
    void restore(const nlohmann::json& state);
    void renew(); // called when the interface has other inputs

signals:
    void changed();
    void busyChanged();

private:
    // The feeds of one set, by tensor: the source, and the size as text.
    struct Fed {
        std::string words;
        std::string shape;
        bool operator==(const Fed&) const = default;
    };
    using FeedSet = std::map<std::string, Fed>;
    FeedSet fedNow() const;
    nlohmann::json rememberedSets() const;
    void restoreSets(const nlohmann::json& state);
    FedInput fedInput(ChosenTensor input) const;
    void check();

    InterfaceSession& m_interface;
    // Sources by tensor; also those of inputs that are not chosen.
    std::map<std::string, std::string> m_words;
    std::map<std::string, FeedSet> m_sets;
    std::vector<FedInput> m_inputs;
    std::uint64_t m_version = 1;
    LatestJob m_job;
};

} // namespace lapidary
