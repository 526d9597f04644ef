"""Each kind of the campaign in words: what is done, and what must hold. `scripts/torture.sh
--describe` prints the table, which docs/trust/reliability.md contains."""

# kind: (what is done, what must hold)
COVERAGE = {
    "environments": (
        "an environment is damaged",
        "refused, or the undamaged answer; another only where a number changed",
    ),
    "policies": ("`policy.h5` or `summary.json` is damaged", "the same"),
    "checkpoints": (
        "a file of a half-done `env wind-driven-gyre` is damaged",
        "refused, or the undisturbed result",
    ),
    "models": ("a stored model is damaged", "as for environments"),
    "processes": ("a decision process is damaged", "as for environments"),
    "forecasts": ("a NetCDF forecast is damaged", "as for environments"),
    "texts": (
        "missions, batch files, GeoJSON: wrong values and types, deep nesting, control characters",
        "refused where recognisable",
    ),
    "kill": (
        "SIGKILL at random moments, then the same command again",
        "the undisturbed result, byte for byte",
    ),
    "disk": ("a small file system, a limit on file size", "status 1, nothing left"),
    "memory": ("little address space", "status 1, nothing left"),
    "descriptors": ("few file descriptors", "status 1, nothing left"),
    "threads": ("few threads (as root only)", "status 1, nothing left"),
    "streams": ("stdin, stdout, stderr closed, full or unread", "whole files, or none"),
    "folders": ("the working folder is removed", "refused, nothing left"),
    "words": ("wrong options, pipes and devices as files", "status 2, nothing left"),
    "together": (
        "up to four of one command at one place",
        "each is done or refused; one command's result",
    ),
    "tracks": (
        "fill values, other units, exchanged columns, wrong fixes, another order of rows",
        "refused, reported, or the same legs",
    ),
    "places": (
        "places outside, degrees as metres, a polygon in two forms",
        "refused, or the same cells",
    ),
    "options": ("one of 65 options with a malformed value", "status 2"),
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
        "a dataset with another shape, NaN, infinity or huge numbers",
        "status 2, or not read",
    ),
    "sizes": (
        "sparse inputs of 3 to 50 GiB, grids that no memory holds",
        "status 2 within 2 s of processor time and 1 GiB",
    ),
    "overwriting": (
        "an output names an input, another output, or another kind of file",
        "status 2, every file as before; the same kind is replaced",
    ),
    "parts": (
        "a forecast in several files, with other units, packing, clocks, depths or means",
        "the content of one plain file, or refused",
    ),
    "flags": (
        "quality flags in many forms, fill positions, repeated positions",
        "the legs without the bad fixes; a refusal names the fix",
    ),
}


def coverage_table():
    rows = ["| kind | what is done | what must hold |", "| --- | --- | --- |"]
    return "\n".join(
        [*rows, *(f"| {kind} | {done} | {holds} |" for kind, (done, holds) in COVERAGE.items())]
    )
