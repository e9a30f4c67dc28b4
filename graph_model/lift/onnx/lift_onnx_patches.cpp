// SPDX-License-Identifier: Apache-2.0
// Lifts operators that rearrange pictures: sums of patches, sampling grids, and crops or padding
// around the center.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/lifted_functions.h"
#include "graph_model/lift/onnx/onnx_operands.h"
#include "graph_model/lift/onnx/onnx_window.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr std::int64_t mostPlaces = 1 << 22; // limit of the elements of all patches, or of a grid

bool areSizes(const std::optional<Ints>& sizes)
{
    return sizes && std::ranges::all_of(
                        *sizes, [](std::int64_t size) { return size > 0 && size < mostOnnxSize; });
}

// The windows on a picture.
struct Patches {
    Ints picture; // sizes with borders
    Ints count;   // number of windows along each axis
};

std::optional<Patches> patchesOf(const OnnxWindow& window, const Ints& picture)
{
    Patches patches;
    for (std::size_t axis = 0; axis < picture.size(); ++axis) {
        const std::int64_t whole = picture[axis] + window.before[axis] + window.after[axis];
        if (whole < window.reach(axis))
            return std::nullopt;
        patches.picture.push_back(whole);
        patches.count.push_back((whole - window.reach(axis)) / window.stride[axis] + 1);
    }
    return patches;
}

// Returns the index in the picture of each element of each window: first those of the first
// elements of all windows.
Ints placesOf(const Patches& patches, const OnnxWindow& window)
{
    const std::int64_t elements = onnxProduct(window.size);
    const std::int64_t windows = onnxProduct(patches.count);
    Ints places;
    for (std::int64_t i = 0; i < elements * windows; ++i) {
        std::int64_t element = i / windows;
        std::int64_t number = i % windows;
        std::int64_t place = 0;
        std::int64_t pace = 1;
        for (std::size_t axis = window.axes(); axis-- > 0;) {
            place += pace * (number % patches.count[axis] * window.stride[axis] +
                             element % window.size[axis] * window.dilation[axis]);
            pace *= patches.picture[axis];
            number /= patches.count[axis];
            element /= window.size[axis];
        }
        places.push_back(place);
    }
    return places;
}

// Cuts the borders off [n, c, sizes...], which leaves sizes `picture`.
std::string withoutBorders(LiftDraft& d, const std::string& x, DType dtype,
                           const OnnxWindow& window, const Ints& picture)
{
    Ints first{0, 0};
    Ints sizes{-1, -1};
    first.insert(first.end(), window.before.begin(), window.before.end());
    sizes.insert(sizes.end(), picture.begin(), picture.end());
    return d.step("Slice", {x, d.intList(first), d.intList(sizes)},
                  {typeAttr("T", dtype), typeAttr("Index", DType::Int32)});
}

// Sums patches [n, c * elements, windows] at their positions in a picture.
bool liftPatchesTogether(LiftDraft& d)
{
    const auto dims = d.dims(0);
    const auto picture = d.ints(1);
    const auto block = d.ints(2);
    if (!dims || dims->size() != 3 || !areSizes(dims) || !areSizes(picture) || !areSizes(block) ||
        picture->size() != block->size())
        return false;
    const auto window = windowOf(d, *block);
    const auto patches = window ? patchesOf(*window, *picture) : std::nullopt;
    if (!patches)
        return false;
    const std::int64_t elements = onnxProduct(window->size);
    const std::int64_t windows = onnxProduct(patches->count);
    if ((*dims)[1] % elements != 0 || (*dims)[2] != windows || elements * windows > mostPlaces ||
        !d.functions().hasRoom(elements * windows) || onnxProduct(patches->picture) >= mostOnnxSize)
        return false;
    const std::int64_t channels = (*dims)[1] / elements;
    const DType dtype = d.type(0);
    // Rows [elements * windows, n * c], which are added to rows of the picture.
    const std::string split =
        reshaped(d, d.in(0), dtype, {(*dims)[0] * channels, elements * windows});
    const std::string rows = transposed(d, split, dtype, {1, 0});
    const std::string places = d.intList(placesOf(*patches, *window));
    const std::string made =
        d.step("UnsortedSegmentSum", {rows, places, d.oneInt(onnxProduct(patches->picture))},
               {typeAttr("T", dtype), typeAttr("Tindices", DType::Int32),
                typeAttr("Tnumsegments", DType::Int32)});
    Ints sizes{(*dims)[0], channels};
    sizes.insert(sizes.end(), patches->picture.begin(), patches->picture.end());
    const std::string whole = reshaped(d, transposed(d, made, dtype, {1, 0}), dtype, sizes);
    d.give({withoutBorders(d, whole, dtype, *window, *picture)});
    return true;
}

// Makes a sampling grid for each picture: its matrix times the coordinates of all elements.
bool liftAffineGrid(LiftDraft& d)
{
    const auto sizes = d.ints(1);
    if (!isFloat(d) || !areSizes(sizes) || sizes->size() < 4 || sizes->size() > 5)
        return false;
    const Ints inner(sizes->begin() + 2, sizes->end());
    const auto axes = std::int64_t(inner.size());
    const std::int64_t count = onnxProduct(inner);
    if (count > mostPlaces || !d.functions().hasRoom(count * (axes + 1)))
        return false;
    const bool aligns = d.intAttr("align_corners", 0) != 0;
    std::vector<float> columns; // x, y, (z,) 1 of each position
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = i;
        for (std::size_t axis = inner.size(); axis-- > 0; rest /= inner[axis]) {
            const auto size = double(inner[axis]);
            const auto at = double(rest % inner[axis]);
            if (aligns)
                columns.push_back(size > 1 ? float(2 * at / (size - 1) - 1) : -1.0F);
            else
                columns.push_back(float((2 * at + 1) / size - 1));
        }
        columns.push_back(1);
    }
    const std::string grid = d.floatList({1, count, axes + 1}, columns);
    const std::string pictures = steps::sizeAt(d, d.in(0), DType::Float, 0, DType::Int32);
    const std::string number = steps::expandDims(d, pictures, DType::Int32, 0);
    const std::string target =
        steps::concat(d, {number, d.intList({count, axes + 1})}, 0, DType::Int32);
    const std::string all = d.step("BroadcastTo", {grid, target},
                                   {typeAttr("T", DType::Float), typeAttr("Tidx", DType::Int32)});
    const std::string made = d.step("BatchMatMulV2", {all, d.in(0)},
                                    {typeAttr("T", DType::Float),
                                     {"adj_x", attr::fromBool(false)},
                                     {"adj_y", attr::fromBool(true)}});
    Ints result{-1};
    result.insert(result.end(), inner.begin(), inner.end());
    result.push_back(axes);
    d.give({reshaped(d, made, DType::Float, result)});
    return true;
}

// Crops around the center along some axes, and pads with zeros along others.
bool liftCenter(LiftDraft& d)
{
    const auto dims = d.dims(0);
    const auto wanted = d.ints(1);
    if (!areSizes(dims) || !areSizes(wanted))
        return false;
    const auto rank = std::int64_t(dims->size());
    Ints axes = d.intsAttr("axes");
    for (std::int64_t axis = 0; axes.empty() && axis < rank; ++axis)
        axes.push_back(axis);
    if (axes.size() != wanted->size())
        return false;
    Ints first(dims->size(), 0);
    Ints sizes(*dims);
    Ints pairs(2 * dims->size(), 0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t place = axes[i] + (axes[i] < 0 ? rank : 0);
        if (place < 0 || place >= rank)
            return false;
        const auto axis = std::size_t(place);
        const std::int64_t more = (*wanted)[i] - (*dims)[axis];
        if (more < 0) {
            first[axis] = -more / 2;
            sizes[axis] = (*wanted)[i];
        } else {
            pairs[2 * axis] = more / 2;
            pairs[2 * axis + 1] = more - more / 2;
        }
    }
    const DType dtype = d.type(0);
    const std::string middle = d.step("Slice", {d.in(0), d.intList(first), d.intList(sizes)},
                                      {typeAttr("T", dtype), typeAttr("Index", DType::Int32)});
    d.give({d.step("Pad", {middle, d.intMatrix({rank, 2}, pairs)},
                   {typeAttr("T", dtype), typeAttr("Tpaddings", DType::Int32)})});
    return true;
}

constexpr std::array layouts = std::to_array<OnnxLift>({
    {"AffineGrid", liftAffineGrid},
    {"CenterCropPad", liftCenter},
    {"Col2Im", liftPatchesTogether},
});

} // namespace

bool liftOnnxPatches(LiftDraft& draft)
{
    return liftFrom(layouts, draft);
}

} // namespace lapidary
