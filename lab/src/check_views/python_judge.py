"""Compares skeletons of Python files with their sources by CPython's own `ast`.

Takes one JSON object a line on stdin: {"path": ..., "skeleton": ...}; the source is read from the path. Gives one JSON object
a line on stdout: {"path": ..., "definitions": N, "problems": [[cause, line, text], ...]}, where a source that `ast` itself
refuses has only "skipped" with the reason. Nothing is imported or run from the files.
"""

import ast
import io
import json
import sys
import tokenize
import warnings
from collections import Counter


def main():
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = judge(asked["path"], asked["skeleton"])
        except RecursionError:
            answer = {"skipped": "too deep for ast"}
        answer["path"] = asked["path"]
        print(json.dumps(answer), flush=True)


def judge(path, skeleton):
    with open(path, "rb") as file:
        data = file.read()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        data.decode("utf-8")
    except (SyntaxError, UnicodeDecodeError):
        return {"skipped": "not UTF-8"}
    # Bytes of another encoding may be UTF-8 by chance, but then they say something else.
    if encoding not in ("utf-8", "utf-8-sig", "ascii"):
        return {"skipped": "not UTF-8"}
    try:
        declared = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError as error:
        return {"skipped": f"source does not parse: {error}"}
    if not declared.startswith("utf-8") and declared != "ascii":
        # The bytes happen to be UTF-8, and CPython reads them as something else: two texts, nothing to compare.
        return {"skipped": "declares another encoding than UTF-8"}
    try:
        source = ast.parse(data, type_comments=False)
    except (SyntaxError, ValueError) as error:
        return {"skipped": f"source does not parse: {error}"}
    try:
        ours = ast.parse(skeleton, type_comments=False)
    except (SyntaxError, ValueError) as error:
        return {"definitions": 0, "problems": [["skeleton does not parse", getattr(error, "lineno", 0) or 0, str(error)]]}
    wanted, found = list(definitions(source)), list(definitions(ours))
    return {"definitions": len(wanted), "problems": differences(wanted, found) + surroundings(source, ours)}


def differences(wanted, found):
    """What distinguishes two lists of definitions, each in the order of its file."""
    if [facts for _, facts in wanted] == [facts for _, facts in found]:
        return []
    names = [facts["name"] for _, facts in wanted]
    if names != [facts["name"] for _, facts in found]:
        return missing(wanted, found)
    problems = []
    for (line, source), (_, ours) in zip(wanted, found):
        for part in source:
            if source[part] != ours[part]:
                problems.append([f"{part} differs", line, source["name"]])
    return problems


def missing(wanted, found):
    """The names that only one side has, or that stand in another order."""
    problems = []
    counts = Counter(facts["name"] for _, facts in found)
    for line, facts in wanted:
        if counts[facts["name"]] > 0:
            counts[facts["name"]] -= 1
        else:
            where = "in a function" if facts["local"] else "at the top or in a class"
            problems.append([f"definition {where} is missing", line, facts["name"]])
    problems += [["definition is not in the source", 0, name] for name, left in counts.items() if left > 0]
    return problems or [["order differs", 0, ""]]


def definitions(tree):
    """Functions and classes at any depth, in the order of the file, with everything a caller can see of them."""
    open_nodes = [(tree, "", False)]
    while open_nodes:
        node, path, local = open_nodes.pop()
        inner_path, inner_local = path, local
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner_path = f"{path}.{node.name}" if path else node.name
            yield node.lineno, facts(node, inner_path, local)
            inner_local = local or not isinstance(node, ast.ClassDef)
        # A definition is a statement, so expressions need no visit.
        children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]
        open_nodes.extend((child, inner_path, inner_local) for child in reversed(children))


def facts(node, name, local):
    told = {
        "name": name,
        "local": local,
        "kind": type(node).__name__,
        "decorators": [ast.dump(each) for each in node.decorator_list],
        "docstring": ast.get_docstring(node, clean=False),
        "type parameters": [ast.dump(each) for each in getattr(node, "type_params", [])],
    }
    if isinstance(node, ast.ClassDef):
        told["bases"] = [ast.dump(each) for each in node.bases]
        told["keywords"] = [ast.dump(each) for each in node.keywords]
    else:
        told["arguments"] = ast.dump(node.args)
        told["return annotation"] = ast.dump(node.returns) if node.returns else None
    return told


def surroundings(source, ours):
    """Imports, names that are assigned to and the module's docstring: outside functions all of them are kept."""
    problems = []
    if ast.get_docstring(source, clean=False) != ast.get_docstring(ours, clean=False):
        problems.append(["docstring of the module differs", 1, ""])
    wanted, found = list(outer(source)), list(outer(ours))
    if [text for _, text in wanted] != [text for _, text in found]:
        left = Counter(text for _, text in found)
        lost = []
        for line, text in wanted:
            if left[text] > 0:
                left[text] -= 1
            else:
                lost.append([f"{text.split('(')[0].lower()} outside functions is missing", line, text[:80]])
        problems += lost or [["order of statements differs", 0, ""]]
    return problems


def outer(tree):
    open_nodes = [tree]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign)):
            yield node.lineno, ast.dump(node)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]
            open_nodes.extend(reversed(children))


if __name__ == "__main__":
    main()
