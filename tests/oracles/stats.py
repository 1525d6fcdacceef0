#!/usr/bin/env python3
"""Expected numbers for the unit tests of runner/stats, by other people's implementations where there are any.

Makes its own data from fixed seeds and writes stats.json beside itself. `make oracles` runs it with the packages of
requirements.txt and fails when the file changes.
"""

import itertools
import json
import pathlib

import krippendorff
import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

BOOTSTRAP_REPLICATES = 100_000
MISSING = None


def rounded(value):
    """12 significant digits: far below the tests' tolerance, above what differs between machines."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [rounded(item) for item in value]
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.12g}")
    return int(value) if isinstance(value, np.integer) else value


# Intervals and tests of regressions


def cluster_regression(values, design, clusters, level):
    """The last coefficient of an OLS with CR1 errors and Student's t."""
    fit = sm.OLS(values, design).fit(cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True)
    low, high = fit.conf_int(alpha=1 - level)[-1]
    return {
        "value": fit.params[-1],
        "standard_error": fit.bse[-1],
        "low": low,
        "high": high,
        "p": fit.pvalues[-1],
    }


def bootstrap(table, statistic, level, rng):
    """table: columns cluster, family and what the statistic takes; clusters are drawn within families."""
    families = [family.index.to_numpy() for _, family in table.groupby("family")]
    sums = table.drop(columns=["cluster", "family"]).to_numpy(dtype=float)
    values = np.empty(BOOTSTRAP_REPLICATES)
    for i in range(BOOTSTRAP_REPLICATES):
        drawn = np.concatenate([rng.choice(members, size=len(members)) for members in families])
        values[i] = statistic(sums[drawn].sum(axis=0))
    low, high = np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2])
    return {"low": low, "high": high}


# Samples


def clustered_values(rng, bases, families, sizes, draw):
    rows = []
    for base in range(bases):
        lean = rng.normal()
        for _ in range(rng.integers(*sizes)):
            rows.append([draw(lean), base, base % families])
    return rows


def sample_case(name, rows, level, rng):
    frame = pd.DataFrame(rows, columns=["value", "cluster", "family"])
    ones = np.ones((len(frame), 1))
    grouped = frame.groupby("cluster")
    table = pd.DataFrame(
        {
            "cluster": grouped.value.sum().index,
            "family": grouped.family.first().to_numpy(),
            "sum": grouped.value.sum().to_numpy(),
            "count": grouped.value.count().to_numpy(),
        }
    )
    return {
        "name": name,
        "level": level,
        "rows": rows,
        "robust": cluster_regression(frame.value.to_numpy(float), ones, frame.cluster.to_numpy(), level),
        "bootstrap": bootstrap(table, lambda s: s[0] / s[1], level, rng),
    }


def samples():
    rng = np.random.default_rng(20260711)
    outcome = lambda lean: int(rng.random() < 1 / (1 + np.exp(-lean)))
    quarters = lambda lean: rng.binomial(4, 1 / (1 + np.exp(-lean))) / 4
    likert = lambda lean: int(np.clip(round(3 + lean + rng.normal()), 1, 5))
    return [
        sample_case("outcomes", clustered_values(rng, 12, 3, (3, 20), outcome), 0.95, rng),
        sample_case("failure in quarters", clustered_values(rng, 30, 3, (1, 9), quarters), 0.95, rng),
        sample_case("scores", clustered_values(rng, 9, 2, (2, 12), likert), 0.9, rng),
    ]


# Two groups


def compared_values(rng, bases, units_a_base, effect):
    rows = []
    for base in range(bases):
        lean = rng.normal()
        for unit in range(units_a_base):
            saves = rng.random()
            for _ in range(rng.integers(1, 4)):
                first = int(rng.random() < saves)
                failure = rng.binomial(4, 1 / (1 + np.exp(-lean - effect * first))) / 4
                rows.append([failure, first, base * units_a_base + unit, base, base % 3])
    return rows


def paired_differences(frame, key):
    """Plain numpy: a unit's mean of one group less its mean of the other, where it has both."""
    differences, clusters, families = [], [], []
    for unit in np.unique(frame[key]):
        of_unit = frame[frame[key] == unit]
        first = of_unit.value[of_unit["first"] == 1].to_numpy()
        second = of_unit.value[of_unit["first"] == 0].to_numpy()
        if len(first) and len(second):
            differences.append(first.mean() - second.mean())
            clusters.append(of_unit.cluster.iloc[0])
            families.append(of_unit.family.iloc[0])
    return np.array(differences), np.array(clusters), np.array(families)


def paired_case(frame, key, level, rng):
    differences, clusters, families = paired_differences(frame, key)
    table = pd.DataFrame({"cluster": clusters, "family": families, "sum": differences, "count": 1})
    table = table.groupby("cluster").agg({"family": "first", "sum": "sum", "count": "sum"}).reset_index()
    result = cluster_regression(differences, np.ones((len(differences), 1)), clusters, level)
    assert np.isclose(result["value"], differences.mean())
    return {
        "pairs": len(differences),
        "clusters": len(np.unique(clusters)),
        "unpaired": len(np.unique(frame[key])) - len(differences),
        "robust": result,
        "bootstrap": bootstrap(table, lambda s: s[0] / s[1], level, rng),
        "sign_flip": sign_flip(table["sum"].to_numpy(), rng),
    }


def pooled_case(frame, level, rng):
    design = sm.add_constant(frame["first"].to_numpy(float))
    table = frame.assign(
        sum1=frame.value * frame["first"], sum0=frame.value * (1 - frame["first"]), n0=1 - frame["first"]
    )
    table = table.groupby("cluster").agg(
        {"family": "first", "sum1": "sum", "first": "sum", "sum0": "sum", "n0": "sum"}
    )
    table = table.reset_index()
    with np.errstate(invalid="ignore"):
        boot = bootstrap(table, lambda s: s[0] / s[1] - s[2] / s[3], level, rng)
    return {
        "robust": cluster_regression(frame.value.to_numpy(), design, frame.cluster.to_numpy(), level),
        "bootstrap": boot,
    }


def group_case(name, rows, level, rng):
    frame = pd.DataFrame(rows, columns=["value", "first", "unit", "cluster", "family"])
    return {
        "name": name,
        "level": level,
        "rows": rows,
        "pooled": pooled_case(frame, level, rng),
        "units": paired_case(frame, "unit", level, rng),
        "bases": paired_case(frame, "cluster", level, rng),
    }


def groups():
    rng = np.random.default_rng(20260712)
    return [
        group_case("fourteen base items", compared_values(rng, 14, 4, 1.0), 0.95, rng),
        group_case("forty base items", compared_values(rng, 40, 3, 0.4), 0.95, rng),
        group_case("six base items", compared_values(rng, 6, 5, 0.0), 0.9, rng),
    ]


# Permutation test


def enumerated_p(differences):
    observed = abs(differences.sum())
    slack = 1e-12 * np.abs(differences).sum()
    signs = np.array(list(itertools.product([1, -1], repeat=len(differences))))
    return float(np.mean(np.abs(signs @ differences) >= observed - slack))


def sign_flip(differences, rng):
    if len(differences) <= 16:
        p = enumerated_p(differences)
        scipy_p = stats.permutation_test(
            (differences,), np.sum, permutation_type="samples", n_resamples=2 ** len(differences)
        ).pvalue
        assert abs(p - scipy_p) < 1e-9, (p, scipy_p)
        return {"p": p, "exact": True}
    draws = 1_000_000
    signs = rng.integers(0, 2, size=(draws, len(differences)), dtype=np.int8) * 2 - 1
    slack = 1e-12 * np.abs(differences).sum()
    as_far = np.count_nonzero(np.abs(signs @ differences) >= abs(differences.sum()) - slack)
    return {"p": (as_far + 1) / (draws + 1), "exact": False}


def sign_flips():
    rng = np.random.default_rng(20260713)
    cases = [rng.normal(0.5, 1, size) for size in (2, 3, 7, 12, 16)]
    cases.append(np.array([0.25, 0.25, -0.25, 0.5, 0.0, 0.75, 0.25]))
    cases.append(rng.normal(0.3, 1, 17))
    cases.append(rng.normal(0.2, 1, 100))
    cases = [np.array(rounded(case)) for case in cases]
    return [{"differences": case, **sign_flip(case, rng)} for case in cases]


# Counts, many tests, raters


def wilson():
    cases = []
    for successes, runs in [(0, 1), (1, 1), (0, 12), (12, 12), (1, 10), (5, 10), (37, 160), (799, 1600), (51199, 51200)]:
        for level in (0.9, 0.95, 0.99):
            low, high = proportion_confint(successes, runs, alpha=1 - level, method="wilson")
            cases.append({"successes": successes, "runs": runs, "level": level, "low": low, "high": high})
    return cases


def holm():
    rng = np.random.default_rng(20260714)
    families = [[0.01, 0.04, 0.03, 0.005], [0.5, 0.5, 0.2, 0.9], [0.02], [0.03, 0.03, 0.001, 0.2, 0.0, 1.0]]
    families.append(rounded(rng.beta(0.3, 2, 24)))
    return [{"p": p, "adjusted": multipletests(p, method="holm")[1]} for p in families]


# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": examples A and C; a row is a rater.
TWO_OBSERVERS = [[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]
FOUR_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, MISSING, MISSING, MISSING],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, MISSING, 3],
    [MISSING, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, MISSING],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, MISSING],
]


def random_raters(rng, raters, units, missing):
    truth = rng.integers(1, 6, units)
    rows = []
    for _ in range(raters):
        scores = np.clip(truth + rng.integers(-1, 2, units), 1, 5)
        rows.append([MISSING if rng.random() < missing else int(score) for score in scores])
    return rows


def alphas():
    rng = np.random.default_rng(20260715)
    cases = [TWO_OBSERVERS, FOUR_OBSERVERS, random_raters(rng, 2, 50, 0.0), random_raters(rng, 5, 40, 0.4)]
    result = []
    for raters in cases:
        data = np.array([[np.nan if score is MISSING else score for score in row] for row in raters], dtype=float)
        scales = {
            scale: krippendorff.alpha(reliability_data=data, level_of_measurement=scale)
            for scale in ("nominal", "ordinal", "interval")
        }
        result.append({"raters": raters, **scales})
    return result


def agreement():
    rng = np.random.default_rng(20260716)
    reference = rng.integers(1, 6, 60)
    rated = np.clip(reference + rng.integers(-2, 3, 60), 1, 5)
    rows = [[int(a), int(b), int(i) % 10, int(i) % 2] for i, (a, b) in enumerate(zip(reference, rated))]
    for at in (7, 22):
        rows[at][0] = MISSING
    for at in (22, 41):
        rows[at][1] = MISSING
    frame = pd.DataFrame(rows, columns=["reference", "rated", "cluster", "family"]).dropna()
    crossed = pd.crosstab(frame.reference >= 3, frame.rated >= 3)

    def share(outcomes, clusters):
        outcomes = outcomes.to_numpy(float)
        low, high = proportion_confint(int(outcomes.sum()), len(outcomes), method="wilson")
        robust = cluster_regression(outcomes, np.ones((len(outcomes), 1)), clusters.to_numpy(), 0.95)
        return {"count": outcomes.sum(), "of": len(outcomes), "wilson": {"low": low, "high": high}, "robust": robust}

    failed = frame[frame.reference >= 3]
    passed = frame[frame.reference < 3]
    return {
        "rows": rows,
        "missing": len(rows) - len(frame),
        "exact": share(frame.reference == frame.rated, frame.cluster),
        "within_one_point": share((frame.reference - frame.rated).abs() <= 1, frame.cluster),
        "both_fail": crossed.loc[True, True],
        "only_reference_fails": crossed.loc[True, False],
        "only_rated_fails": crossed.loc[False, True],
        "both_pass": crossed.loc[False, False],
        "sensitivity": share(failed.rated >= 3, failed.cluster),
        "specificity": share(passed.rated < 3, passed.cluster),
    }


def main():
    oracles = {
        "wilson": wilson(),
        "samples": samples(),
        "groups": groups(),
        "sign_flips": sign_flips(),
        "holm": holm(),
        "alphas": alphas(),
        "agreement": agreement(),
    }
    lines = [f'"{name}": {json.dumps(rounded(value), separators=(",", ":"))}' for name, value in oracles.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    pathlib.Path(__file__).with_name("stats.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
