# SPDX-License-Identifier: Apache-2.0
"""Asks TensorFlow 1.15.5 to import each damaged node: record.py CASES ANSWERS.

CASES is what `graph_model_tests "[.damage-cases]"` writes with LAPIDARY_DAMAGE_CASES=CASES. Each case
runs in a child that is started again where one kills it.
"""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"


def read_cases(path):
    cases = []
    with open(path, "rb") as file:
        while True:
            op = file.readline().strip().decode()
            if not op:
                return cases
            cases.append((op, file.read(int(file.readline()))))


def answer_of(case):
    from tensorflow.python import pywrap_tensorflow as c_api
    from tensorflow.python.framework import c_api_util, errors

    graph = c_api_util.ScopedTFGraph()
    with c_api_util.tf_buffer(case) as buffer:
        options = c_api_util.ScopedTFImportGraphDefOptions()
        try:
            c_api.TF_GraphImportGraphDefWithResults(graph.graph, buffer, options.options)
        except errors.OpError as error:
            text = str(error)
            if "Op type not registered" in text:
                return "?"
            return "s" if "with input shapes" in text or "(op: '" in text else "a"
    return "."


def run(cases, out, start):
    for i in range(start, len(cases)):
        os.write(out, answer_of(cases[i][1]).encode())


def main():
    cases = read_cases(sys.argv[1])
    answers = ""
    while len(answers) < len(cases):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            devnull = os.open(os.devnull, os.O_WRONLY)
            os.dup2(devnull, 2)
            run(cases, write, len(answers))
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            answers += pipe.read().decode()
        os.waitpid(child, 0)
        if len(answers) < len(cases):
            answers += "!"
    lines = {}
    for (op, _), answer in zip(cases, answers):
        lines[op] = lines.get(op, "") + answer
    with open(sys.argv[2], "w") as file:
        for op, line in lines.items():
            if "?" not in line:
                file.write(op + "\t" + line + "\n")


main()
