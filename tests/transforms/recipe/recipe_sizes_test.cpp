// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/gzip_size.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/recipe/recipe_sizes.h"

#include <random>

#include <zlib.h>

namespace lapidary {
namespace {

constexpr std::size_t chunk = 1U << 18U; // of gzipSize()

GraphPtr classifier(std::int64_t width)
{
    std::vector<float> weights(std::size_t(width * width));
    std::mt19937 random(1);
    for (float& weight : weights)
        weight = float(random() % 1000) / 1000 - 0.5F;
    return GraphBuilder()
        .placeholder("x", {1, width})
        .floats("w", {width, width}, weights)
        .node("y", "MatMul", {"x", "w"})
        .build();
}

RecipeSizes sizesOf(const GraphPtr& graph, std::string_view recipe, bool compresses)
{
    const RecipeRun run =
        runRecipe(graph, parseRecipe(recipe, RecipeSyntax::Strict).value(), {"x"}, {"y"}, Job());
    INFO(run.fault);
    REQUIRE(run.ok());
    auto sizes = measureSizes(graph, run, compresses, Job());
    REQUIRE(sizes.ok());
    CHECK(sizes->after().bytes == encodeGraphDef(*run.result(graph)).size());
    return *std::move(sizes);
}

} // namespace

TEST_CASE("compressed sizes are those of the bytes unpacked again", "[sizes]")
{
    std::mt19937 random(7);
    for (const std::size_t size : {std::size_t(0), std::size_t(1), std::size_t(1000), chunk - 1,
                                   chunk, chunk + 1, 3 * chunk}) {
        std::string bytes(size, '\0');
        for (char& byte : bytes)
            byte = char(random() % 4);
        const auto measured = gzipSize(bytes, Job());
        REQUIRE(measured.ok());
        // compress2 writes the same stream between 6 bytes of zlib's frame; gzip's has 18.
        std::string packed(compressBound(uLong(size)), '\0');
        uLongf length = uLongf(packed.size());
        REQUIRE(compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
                          reinterpret_cast<const Bytef*>(bytes.data()), uLong(size), 6) == Z_OK);
        CHECK(*measured == length + 12);
    }
    std::stop_source stop;
    stop.request_stop();
    CHECK_FALSE(gzipSize("abc", Job(stop.get_token())).ok());
}

TEST_CASE("sizes are those of the written files, in all and by op", "[sizes]")
{
    const GraphPtr graph = classifier(64);
    const RecipeSizes sizes = sizesOf(graph, "round_weights(num_steps=8) remove_device", true);
    CHECK(sizes.before.bytes == encodeGraphDef(*graph).size());
    CHECK(sizes.before.gzipBytes == gzipSize(encodeGraphDef(*graph), Job()).value());
    REQUIRE(sizes.steps.size() == 2);
    CHECK(sizes.steps[0].bytes == sizes.before.bytes);
    CHECK(*sizes.steps[0].gzipBytes < *sizes.before.gzipBytes / 2);
    CHECK(sizes.steps[1].gzipBytes == sizes.steps[0].gzipBytes);
    std::uint64_t sum = 0;
    for (const auto& [op, bytes] : sizes.before.ops)
        sum += bytes;
    CHECK(sum == sizes.before.bytes); // no versions, no library
    CHECK(sizes.before.ops.at("Const") > 64 * 64 * 4);
    CHECK(sizes.remark.empty());
    CHECK_FALSE(sizesOf(graph, "remove_device", false).before.gzipBytes.has_value());
}

TEST_CASE("it is said where 8 bits do not pay, and only there", "[sizes]")
{
    CHECK(sizesOf(classifier(2), "quantize_weights(minimum_size=1)", false)
              .remark.find("8 bits do not pay off: the file grows from") == 0);
    CHECK(sizesOf(classifier(2), "quantize_weights", false).remark.empty()); // nothing was done
    CHECK(sizesOf(classifier(100), "quantize_weights", true).remark.empty());
    // Equal values compress to almost nothing.
    const GraphPtr plain = GraphBuilder()
                               .placeholder("x", {1, 100})
                               .floats("w", {100, 100}, {1, 2})
                               .node("y", "MatMul", {"x", "w"})
                               .build();
    CHECK(sizesOf(plain, "quantize_weights", true)
              .remark.find("8 bits do not pay off in a compressed") == 0);
}

} // namespace lapidary
