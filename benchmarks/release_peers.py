"""Run a task of anjana, pycanon, anonypy or Mondrian and print its figures, without Sottovoce.

PYTHON benchmarks/release_peers.py TASK TABLE.csv HIERARCHIES K L SUPPRESSION REPEAT

To create an environment: ``python -m venv FOLDER; FOLDER/bin/pip install anonypy anjana pycanon``. Mondrian
is github.com/qiyuangong/Mondrian; set PYTHONPATH to the folder of its mondrian.py.
"""

import argparse
import contextlib
import csv
import io
import json
import pathlib
import resource
import time

import numpy as np
import pandas as pd


def main() -> None:
    """Time the task, save its table next to the input, print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task")
    parser.add_argument("path", metavar="TABLE.csv")
    parser.add_argument("folder", metavar="HIERARCHIES")
    parser.add_argument("k", type=int)
    parser.add_argument("l", type=int)
    parser.add_argument("suppression", type=float)
    parser.add_argument("repeat", type=int)
    given = parser.parse_args()
    task, path, folder = given.task, given.path, given.folder
    k, l_value, suppression, repeat = given.k, given.l, given.suppression, given.repeat
    data = pd.read_csv(path, dtype=str)
    sensitive = data.columns[-1]
    quasi = list(data.columns[:-1])
    seconds, processor, extra = [], [], {}
    for _ in range(repeat):
        began, begun = time.perf_counter(), time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            extra = TASKS[task](data, quasi, sensitive, pathlib.Path(folder), k, l_value, suppression, path)
        seconds.append(time.perf_counter() - began)
        processor.append(time.process_time() - begun)
        if sum(seconds) > 120:
            break
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"task": task, "seconds": seconds, "processor": processor, "rss_mb": memory, **extra}))


def hierarchies(folder, quasi):
    """Return the levels of each column in the form that anjana expects."""
    found = {}
    for name in quasi:
        with open(folder / f"h_{name}.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file, delimiter=";"))
        found[name] = {level: np.array([row[level] for row in rows]) for level in range(len(rows[0]))}
    return found


def anjana_k(data, quasi, sensitive, folder, k, l_value, suppression, path):
    """k-anonymity by anjana."""
    from anjana.anonymity import k_anonymity

    made = k_anonymity(data.copy(), [], quasi, k, suppression, hierarchies(folder, quasi))
    made.to_csv(path + ".anjana.csv", index=False)
    return {"records": len(made)}


def anjana_l(data, quasi, sensitive, folder, k, l_value, suppression, path):
    """l-diversity by anjana."""
    from anjana.anonymity import l_diversity

    made = l_diversity(data.copy(), [], quasi, sensitive, k, l_value, suppression, hierarchies(folder, quasi))
    made.to_csv(path + ".anjana-l.csv", index=False)
    return {"records": len(made)}


def pycanon(data, quasi, sensitive, folder, k, l_value, suppression, path):
    """Compute all nine measures of pycanon."""
    from pycanon import anonymity

    alpha, reached = anonymity.alpha_k_anonymity(data, quasi, [sensitive])
    c, l_of_c = anonymity.recursive_c_l_diversity(data, quasi, [sensitive])
    return {
        "reached_k": int(anonymity.k_anonymity(data, quasi)),
        "k_of_alpha": int(reached),
        "alpha": float(alpha),
        "distinct_l": int(anonymity.l_diversity(data, quasi, [sensitive])),
        "entropy_l": float(anonymity.entropy_l_diversity(data, quasi, [sensitive])),
        "c": str(c),
        "c_l": str(l_of_c),
        "t": float(anonymity.t_closeness(data, quasi, [sensitive])),
        "basic_beta": float(anonymity.basic_beta_likeness(data, quasi, [sensitive])),
        "enhanced_beta": float(anonymity.enhanced_beta_likeness(data, quasi, [sensitive])),
        "delta": float(anonymity.delta_disclosure(data, quasi, [sensitive])),
    }


def anonypy(data, quasi, sensitive, folder, k, l_value, suppression, path):
    """Mondrian by anonypy; saves classes with their boxes."""
    import anonypy as package

    typed = data.copy()
    for name in quasi:
        typed[name] = pd.to_numeric(typed[name]) if name in NUMERIC else typed[name].astype("category")
    typed[sensitive] = typed[sensitive].astype("category")
    preserver = package.Preserver(typed, quasi, sensitive)
    rows = preserver.anonymize_l_diversity(k, l_value) if l_value > 1 else preserver.anonymize_k_anonymity(k)
    pd.DataFrame(rows).to_csv(path + ".anonypy.csv", index=False)
    return {"records": int(sum(row["count"] for row in rows))}


def mondrian(data, quasi, sensitive, folder, k, l_value, suppression, path):
    """Strict Mondrian with categories numbered in three ways; measures each search and saves the classes."""
    import mondrian as package

    searched = {}
    for order in ("as met", "frequent first", "rarest first"):
        columns = [
            pd.to_numeric(data[name]).tolist() if name in NUMERIC else number_values(data[name], order)
            for name in quasi
        ]
        rows = [[*row, at] for at, row in enumerate(zip(*columns, strict=True))]
        seconds = []
        for _ in range(TIMED):
            package.init(rows, k, len(quasi))
            high = [len(values) - 1 for values in package.QI_ORDER]
            begun = time.process_time()
            package.anonymize_strict(package.Partition(rows, [0] * len(quasi), high))
            seconds.append(time.process_time() - begun)
        searched[order] = min(seconds)
        number = np.empty(len(rows), dtype=int)
        for at, part in enumerate(package.RESULT):
            number[[member[-1] for member in part.member]] = at
        pd.DataFrame({"class": number}).to_csv(f"{path}.mondrian-{order}.csv", index=False)
    return {"records": len(data), "searched": searched}


def number_values(column, order):
    """Number the values of a categorical column."""
    if order == "as met":
        return pd.factorize(column)[0].tolist()
    values = column.value_counts(ascending=order == "rarest first").index
    return column.map({value: at for at, value in enumerate(values)}).tolist()


TIMED = 5
# Numeric columns of all measured tables; all other columns are categories.
NUMERIC = {
    "age",
    "education-num",
    "school",
    "lncoins",
    "lpi",
    "fmde",
    "physlm",
    "disea",
    "educ",
    "income",
    "PID",
    "assets",
    "yrs_married",
    "children",
    "religious",
    "occupation",
    "occupation_husb",
    "wt71",
    "education",
    "year",
    "height",
    "weight",
    "childs",
    "realrinc",
}
TASKS = {
    "anjana_k": anjana_k,
    "anjana_l": anjana_l,
    "pycanon": pycanon,
    "anonypy": anonypy,
    "mondrian": mondrian,
}

if __name__ == "__main__":
    main()
