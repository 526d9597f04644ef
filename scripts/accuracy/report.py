"""The tables of docs/trust/reach_times.md."""

import statistics


def _percent(errors, of=statistics.mean):
    arrived = [error for error in errors if error is not None]
    if len(arrived) < len(errors):
        return f"{len(arrived)} of {len(errors)} arrive"
    value = 100 * of(arrived)
    if abs(value) < 5e-5:
        return "0.0000"
    digits = 1 if abs(value) >= 9.95 else 2 if abs(value) >= 0.0995 else 3 if abs(value) >= 0.00995 else 4
    return f"{value:+.{digits}f}".replace("-", "−")


def _greatest(errors):
    return max(errors, key=abs)


def _seconds(seconds):
    return f"{seconds:.3f}" if seconds < 0.1 else f"{seconds:.2f}" if seconds < 10 else f"{seconds:.0f}"


def _mean_and_greatest(errors):
    """Two columns; the greatest where all arrived."""
    arrived = sum(error is not None for error in errors)
    if arrived < len(errors):
        return f"{arrived} of {len(errors)} arrive |"
    return f"{_percent(errors)} | {_percent(errors, _greatest)}"


def _plans(results):
    """Both rules side by side."""
    columns = " | ".join(f"{rule}: {what}" for rule in ("by area", "by cell")
                         for what in ("promised", "flown", "greatest", "s"))
    yield f"| cells | step | headings | {columns} |"
    yield "| --- |" + " --- |" * 10
    plans = {}
    for row in results["rows"]:
        if row["planner"] == "tidewise":
            plans.setdefault((row["cells_a_step"], row["cells"], row["headings"]), {})[
                row["landing"]] = row
    for (pace, cells, headings), rules in plans.items():
        figures = " | ".join(
            f"{_percent(row['promised'])} | {_mean_and_greatest(row['flown'])} | "
            f"{_seconds(row['median_seconds'])}" if row else " | | | "
            for row in map(rules.get, ("area", "cell")))
        yield f"| {cells}² | {pace * results['flow']['side'] / cells:g} | {headings} | {figures} |"


def _level_sets(results):
    rows = [row for row in results["rows"] if row["planner"] == "hj_reachability"]
    if rows:
        yield "| nodes | promised | greatest | flown | greatest | s | compiling, once |"
        yield "| --- |" + " --- |" * 6
    for row in rows:
        yield (f"| {row['nodes']}² | {_mean_and_greatest(row['promised'])} | "
               f"{_mean_and_greatest(row['flown'])} | {_seconds(row['median_seconds'])} | "
               f"{_seconds(row['compiling'])} |")


def _by_starts(results):
    """The finest plans and hj_reachability, start by start."""
    area = [row for row in results["rows"] if row.get("landing") == "area"
            and row["cells_a_step"] == 1]
    cells = max(row["cells"] for row in area)
    finest = [row for row in area if row["cells"] == cells]
    held = next(entry["errors"] for entry in results["by_steps"]
                if entry["step"] == finest[0]["step"])
    columns = [("the least by steps", held)]
    columns += [(f"flown, {row['headings']} headings", row["flown"]) for row in finest]
    columns += [(f"promised, {finest[0]['headings']} headings", finest[0]["promised"])]
    levels = [row for row in results["rows"] if row["planner"] == "hj_reachability"]
    columns += [(f"hj_reachability, {row['nodes']}²", row["promised"]) for row in levels[-1:]]
    if "extrapolated" in results:
        columns += [("extrapolated", results["extrapolated"]["errors"])]
    yield "| start | optimum | " + " | ".join(name for name, _ in columns) + " |"
    yield "| --- | --- |" + " --- |" * len(columns)
    for n, (start, best) in enumerate(zip(results["mission"]["starts"], results["optimum"])):
        cells = " | ".join(_percent([errors[n]]) for _, errors in columns)
        yield f"| {start[0]}, {start[1]} | {best:.4f} | {cells} |"


def _by_steps(results):
    yield "| step | " + " | ".join(f"{entry['step']:g}" for entry in results["by_steps"]) + " |"
    yield "| --- |" + " --- |" * len(results["by_steps"])
    for name, of in (("mean", statistics.mean), ("greatest", _greatest)):
        yield f"| {name} | " + " | ".join(_percent(entry["errors"], of)
                                          for entry in results["by_steps"]) + " |"


def table(results):
    """All four, in Markdown; errors in per cent of the optimum."""
    parts = (_plans, _level_sets, _by_starts, _by_steps)
    tables = ("\n".join(part(results)) for part in parts)
    return "\n\n".join(text for text in tables if text)
