// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/detections.h"
#include "graph_model/tensor/slice.h"
#include "graph_model/tensor/spectrogram.h"
#include "graph_model/tensor/tensor_picture.h"
#include "graph_model/tensor/top_elements.h"
#include "graph_model/tensor/waveform.h"
#include "views/models/tensor_report.h"

#include <QString>

#include <optional>
#include <vector>

namespace lapidary {

// The form in which a value is shown beside its figures.
enum class ValueView { Picture, Bars, HeatMap, Table, Wave, Boxes };

// The user's choice of how a value is shown.
struct ValueChoice {
    std::optional<ValueView> view;   // none: the usual view of such a value
    std::optional<PictureMode> mode; // none: color if there are three channels
    PictureScale scale = PictureScale::Common;
    std::int64_t picture = 0;         // index in the batch
    std::optional<TensorSlice> slice; // none: the last two axes
    DetectionChoice boxes = {};

    bool operator==(const ValueChoice&) const = default;
};

// The context of a value that may be boxes of a detector.
struct DetectionContext {
    // The tensor's name mentions boxes: they are the default view.
    bool isNamedSo = false;
    // Its shape and the tensors beside it suggest boxes: they are the default view if any are
    // found.
    bool isShapedSo = false;
    bool mayBeChosen = false; // it is an output of a model that is fed a picture
    std::optional<Tensor> scores;
    std::optional<Tensor> classes;
    int pictureWidth = 0; // of the picture that is fed; 0: not known
    int pictureHeight = 0;
    BoxOrder usualOrder = BoxOrder::TopLeftBottomRight; // used if the numbers fit several orders
};

// Everything that is shown of one value.
struct ValueReport {
    Tensor tensor;
    TensorReport figures;
    std::vector<ValueView> views; // views that suit the value; Table is always among them
    ValueView view = ValueView::Table;
    std::optional<TensorPicture> picture;
    PictureMode mode = PictureMode::Channels;
    std::vector<TopElement> best; // the largest class scores
    Waveform wave;
    Spectrogram spectrogram; // shown below the waveform
    Detections found;
    QString fault; // the reason why there are no boxes
    TensorSlice slice;
    std::optional<Tensor> table; // the slice; none if it is the tensor itself
};

// Returns the views that suit a tensor: pictures by its shape, bars for one vector of up to 100 000
// real numbers, waveforms for many samples of few channels, boxes for rows of four numbers and for
// packed ones, heat maps for more than one number.
std::vector<ValueView> viewsOf(const Tensor& tensor);

// Computes the figures of a value and the content of its view. A waveform without a negative number
// is not the default view. A choice that does not suit the tensor is ignored. The time grows with
// the tensor's size.
Result<ValueReport> makeValueReport(const Tensor& tensor, const ValueChoice& choice, const Job& job,
                                    const DetectionContext& context = {});

} // namespace lapidary
