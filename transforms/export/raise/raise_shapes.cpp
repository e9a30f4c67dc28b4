// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/raise/raise_portable.h"

#include <array>

namespace lapidary {
namespace {

using Kind = PortableKind;

class ShapeRaising {
public:
    ShapeRaising(Raising& raising, const PortableOperation& operation)
        : m_r(raising)
        , m_o(operation)
        , m_p(operation.parameters)
    {
    }

    void raise()
    {
        switch (m_o.kind) {
        case Kind::Reshape: reshape(); break;
        case Kind::Transpose: listed("Transpose", "Tperm", m_p.axes); break;
        case Kind::Tile: listed("Tile", "Tmultiples", m_p.sizes); break;
        case Kind::Reverse: listed("ReverseV2", "Tidx", m_p.axes); break;
        case Kind::Concat:
        case Kind::Pack: join(); break;
        case Kind::Split: split(); break;
        case Kind::Unpack: unpack(); break;
        case Kind::Pad:
        case Kind::MirrorPad: pad(); break;
        case Kind::StridedSlice: slice(); break;
        case Kind::Gather:
        case Kind::GatherNd: gather(); break;
        case Kind::ArgMax:
        case Kind::ArgMin: findPlace(); break;
        case Kind::ResizeBilinear:
        case Kind::ResizeNearest: resize(); break;
        case Kind::SpaceToDepth:
        case Kind::DepthToSpace: depth(); break;
        case Kind::SpaceToBatch:
        case Kind::BatchToSpace: batch(); break;
        case Kind::OneHot: oneHot(); break;
        case Kind::TopK: topK(); break;
        case Kind::CumSum: cumSum(); break;
        case Kind::UpdateRow: updateRow(); break;
        case Kind::Fill: fill(); break;
        case Kind::NonMaxSuppression: suppress(); break;
        case Kind::DetectionPostProcess: detect(); break;
        case Kind::RandomNormal: random("RandomStandardNormal"); break;
        case Kind::RandomUniform: random("RandomUniform"); break;
        case Kind::Range: range(); break;
        case Kind::Shape: shape(); break;
        default: reverseSequence(); break;
        }
    }

private:
    DType type() const { return m_r.tensor(m_o.inputs[0]).dtype; }

    NodeDraft& make(std::string op, std::vector<std::string> inputs)
    {
        NodeDraft& draft = m_r.make(m_o, std::move(op), std::move(inputs));
        set(draft, "T", type());
        return draft;
    }

    static void set(NodeDraft& draft, std::string_view name, DType dtype)
    {
        draft.setAttr(name, attr::fromType(dtype));
    }

    void reshape()
    {
        const std::string sizes = m_r.ints(m_r.tensor(m_o.outputs[0]).dims);
        set(make("Reshape", {m_r.in(m_o, 0), sizes}), "Tshape", DType::Int32);
    }

    void listed(std::string op, std::string_view attribute, const std::vector<std::int64_t>& list)
    {
        const std::string values = m_r.ints(list);
        set(make(std::move(op), {m_r.in(m_o, 0), values}), attribute, DType::Int32);
    }

    void join()
    {
        std::vector<std::string> inputs;
        for (std::size_t slot = 0; slot < m_o.inputs.size(); ++slot)
            inputs.push_back(m_r.in(m_o, slot));
        const auto count = std::int64_t(inputs.size());
        const bool isPack = m_o.kind == Kind::Pack;
        if (!isPack)
            inputs.push_back(m_r.oneInt(m_p.axis));
        NodeDraft& draft = make(isPack ? "Pack" : "ConcatV2", std::move(inputs));
        draft.setAttr("N", attr::fromInt(count));
        if (isPack)
            draft.setAttr("axis", attr::fromInt(m_p.axis));
        else
            set(draft, "Tidx", DType::Int32);
    }

    void split()
    {
        const std::string sizes = m_r.ints(m_p.sizes);
        const std::string axis = m_r.oneInt(m_p.axis);
        NodeDraft& draft = make("SplitV", {m_r.in(m_o, 0), sizes, axis});
        set(draft, "Tlen", DType::Int32);
        draft.setAttr("num_split", attr::fromInt(std::int64_t(m_o.outputs.size())));
    }

    void unpack()
    {
        NodeDraft& draft = make("Unpack", {m_r.in(m_o, 0)});
        draft.setAttr("num", attr::fromInt(std::int64_t(m_o.outputs.size())));
        draft.setAttr("axis", attr::fromInt(m_p.axis));
    }

    void updateRow()
    {
        NodeDraft& draft =
            make("TensorScatterUpdate", {m_r.in(m_o, 0), m_r.in(m_o, 1), m_r.in(m_o, 2)});
        set(draft, "Tindices", m_r.tensor(m_o.inputs[1]).dtype);
    }

    void pad()
    {
        const bool isMirror = m_o.kind == Kind::MirrorPad;
        std::vector<std::string> inputs{m_r.in(m_o, 0), m_r.matrix(m_p.before, m_p.after)};
        const bool hasValue = !isMirror && m_o.inputs.size() > 1;
        if (hasValue)
            inputs.push_back(m_r.in(m_o, 1));
        NodeDraft& draft = make(isMirror ? "MirrorPad" : hasValue ? "PadV2" : "Pad", inputs);
        set(draft, "Tpaddings", DType::Int32);
        if (isMirror)
            draft.setAttr("mode", attr::fromString(m_p.isSymmetric ? "SYMMETRIC" : "REFLECT"));
    }

    void slice()
    {
        std::int64_t openEnd = 0;
        std::int64_t shrink = 0;
        std::vector<std::int64_t> end = m_p.end;
        for (std::size_t axis = 0; axis < end.size(); ++axis) {
            openEnd |= end[axis] < 0 ? std::int64_t(1) << axis : 0;
            shrink |= m_p.shrink[axis] ? std::int64_t(1) << axis : 0;
        }
        const std::vector<std::string> bounds{m_r.ints(m_p.begin), m_r.ints(end),
                                              m_r.ints(m_p.step)};
        NodeDraft& draft = make("StridedSlice", {m_r.in(m_o, 0), bounds[0], bounds[1], bounds[2]});
        set(draft, "Index", DType::Int32);
        for (const char* mask : {"begin_mask", "ellipsis_mask", "new_axis_mask"})
            draft.setAttr(mask, attr::fromInt(0));
        draft.setAttr("end_mask", attr::fromInt(openEnd));
        draft.setAttr("shrink_axis_mask", attr::fromInt(shrink));
    }

    void gather()
    {
        const bool isNd = m_o.kind == Kind::GatherNd;
        std::vector<std::string> inputs{m_r.in(m_o, 0), m_r.in(m_o, 1)};
        if (!isNd)
            inputs.push_back(m_r.oneInt(m_p.axis));
        NodeDraft& draft = m_r.make(m_o, isNd ? "GatherNd" : "GatherV2", inputs);
        set(draft, "Tparams", type());
        set(draft, "Tindices", m_r.tensor(m_o.inputs[1]).dtype);
        if (!isNd) {
            set(draft, "Taxis", DType::Int32);
            draft.setAttr("batch_dims", attr::fromInt(m_p.batchAxes));
        }
    }

    void findPlace()
    {
        const std::string axis = m_r.oneInt(m_p.axis);
        NodeDraft& draft =
            make(m_o.kind == Kind::ArgMax ? "ArgMax" : "ArgMin", {m_r.in(m_o, 0), axis});
        set(draft, "Tidx", DType::Int32);
        set(draft, "output_type", m_r.tensor(m_o.outputs[0]).dtype);
    }

    void resize()
    {
        const auto& dims = m_r.tensor(m_o.outputs[0]).dims;
        const std::string size = m_r.ints({dims[1], dims[2]});
        NodeDraft& draft =
            make(m_o.kind == Kind::ResizeBilinear ? "ResizeBilinear" : "ResizeNearestNeighbor",
                 {m_r.in(m_o, 0), size});
        draft.setAttr("align_corners", attr::fromBool(m_p.alignsCorners));
        draft.setAttr("half_pixel_centers", attr::fromBool(m_p.halfPixels));
    }

    void depth()
    {
        NodeDraft& draft = make(m_o.kind == Kind::SpaceToDepth ? "SpaceToDepth" : "DepthToSpace",
                                {m_r.in(m_o, 0)});
        draft.setAttr("block_size", attr::fromInt(m_p.window[0]));
    }

    void batch()
    {
        const bool isInto = m_o.kind == Kind::SpaceToBatch;
        const std::string block = m_r.ints(m_p.sizes);
        const std::string sizes = m_r.matrix(m_p.before, m_p.after);
        NodeDraft& draft =
            make(isInto ? "SpaceToBatchND" : "BatchToSpaceND", {m_r.in(m_o, 0), block, sizes});
        set(draft, "Tblock_shape", DType::Int32);
        set(draft, isInto ? "Tpaddings" : "Tcrops", DType::Int32);
    }

    void oneHot()
    {
        const std::string size = m_r.oneInt(m_r.tensor(m_o.outputs[0]).dims[std::size_t(m_p.axis)]);
        NodeDraft& draft =
            m_r.make(m_o, "OneHot", {m_r.in(m_o, 0), size, m_r.in(m_o, 1), m_r.in(m_o, 2)});
        set(draft, "T", m_r.tensor(m_o.inputs[1]).dtype);
        set(draft, "TI", type());
        const auto last = std::int64_t(m_r.tensor(m_o.inputs[0]).dims.size());
        draft.setAttr("axis", attr::fromInt(m_p.axis == last ? -1 : m_p.axis));
    }

    void topK()
    {
        const std::string count = m_o.input(1) == noTensor ? m_r.oneInt(m_p.count) : m_r.in(m_o, 1);
        make("TopKV2", {m_r.in(m_o, 0), count}).setAttr("sorted", attr::fromBool(true));
    }

    void fill()
    {
        NodeDraft& draft = m_r.make(m_o, "Fill", {m_r.in(m_o, 0), m_r.in(m_o, 1)});
        set(draft, "T", m_r.tensor(m_o.outputs[0]).dtype);
        set(draft, "index_type", type());
    }

    void suppress()
    {
        constexpr std::array ops{"NonMaxSuppressionV3", "NonMaxSuppressionV4",
                                 "NonMaxSuppressionV5"};
        std::vector<std::string> inputs{m_r.in(m_o, 0), m_r.in(m_o, 1), m_r.oneInt(m_p.count),
                                        m_r.oneFloat(m_p.overlap), m_r.oneFloat(m_p.leastScore)};
        if (m_o.outputs.size() == ops.size())
            inputs.push_back(m_r.oneFloat(m_p.sigma));
        NodeDraft& draft = make(ops[m_o.outputs.size() - 1], std::move(inputs));
        if (m_o.outputs.size() > 1)
            draft.setAttr("pad_to_max_output_size", attr::fromBool(m_p.padsToCount));
    }

    void detect()
    {
        NodeDraft& draft = m_r.make(m_o, "TFLite_Detection_PostProcess",
                                    {m_r.in(m_o, 0), m_r.in(m_o, 1), m_r.in(m_o, 2)});
        const PortableDetection& detection = m_p.detection;
        draft.setAttr("max_detections", attr::fromInt(m_p.count));
        draft.setAttr("max_classes_per_detection", attr::fromInt(detection.classesOf));
        draft.setAttr("detections_per_class", attr::fromInt(detection.perClass));
        draft.setAttr("use_regular_nms", attr::fromBool(detection.isByClass));
        draft.setAttr("nms_score_threshold", attr::fromFloat(m_p.leastScore));
        draft.setAttr("nms_iou_threshold", attr::fromFloat(m_p.overlap));
        draft.setAttr("num_classes", attr::fromInt(detection.classes));
        constexpr std::array names{"y_scale", "x_scale", "h_scale", "w_scale"};
        for (std::size_t i = 0; i < names.size(); ++i)
            draft.setAttr(names[i], attr::fromFloat(detection.scales[i]));
    }

    void random(std::string op)
    {
        NodeDraft& draft = make(std::move(op), {m_r.in(m_o, 0)});
        set(draft, "dtype", DType::Float);
    }

    void range()
    {
        set(m_r.make(m_o, "Range", {m_r.in(m_o, 0), m_r.in(m_o, 1), m_r.in(m_o, 2)}), "Tidx",
            type());
    }

    void shape()
    {
        set(make("Shape", {m_r.in(m_o, 0)}), "out_type", m_r.tensor(m_o.outputs[0]).dtype);
    }

    void cumSum()
    {
        const std::string axis = m_r.oneInt(m_p.axis);
        NodeDraft& draft = make("Cumsum", {m_r.in(m_o, 0), axis});
        set(draft, "Tidx", DType::Int32);
        draft.setAttr("exclusive", attr::fromBool(m_p.isExclusive));
        draft.setAttr("reverse", attr::fromBool(m_p.isReverse));
    }

    void reverseSequence()
    {
        NodeDraft& draft = make("ReverseSequence", {m_r.in(m_o, 0), m_r.in(m_o, 1)});
        set(draft, "Tlen", m_r.tensor(m_o.inputs[1]).dtype);
        draft.setAttr("seq_dim", attr::fromInt(m_p.axis));
        draft.setAttr("batch_dim", attr::fromInt(m_p.batchAxes));
    }

    Raising& m_r;
    const PortableOperation& m_o;
    const PortableParameters& m_p;
};

} // namespace

bool isRaisedAsShape(PortableKind kind)
{
    switch (kind) {
    case Kind::Reshape:
    case Kind::Transpose:
    case Kind::Tile:
    case Kind::Reverse:
    case Kind::Concat:
    case Kind::Pack:
    case Kind::Split:
    case Kind::Unpack:
    case Kind::Pad:
    case Kind::MirrorPad:
    case Kind::StridedSlice:
    case Kind::Gather:
    case Kind::GatherNd:
    case Kind::ArgMax:
    case Kind::ArgMin:
    case Kind::ResizeBilinear:
    case Kind::ResizeNearest:
    case Kind::SpaceToDepth:
    case Kind::DepthToSpace:
    case Kind::SpaceToBatch:
    case Kind::BatchToSpace:
    case Kind::OneHot:
    case Kind::TopK:
    case Kind::CumSum:
    case Kind::ReverseSequence:
    case Kind::Fill:
    case Kind::DetectionPostProcess:
    case Kind::NonMaxSuppression:
    case Kind::RandomNormal:
    case Kind::RandomUniform:
    case Kind::Range:
    case Kind::Shape:
    case Kind::UpdateRow: return true;
    default: return false;
    }
}

void raiseShape(Raising& raising, const PortableOperation& operation)
{
    ShapeRaising(raising, operation).raise();
}

} // namespace lapidary
