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

// The result of making the value of an input, as a run would.
struct FeedCheck {
    QString says; // "float 1×224×224×3, from 0 to 1", or what is wrong
    bool isWrong = false;
    bool isSizeOpen = false;              // wrong because sizes are open that nothing says
    std::optional<TensorPicture> picture; // exactly what is fed, where a picture is
    QString inTable = {}; // what the table of feeds says instead of `says`; empty: the same
};

// One input of the graph and what is fed into it.
struct FedInput {
    ChosenTensor tensor; // as chosen in the interface
    Shape shape;         // as given there, declared or inferred
    std::string words;   // of the source: see parseFeedSource()
    TextForm form;       // of an input of texts
    FeedCheck check;     // `says` is empty until it is known
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
    void setShape(const std::string& tensor, const Shape& shape); // in the interface
    void reset();                                                 // random numbers everywhere
    // Takes sources and shapes of a plan; its other inputs and outputs are marked in the interface.
    void take(const RunPlan& plan);

    // Sets of sources and sizes under a name. Keeping one again replaces it; using one that names
    // other inputs than the chosen ones marks none.
    void keepSet(const std::string& name);
    bool useSet(const std::string& name); // says whether there is one
    void forgetSet(const std::string& name);
    std::vector<std::string> setNames() const;
    std::string currentSet() const; // whose sources and sizes are those of now; empty: none

    RunPlan plan() const;              // with every input's source and shape, for this machine
    const FedInput* openInput() const; // the first one whose sizes nothing says; null: none
    QString fault() const;             // of the first wrong input, naming it; empty: none is known
    std::uint64_t version() const { return m_version; } // another one for each other plan()
    bool isChecking() const { return m_job.isRunning(); }

    nlohmann::json remembered() const;
    void restore(const nlohmann::json& state);
    void renew(); // the interface has other inputs

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
    std::map<std::string, std::string> m_words; // by tensor; of inputs that are not chosen too
    std::map<std::string, FeedSet> m_sets;
    std::vector<FedInput> m_inputs;
    std::uint64_t m_version = 1;
    LatestJob m_job;
};

} // namespace lapidary
