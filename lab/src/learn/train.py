"""Learns a ranking of symbols from the rows that `cargo xtask learn features` wrote.

Takes a folder of rows; trains boosted trees that give each candidate of a task a score, with whole projects held out, and
prints how early the changed functions come among the held-out projects: by the score the program uses today, and by the
trees. Writes the trees to `--out`. Needs the packages `lightgbm` and `numpy`. Nothing here runs in the program itself.

    python3 lab/src/learn/train.py --rows DIR --symbol-parts 35 --file-parts 23 --out model.txt
"""

import argparse
import hashlib
import json
import pathlib

import lightgbm
import numpy

HEAD = 10
TASK, GOLD, FILE, FILE_RANK, WHOLE, SIGNATURE, KIND, PLACE, PROBABILITY, GOLD_FILE = range(HEAD)
# A project is held out when the first byte of the hash of its name is below this: one project in five.
HELD_OUT = 51
# The program scores only this many candidates again, so a gold function that comes later is a miss.
FIRST = 250


def read(folder, width):
    """Projects by name: rows, and the number of gold functions of each task."""
    projects = {}
    for path in sorted(pathlib.Path(folder).glob("*.rows")):
        rows = numpy.fromfile(path, dtype="<f4").reshape(-1, width)
        about = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
        if len(rows):
            projects[path.stem] = (rows, about)
    return projects


def is_held_out(name):
    return hashlib.sha256(name.encode()).digest()[0] < HELD_OUT


def features(rows):
    """What a tree may look at: the parts, the costs, and the place in the order of today."""
    head = numpy.stack(
        [
            numpy.log1p(rows[:, WHOLE]),
            numpy.log1p(rows[:, SIGNATURE]),
            rows[:, KIND],
            numpy.log1p(rows[:, PLACE]),
            numpy.log1p(rows[:, FILE_RANK]),
            numpy.log(numpy.maximum(rows[:, PROBABILITY], 1e-9)),
        ],
        axis=1,
    )
    return numpy.concatenate([head, rows[:, HEAD:]], axis=1)


def groups(rows):
    """Where the rows of each task begin and end; rows of one task follow each other."""
    borders = numpy.flatnonzero(numpy.diff(rows[:, TASK])) + 1
    return list(zip([0, *borders], [*borders, len(rows)]))


def shown_within(rows, order, budget):
    """The gold functions that fit when the best are taken whole, one after the other, each with what frames it."""
    left, found = budget, 0
    for at in order:
        cost = rows[at, WHOLE] * 1.15 + 12
        if cost <= left:
            left -= cost
            found += rows[at, GOLD]
    return found


def measure(name, projects, score):
    """Means over tasks: hits among the first, and the share of gold functions under budgets."""
    sums, tasks = numpy.zeros(7), 0
    for rows, about in projects.values():
        values = score(rows)
        for start, end in groups(rows):
            part, value = rows[start:end], values[start:end].copy()
            value[part[:, PLACE] >= FIRST] = -1e9
            gold = max(1, about[int(part[0, TASK])]["gold"])
            order = numpy.argsort(-value, kind="stable")
            hits = part[order, GOLD]
            first = numpy.flatnonzero(hits)
            sums += [
                1 / (1 + first[0]) if len(first) and first[0] < FIRST else 0,
                hits[:5].sum() / gold,
                hits[:10].sum() / gold,
                *(shown_within(part, order, budget) / gold for budget in (2000, 4000, 8000, 16000)),
            ]
            tasks += 1
    means = sums / max(1, tasks)
    labels = ["first", "@5", "@10", "2k", "4k", "8k", "16k"]
    print(f"{name:24} n={tasks:5} " + " ".join(f"{label} {mean:.3f}" for label, mean in zip(labels, means)), flush=True)
    return means


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--rows", required=True)
    args.add_argument("--extra", help="rows of projects that are only measured, never trained on")
    args.add_argument("--symbol-parts", type=int, default=35)
    args.add_argument("--file-parts", type=int, default=23)
    args.add_argument("--trees", type=int, default=300)
    args.add_argument("--leaves", type=int, default=31)
    args.add_argument("--rate", type=float, default=0.05)
    args.add_argument("--objective", default="lambdarank")
    args.add_argument("--out")
    args = args.parse_args()
    width = HEAD + args.symbol_parts + args.file_parts
    projects = read(args.rows, width)
    held_out = {name: known for name, known in projects.items() if is_held_out(name)}
    trained = {name: known for name, known in projects.items() if not is_held_out(name)}
    rows = numpy.concatenate([rows for rows, _ in trained.values()])
    sizes = [end - start for project, _ in trained.values() for start, end in groups(project)]
    print(f"{len(trained)} projects to train on, {len(held_out)} held out, {len(sizes)} tasks, {len(rows)} rows")
    data = lightgbm.Dataset(features(rows), label=rows[:, GOLD], group=sizes)
    settings = {
        "objective": args.objective,
        "num_leaves": args.leaves,
        "learning_rate": args.rate,
        "min_data_in_leaf": 200,
        "feature_fraction": 0.6,
        "bagging_fraction": 0.7,
        "bagging_freq": 1,
        "lambda_l2": 10.0,
        "seed": 1,
        "deterministic": True,
        "num_threads": 2,
        "verbosity": -1,
        "lambdarank_truncation_level": 30,
    }
    model = lightgbm.train(settings, data, num_boost_round=args.trees)
    for name, some in [("held out", held_out), ("extra", read(args.extra, width) if args.extra else {})]:
        if some:
            measure(f"{name}: today", some, lambda rows: numpy.log(numpy.maximum(rows[:, PROBABILITY], 1e-30)))
            measure(f"{name}: trees", some, lambda rows: model.predict(features(rows)))
    gains = sorted(zip(model.feature_importance("gain"), range(10_000)), reverse=True)[:15]
    print("columns by gain:", " ".join(f"{column}:{gain:.0f}" for gain, column in gains))
    if args.out:
        model.save_model(args.out)


if __name__ == "__main__":
    main()
