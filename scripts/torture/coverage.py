"""Each kind of the campaign in words: what is done, and what must hold. `scripts/torture.sh
--describe` prints the table, which docs/trust/reliability.md contains."""

# kind: (what is done, what must hold)
COVERAGE = {
    "environments": (
        "an environment is damaged: bits, HDF5 structures, sizes up to 2^64, pages, length",
        "refused, or the answer of the undamaged file; another answer only where a number changed",
    ),
    "policies": ("`policy.h5` or `summary.json` of a run is damaged in the same way", "the same"),
    "checkpoints": (
        "a file of a half-done `env wind-driven-gyre` is damaged",
        "refused, or the result of an undisturbed run",
    ),
    "models": ("a stored model is damaged", "as for environments"),
    "processes": (
        "a decision process is damaged in HDF5, JSON, XML or text",
        "as for environments",
    ),
    "forecasts": ("a NetCDF forecast is damaged (CDF-1, 2, 5 and NetCDF-4)", "as for environments"),
    "texts": (
        "missions, batch files and GeoJSON: infinities, wrong types, deep nesting, long keys, "
        "control characters",
        "refused where the damage can be recognised",
    ),
    "kill": (
        "SIGKILL at up to three random moments, then the same command again",
        "the result of an undisturbed run, byte for byte",
    ),
    "disk": ("a small file system, or a limit on the size of files", "status 1, nothing left"),
    "memory": ("little address space", "status 1, nothing left"),
    "descriptors": ("few file descriptors", "status 1, nothing left"),
    "threads": ("few threads (as root only)", "status 1, nothing left"),
    "streams": ("stdin, stdout, stderr closed, full or without a reader", "whole files, or none"),
    "folders": ("the working folder is removed", "refused, nothing left"),
    "words": ("wrong options, pipes and devices as files", "status 2, nothing left"),
    "together": (
        "up to four of one command at one place",
        "each is done or refused; the result is that of one command",
    ),
    "tracks": (
        "a glider's track with fill values, other units, exchanged columns, wrong fixes, "
        "rows in another order",
        "refused, reported, or the same legs",
    ),
    "places": (
        "places outside, degrees as metres, one polygon written in two forms",
        "refused, or the same cells",
    ),
    "options": ("one of 65 options without a number, time or length", "status 2"),
    "exports": (
        "several formats at once, one unknown, killed or with little space",
        "all files whole, or none",
    ),
    "files": (
        "two files of one track, environments merged, a forecast in parts",
        "each leg counts once; the same forecast, or refused",
    ),
    "links": (
        "symbolic links at the names of temporary files, staging folders and locks",
        "the files behind the links are untouched; done or refused",
    ),
    "shapes": (
        "a dataset of a run or an environment with another shape, NaN, infinity, 1e12 or 1e300",
        "status 2, or not read",
    ),
    "sizes": (
        "sparse inputs of 3 to 50 GiB, grids that no memory holds",
        "status 2 within 2 s of processor time and 1 GiB",
    ),
    "overwriting": (
        "an output names an input, another output, a file of a run, or another kind of file",
        "status 2, every file as before; the same kind is replaced and keeps its permissions",
    ),
    "parts": (
        "files along time with other units, packing, fill values, clocks, depths or means; "
        "a file for each member",
        "the content of one plain file, or refused",
    ),
    "flags": (
        "tracks with flags of quality in many forms, fill positions, repeated positions",
        "the legs without the bad fixes, no current of 0; a refusal names the fix",
    ),
}


def coverage_table():
    rows = ["| kind | what is done | what must hold |", "| --- | --- | --- |"]
    return "\n".join(
        [*rows, *(f"| {kind} | {done} | {holds} |" for kind, (done, holds) in COVERAGE.items())]
    )
