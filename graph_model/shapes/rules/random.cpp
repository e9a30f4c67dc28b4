// SPDX-License-Identifier: Apache-2.0
// Random numbers.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

namespace lapidary {
namespace {

using namespace shape_rules;

void uniformInt(RuleContext& context)
{
    context.ranked(1, 0);
    context.ranked(2, 0);
    shapeOperand(context);
}

void stateless(RuleContext& context)
{
    const Shape seed = context.ranked(1, 1);
    context.merge(seed.dims[0], 2);
    shapeOperand(context);
}

void multinomial(RuleContext& context)
{
    const Shape logits = context.ranked(0, 2);
    context.set(0, {{logits.dims[0], context.sizeFrom(1)}, false});
}

// Sets the rows and columns of the cropped picture.
void randomCrop(RuleContext& context)
{
    const Shape image = context.ranked(0, 3);
    const Shape size = context.merge(context.shapeFrom(1), unknownDims(2));
    context.set(0, joined(size, partOf(image, 2)));
}

void parametersEach(RuleContext& context)
{
    context.set(0, joined(context.shapeFrom(0), context.input(1)));
}

// The shape is the input after the state and the algorithm of the generator.
void shapeBehindAlgorithm(RuleContext& context)
{
    context.set(0, context.shapeFrom(2));
}

void shapeBehindState(RuleContext& context)
{
    context.set(0, context.shapeFrom(1));
}

// Sets key and counter of a generator, and its algorithm on request.
void keyAndCounter(RuleContext& context)
{
    context.merge(context.ranked(0, 1).dims[0], 2);
    context.set(0, {{1}, false});
    context.set(1, {{2}, false});
    if (context.outputCount() > 2)
        context.set(2, Shape{});
}

void keyed(RuleContext& context)
{
    context.merge(context.ranked(1, 1).dims[0], 1);
    context.ranked(2, 1);
    context.ranked(3, 0);
    shapeOperand(context);
}

void generatorState(RuleContext& context)
{
    context.set(0, {{3}, false});
}

constexpr ShapeRule randomTable[] = {
    {"Multinomial", multinomial},
    {"NonDeterministicInts", shapeOperand},
    {"ParameterizedTruncatedNormal", shapeOperand},
    {"RandomCrop", randomCrop},
    {"RandomGamma", parametersEach},
    {"RandomGammaGrad", broadcast},
    {"RandomPoissonV2", parametersEach},
    {"RandomShuffle", same},
    {"RandomStandardNormal", shapeOperand},
    {"RandomUniform", shapeOperand},
    {"RandomUniformInt", uniformInt},
    {"RngReadAndSkip", generatorState},
    {"StatefulRandomBinomial", shapeBehindAlgorithm},
    {"StatefulStandardNormal", shapeBehindState},
    {"StatefulStandardNormalV2", shapeBehindAlgorithm},
    {"StatefulTruncatedNormal", shapeBehindAlgorithm},
    {"StatefulUniform", shapeBehindAlgorithm},
    {"StatefulUniformFullInt", shapeBehindAlgorithm},
    {"StatefulUniformInt", shapeBehindAlgorithm},
    {"StatelessMultinomial", multinomial},
    {"StatelessRandomGetAlg", scalars},
    {"StatelessRandomGetKeyCounter", keyAndCounter},
    {"StatelessRandomGetKeyCounterAlg", keyAndCounter},
    {"StatelessRandomNormal", stateless},
    {"StatelessRandomNormalV2", keyed},
    {"StatelessRandomUniform", stateless},
    {"StatelessRandomUniformFullInt", stateless},
    {"StatelessRandomUniformFullIntV2", keyed},
    {"StatelessRandomUniformInt", stateless},
    {"StatelessRandomUniformIntV2", keyed},
    {"StatelessRandomUniformV2", keyed},
    {"StatelessTruncatedNormal", stateless},
    {"StatelessTruncatedNormalV2", keyed},
    {"TruncatedNormal", shapeOperand},
};

} // namespace

std::span<const ShapeRule> randomRules()
{
    return randomTable;
}

} // namespace lapidary
