"""The repository map of aider over all files of a folder, as `bench fit` measures it.

Takes the folder, a folder for what it remembers, and a file with the task; prints the map. As in aider itself, the words of the
task are the names that are mentioned. Its tokens are counted as a quarter of the characters: its own counter would have to fetch a
vocabulary, and would only take longer.
"""

import os
import re
import sys

from aider.repomap import RepoMap


class Model:
    def token_count(self, text):
        return len(text) / 4


class Silent:
    def __getattr__(self, name):
        return lambda *args, **kwargs: None

    def read_text(self, path, silent=False):
        try:
            with open(path, encoding="utf-8") as file:
                return file.read()
        except (OSError, UnicodeError):
            return None


def main(folder, memory, task):
    RepoMap.TAGS_CACHE_DIR = memory
    files = []
    for above, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        files.extend(os.path.join(above, name) for name in sorted(names))
    with open(task, encoding="utf-8") as file:
        mentioned = set(re.split(r"\W+", file.read()))
    repo_map = RepoMap(map_tokens=8192, root=folder, main_model=Model(), io=Silent(), refresh="files")
    print(repo_map.get_repo_map([], files, mentioned_idents=mentioned))


main(*sys.argv[1:])
