"""Learns the second ranking of symbols from the rows that `cargo xtask learn features` wrote.

Takes folders of rows; trains boosted trees that score each candidate of a task, with whole projects held out, and prints how
early the changed functions come: in the order of the linear rounds, and in that of the trees. `--out` writes the trees in the
form that the program reads. Needs the packages `lightgbm` and `numpy`. Nothing here runs in the program itself.

    python3 lab/src/learn/train.py --commits DIR --issues DIR --parts 93 --out crates/contexture-core/src/rank/learned/trees.bin
"""

import argparse
import hashlib
import json
import pathlib
import struct

import lightgbm
import numpy

HEAD = 9
TASK, GOLD, FILE, WHOLE, SIGNATURE, PLACE, VALUE, GOLD_FILE, PROBABILITY = range(HEAD)
# A project is held out when the first byte of the hash of its name is below this: one project in five.
HELD_OUT = 51
# Columns that say how early a candidate came before: of two that are alike otherwise, the earlier one stays first. Places as in
# `rank/learned/traits.rs`, then those of the parts of a symbol.
EARLIER = {0: -1, 1: 1, 2: -1, 3: -1, 4: -1, 35 + 9: 1, 35 + 24: 1, 35 + 25: 1, 35 + 26: 1}
# Thresholds are compared as whole numbers: a value of the row times this, rounded down.
SCALE = 4096


def read(folder, width):
    """Projects by name: rows, and what is known of each task."""
    projects = {}
    for path in sorted(pathlib.Path(folder).glob("*.rows")):
        rows = numpy.fromfile(path, dtype="<f4").reshape(-1, width)
        about = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
        if len(rows):
            projects[path.stem] = (rows, about)
    return projects


def byte_of(name):
    return hashlib.sha256(name.encode()).digest()[0]


def features(rows):
    return numpy.floor(numpy.clip(rows[:, HEAD:].astype(numpy.float64) * SCALE, -2.0e9, 2.0e9))


def groups(rows):
    """Where the rows of each task begin and end; rows of one task follow each other."""
    borders = numpy.flatnonzero(numpy.diff(rows[:, TASK])) + 1
    return list(zip([0, *borders], [*borders, len(rows)]))


def shown_within(part, order, value, budget):
    """The changed functions that fit when the best by value are taken whole, each with what frames it."""
    left, found = budget, 0
    for at in order:
        cost = part[at, WHOLE] + 18
        if cost <= left:
            left -= cost
            found += part[at, GOLD] * (1 - part[at, VALUE])
    return found


BUDGETS = (1500, 3000, 6000, 12000)


def of_tasks(rows, about, score):
    """For each task: first hit, share among 5 and 10, all among 5 and 10, and the share of functions under budgets."""
    values, out = score(rows), []
    for start, end in groups(rows):
        part, value = rows[start:end], values[start:end]
        gold = about[int(part[0, TASK])]["gold"]
        if gold == 0:
            continue
        chance = numpy.exp(value - value.max())
        chance /= chance.sum()
        order = numpy.argsort(-value, kind="stable")
        hits = part[order, GOLD] * (1 - part[order, VALUE])
        first = numpy.flatnonzero(hits)
        density = chance * (numpy.maximum(part[:, WHOLE], 20) / 100) ** 0.4 / (part[:, WHOLE] + 18)
        by_density = numpy.argsort(-density, kind="stable")
        out.append(
            [
                1 / (1 + first[0]) if len(first) else 0,
                hits[:5].sum() / gold,
                hits[:10].sum() / gold,
                hits[:5].sum() >= gold,
                hits[:10].sum() >= gold,
                *(shown_within(part, by_density, chance, budget) / gold for budget in BUDGETS),
            ]
        )
    return out


LABELS = ["first", "@5", "@10", "all@5", "all@10", *(str(budget) for budget in BUDGETS)]


def report(name, found):
    means = numpy.mean(found, axis=0)
    print(f"{name:34} n={len(found):5} " + " ".join(f"{label} {mean:.3f}" for label, mean in zip(LABELS, means)), flush=True)


def linear(rows):
    return numpy.log(numpy.maximum(rows[:, PROBABILITY], 1e-30))


def telling(rows):
    """The rows to learn from: what was changed, the first candidates, and one in four of the others."""
    place = rows[:, PLACE]
    return rows[(rows[:, GOLD] > 0) | (place < 120) | (place % 4 == 0)]


def train(projects, weights, args, seed=1):
    projects = {name: (telling(rows), about) for name, (rows, about) in projects.items()}
    rows = [rows for rows, _ in projects.values()]
    sizes = [end - start for one in rows for start, end in groups(one)]
    weight = numpy.concatenate([numpy.full(len(one), weights[name]) for name, (one, _) in projects.items()])
    label = numpy.concatenate([one[:, GOLD] for one in rows])
    data = lightgbm.Dataset(numpy.concatenate([features(one) for one in rows]), label=label, group=sizes, weight=weight)
    settings = {
        "objective": args.objective,
        "num_leaves": args.leaves,
        "learning_rate": args.rate,
        "min_data_in_leaf": args.least,
        "feature_fraction": 0.4,
        "bagging_fraction": 0.7,
        "bagging_freq": 1,
        "lambda_l2": 10.0,
        "max_bin": 127,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 2,
        "verbosity": -1,
        "lambdarank_truncation_level": 30,
        "monotone_constraints": [EARLIER.get(column, 0) for column in range(args.parts)],
    }
    return lightgbm.train(settings, data, num_boost_round=args.trees)


def write(model, path, temperature):
    """Trees as the program reads them: counts, then the nodes of each tree, then its leaves, all in little-endian order."""
    dump = model.dump_model()["tree_info"]
    out = bytearray(struct.pack("<4sHH", b"CXT1", len(dump), model.num_feature()))
    for tree in dump:
        nodes, leaves = [], []

        def walk(node):
            if "leaf_value" in node:
                leaves.append(round(node["leaf_value"] * temperature * 65536))
                return -len(leaves)
            at = len(nodes)
            nodes.append(None)
            left, right = walk(node["left_child"]), walk(node["right_child"])
            nodes[at] = (node["split_feature"], int(numpy.floor(node["threshold"])), left, right)
            return at

        walk(tree["tree_structure"])
        out += struct.pack("<BB", len(nodes), len(leaves))
        for feature, threshold, left, right in nodes:
            out += struct.pack("<Bibb", feature, threshold, left, right)
        for leaf in leaves:
            out += struct.pack("<i", leaf)
    pathlib.Path(path).write_bytes(out)
    print(f"{path}: {len(out)} bytes, {len(dump)} trees")


def temperature_of(scored):
    """The factor that makes the softmax of the scores of held-out tasks the most probable."""
    best = (1e30, 1.0)
    for factor in numpy.arange(0.3, 4.01, 0.1):
        loss = 0.0
        for values, gold in scored:
            values = values * factor
            top = values.max()
            total = numpy.log(numpy.exp(values - top).sum()) + top
            loss -= (values[gold] - total).mean()
        best = min(best, (loss / len(scored), factor))
    return best


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--commits", required=True)
    args.add_argument("--issues", required=True)
    args.add_argument("--parts", type=int, required=True)
    args.add_argument("--trees", type=int, default=400)
    args.add_argument("--leaves", type=int, default=31)
    args.add_argument("--least", type=int, default=100)
    args.add_argument("--rate", type=float, default=0.05)
    args.add_argument("--issue-weight", type=float, default=3.0)
    args.add_argument("--objective", default="lambdarank")
    args.add_argument("--folds", type=int, default=5)
    args.add_argument("--without", default="", help="names of projects that are not used at all, with commas between")
    args.add_argument("--temperature", type=float, help="instead of the best one of the folds")
    args.add_argument("--out")
    args = args.parse_args()
    width = HEAD + args.parts
    commits = {("c", name): one for name, one in read(args.commits, width).items()}
    issues = {("i", name): one for name, one in read(args.issues, width).items()}
    without = set(args.without.split(","))
    commits, issues = ({key: one for key, one in some.items() if key[1] not in without} for some in (commits, issues))
    every = {**commits, **issues}
    weights = {key: args.issue_weight if key[0] == "i" else 1.0 for key in every}
    print(f"{len(commits)} histories, {sum(len(groups(rows)) for rows, _ in commits.values())} commits;",
          f"{len(issues)} projects with {sum(len(groups(rows)) for rows, _ in issues.values())} issues", flush=True)
    # Each fold holds out whole projects, their commits and their issues.
    names = sorted({name for _, name in every})
    fold = {name: byte_of(name) % max(1, args.folds) for name in names}
    for at, name in enumerate(sorted({name for _, name in issues}, key=lambda name: -len(groups(issues["i", name][0])))):
        fold[name] = at % max(1, args.folds)
    kinds = {"commits": [], "issues": [], "python issues": []}
    before = {kind: [] for kind in kinds}
    scored = []
    gains = numpy.zeros(args.parts)
    for number in range(args.folds):
        trained = {key: one for key, one in every.items() if fold[key[1]] != number}
        model = train(trained, weights, args)
        gains += model.feature_importance("gain")
        for (kind, name), (rows, about) in every.items():
            if fold[name] != number:
                continue
            predict = lambda rows: model.predict(features(rows))
            groups_of = {"c": ["commits"], "i": ["issues"] + (["python issues"] if about[0]["language"] == "python" else [])}
            new, old = of_tasks(rows, about, predict), of_tasks(rows, about, linear)
            for one in groups_of[kind]:
                kinds[one] += new
                before[one] += old
            if kind == "i":
                values = predict(rows)
                for start, end in groups(rows):
                    gold = numpy.flatnonzero(rows[start:end, GOLD])
                    if len(gold):
                        scored.append((values[start:end], gold))
        print(f"fold {number} done", flush=True)
    for kind in kinds if args.folds else []:
        report(f"{kind}: linear", before[kind])
        report(f"{kind}: trees, other projects", kinds[kind])
    temperature = args.temperature
    if temperature is None:
        loss, temperature = temperature_of(scored)
        print(f"temperature {temperature:.1f}, loss {loss:.3f}")
    order = numpy.argsort(-gains)[:40]
    print("columns by gain:", " ".join(f"{column}:{gains[column]:.0f}" for column in order))
    if args.out:
        write(train(every, weights, args), args.out, temperature)


if __name__ == "__main__":
    main()
