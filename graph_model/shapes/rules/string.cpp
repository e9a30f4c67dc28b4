// SPDX-License-Identifier: Apache-2.0
// Strings, parsing and files.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

namespace lapidary {
namespace {

using namespace shape_rules;

// Scalars fit everything; all others have one shape.
void join(RuleContext& context)
{
    Shape shape;
    bool isCertain = true;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Shape& input = context.input(i);
        isCertain = isCertain && !input.unknownRank;
        if (!input.unknownRank && !input.dims.empty())
            shape = shape.dims.empty() ? input : context.merge(shape, input);
    }
    if (isCertain || !shape.dims.empty())
        context.set(0, shape);
}

// Gives tokens, the beginning and end of each, and the row splits.
void regexSplit(RuleContext& context)
{
    const std::int64_t rows = context.ranked(0, 1).dims[0];
    context.setAll(unknownDims(1));
    context.set(3, {{rows == unknownDim ? unknownDim : rows + 1}, false});
}

void wordpieces(RuleContext& context)
{
    const std::int64_t words = context.ranked(0, 1).dims[0];
    const bool areSplits = context.attrs().string("output_row_partition_type") == "row_splits";
    context.setAll(unknownDims(1));
    context.set(1, {{words == unknownDim || !areSplits ? words : words + 1}, false});
}

void decodeRaw(RuleContext& context)
{
    context.set(0, joined(context.input(0), unknownDims(1)));
}

void stringSplit(RuleContext& context)
{
    context.ranked(0, 1);
    context.ranked(1, 0);
    context.set(0, {{unknownDim, 2}, false});
    context.set(1, unknownDims(1));
    context.set(2, {{2}, false});
}

void substring(RuleContext& context)
{
    const Shape& position = context.input(1);
    const Shape& length = context.input(2);
    // This is as strict as TensorFlow, for which an unknown shape differs from a known one.
    if (!position.unknownRank && length.unknownRank)
        context.fail("The rank of the lengths is not known; it has to be that of the positions");
    else if (!position.unknownRank && position != length)
        context.fail("The shapes of positions and lengths, " + shapeText(position) + " and " +
                     shapeText(length) + ", must be equal");
    if (position.unknownRank && !length.unknownRank)
        context.ranked(position, length.dims.size());
    context.set(0, broadcastShape(context, context.input(0), position));
}

void scalarToScalar(RuleContext& context)
{
    context.ranked(0, 0);
    context.set(0, Shape{});
}

void readerRead(RuleContext& context)
{
    context.setAll(Shape{});
}

// Gives one text for each row between two splits.
void rowsOfSplits(RuleContext& context)
{
    context.ranked(0, 1);
    const Shape splits = context.ranked(1, 1);
    const std::int64_t count = splits.dims[0];
    context.set(0, {{count < 0 ? unknownDim : count - 1}, false});
}

// Decodes fixed_length bytes of every text as elements of a type.
void decodePaddedRaw(RuleContext& context)
{
    const auto type = context.node().attr("out_type").asType();
    const std::int64_t bytes = context.sizeFrom(1);
    const auto size = std::int64_t(type ? dtypeSize(*type) : 0);
    const bool isKnown = size > 0 && bytes >= 0;
    const Shape elements{{isKnown ? quotient(context, bytes, size, true) : unknownDim}, false};
    context.set(0, joined(context.input(0), elements));
}

// The first output has the row splits: one more than there are texts.
void unicodeDecode(RuleContext& context)
{
    context.setAll(unknownDims(1));
    context.set(0, {{sum(context, elementsOf(context, context.input(0)), 1)}, false});
}

// Counts one placeholder in the template for each input.
void format(RuleContext& context)
{
    const std::string_view placeholder = context.attrs().string("placeholder", "%s");
    const std::string_view text = context.attrs().string("template", "%s");
    std::size_t places = 0;
    if (placeholder.empty()) // between all characters
        places = text.size() - (text.empty() ? 0 : 1);
    for (std::size_t at = text.find(placeholder); !placeholder.empty() && at != text.npos;
         at = text.find(placeholder, at + placeholder.size()))
        ++places;
    if (places != context.inputCount())
        context.fail("The template has " + std::to_string(places) + " placeholders for " +
                     std::to_string(context.inputCount()) + " inputs");
    context.set(0, Shape{});
}

// There is a column for each default, which has one value, or none for a required column.
void decodeCsv(RuleContext& context)
{
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        if (sizeAt(context.rankedAtMost(context.input(i), 1), 0) > 1)
            context.fail("Shape of a default must be a length-0 or length-1 vector, or a scalar.");
    context.setAll(context.input(0));
}

constexpr ShapeRule stringTable[] = {
    {"AsString", same},
    {"CaseFoldUTF8", same},
    {"DecodeBase64", same},
    {"DecodeCSV", decodeCsv},
    {"DecodePaddedRaw", decodePaddedRaw},
    {"DecodeRaw", decodeRaw},
    {"EncodeBase64", same},
    {"MatchingFiles", unknownVector},
    {"NormalizeUTF8", same},
    {"ReadFile", scalarToScalar},
    {"ReaderReadV2", readerRead},
    {"RegexFullMatch", same},
    {"RegexSplitWithOffsets", regexSplit},
    {"RegexReplace", same},
    {"ShardedFilename", scalars},
    {"ShardedFilespec", scalars},
    {"StaticRegexFullMatch", same},
    {"StaticRegexReplace", same},
    {"StringFormat", format},
    {"StringJoin", join},
    {"StringLength", same},
    {"StringLower", same},
    {"StringSplit", stringSplit},
    {"StringStrip", same},
    {"StringToHashBucket", same},
    {"StringToHashBucketFast", same},
    {"StringToHashBucketStrong", same},
    {"StringToNumber", same},
    {"StringUpper", same},
    {"Substr", substring},
    {"TFRecordReaderV2", scalars},
    {"UnicodeDecode", unicodeDecode},
    {"UnicodeDecodeWithOffsets", unicodeDecode},
    {"UnicodeEncode", rowsOfSplits},
    {"UnicodeScript", same},
    {"UnicodeTranscode", same},
    {"WordpieceTokenizeWithOffsets", wordpieces},
};

} // namespace

std::span<const ShapeRule> stringRules()
{
    return stringTable;
}

} // namespace lapidary
