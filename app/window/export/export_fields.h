// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface_flags.h"
#include "transforms/export/export_plan.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;

namespace lapidary {

// The initial values of the fields.
struct ExportProposal {
    std::vector<ChosenTensor> inputs;
    std::vector<std::string> outputs;
    QString path; // of the file to write
    bool hasLoops = false;
    bool hasVariables = false;
    QString checkpoint; // the one that belongs to the model; empty: none
    // Returns the type and shape of any tensor of the graph, as far as they are known.
    std::function<ChosenTensor(const std::string& tensor)> describe;
    // Returns the value for inference of an input that is a setting of training; empty for other
    // inputs.
    std::function<std::string(const std::string& tensor)> setting;
};

// The export that the fields describe.
struct ExportWish {
    ExportPlan plan;
    std::string checkpoint; // of the variables; empty: the one that belongs to the model
};

// The fields for what is exported, and how.
class ExportFields : public QWidget {
    Q_OBJECT
public:
    ExportFields(ExportProposal proposal, QWidget* parent);

    // Returns the export that the fields describe. The error names the field, and what to fill in.
    Result<ExportWish> wish() const;
    QString path() const;
    void setPath(const QString& path); // its extension chooses the target
    // Replaces inputs, outputs and sizes.
    void setInterface(const ExportInterface& interface);
    // Returns the chosen inputs, with their shapes as far as they are known.
    std::vector<ChosenTensor> inputs() const;
    // Returns the inputs whose fields leave a size open.
    std::vector<std::string> openInputs() const;
    // Fills in sizes if the field leaves some open, and marks them as proposed.
    void propose(const std::string& input, const Shape& shape);
    // Moves the focus to the size of an input; false if it has no field.
    bool focusSize(const std::string& input);
    void focusFirst();

signals:
    void inputsListed(); // the fields for sizes were made again

private:
    // The field for the sizes of an input, or for the constant that replaces a placeholder.
    struct InputRow {
        std::string tensor;
        QLineEdit* field;
        bool isValue;
        ChosenTensor known;

        bool isOpen() const;
    };

    QComboBox* addChoice(const QString& name, const QString& label, const QStringList& choices);
    QLineEdit* addLine(const QString& name, const QString& label, const QString& hint);
    QLineEdit* addPath(const QString& name, const QString& label, const QString& hint,
                       std::function<void()> browse);
    QWidget* buildPixels();
    void buildRanges();
    void connectFields();
    void listInputs();
    void addInputRow(const ChosenTensor& tensor);
    void showWhatApplies();
    void followTarget();
    void browsePictures();
    void browseLog();
    void browseFile();

    bool isInt8() const;
    bool isOnnx() const;
    bool takesPictures() const;
    Result<ExportPlan> plan() const;
    Status addInputs(ExportInterface& interface) const;
    Result<RangeSource> ranges() const;

    ExportProposal m_proposal;
    QFormLayout* m_form;
    QComboBox* m_target;
    QLineEdit* m_inputs;
    QLineEdit* m_outputs;
    QComboBox* m_weights;
    QComboBox* m_loops;
    QComboBox* m_source = nullptr;
    QLineEdit* m_pictures = nullptr;
    QLineEdit* m_log = nullptr;
    QWidget* m_pixels = nullptr;
    QLineEdit* m_mean = nullptr;
    QLineEdit* m_std = nullptr;
    QComboBox* m_ends = nullptr;
    QCheckBox* m_reduces = nullptr;
    QLineEdit* m_checkpoint = nullptr;
    QLineEdit* m_path = nullptr;
    std::vector<InputRow> m_rows;
    QString m_listed; // the text of m_inputs that the rows are for
};

} // namespace lapidary
