# SPDX-License-Identifier: Apache-2.0
"""Compares exported files with those that other converters made of the same models."""

import csv


def model_of(name):
    return name.split(".", 1)[-1].removesuffix(".pb")


def right_peers(table, bound=1e-3):
    """The rows of the converters that got every run of a model right, by model and format."""
    found = {}
    with open(table, newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            ran, _, all_runs = row["cases_run"].partition("/")
            error = row["max_abs_over_largest"]
            if ran and ran == all_runs and error and float(error) <= bound:
                kind = "onnx" if "onnx" in row["converter"].lower() else "tflite"
                found.setdefault((row["model"], kind), []).append(row)
    return found


def list_behind_peers(table, results):
    for (model, kind), rows in sorted(right_peers(table).items()):
        mine = results.get((model_of(model), kind))
        if mine is not None and mine != {"exported"}:
            converters = ", ".join(row["converter"] for row in rows)
            print(f"behind: {model} {kind}: {converters}; here {', '.join(mine)}")


def list_larger_than_peers(table, rows, kinds):
    """Prints what is more than the least that a converter needs for a model."""
    measures = {"operators": "ops", "transposes": "transposes", "bytes": "bytes"}
    peers = {(model_of(model), kind): made for (model, kind), made in right_peers(table).items()}
    compared = set()
    larger = {}
    for (model, kind), mine in rows.items():
        for name, column in measures.items():
            others = [row for row in peers.get((model, kind), []) if row[column]]
            if name == "bytes":  # the prototype's files have no shapes and signatures
                others = [row for row in others if "prototype" not in row["converter"]]
            if not others:
                continue
            compared.add((model, kind))
            least = min(others, key=lambda row: int(row[column]))
            if mine[name] > int(least[column]):
                larger.setdefault((kind, name), []).append(model)
                print(
                    f"larger: {model} {kind}: {mine[name]} {name}; "
                    f"{least[column]} by {least['converter']}"
                )
    for kind in kinds:
        counts = ", ".join(f"{len(larger.get((kind, name), []))} in {name}" for name in measures)
        count = sum(1 for _, other in compared if other == kind)
        print(f"{kind}: {count} models compared with the converters' files; larger: {counts}")
