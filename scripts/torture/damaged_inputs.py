"""Cases of damaged inputs: one file of an undamaged set is damaged, one command reads it."""

import os

import commands as c
from byte_damage import BINARY
from text_damage import TEXT

# kind: [(file that is damaged, commands that read it)]
_FORMS = ("h5", "h5", "h5", "json", "xml")
DAMAGED = {
    "environments": [
        (
            "gyre.h5",
            (
                c.CHECK,
                c.INFO,
                c.PLAN,
                c.BUILD,
                c.RESAMPLE,
                c.ROLLOUT,
                c.DRY_BATCH,
            ),
        ),
        ("ocean.h5", (c.CHECK_OCEAN, c.INFO_OCEAN, c.PLAN_OCEAN, c.RESAMPLE_OCEAN)),
        ("other.h5", (c.ROLLOUT_IN_OTHER,)),
    ],
    "policies": [
        (
            "run/policy.h5",
            (c.ROLLOUT, c.ROLLOUT_ELSEWHERE, c.ROLLOUT_IN_OTHER, c.COMPARE, c.REFINE),
        ),
        ("run/policy.h5", (c.ROLLOUT, c.ROLLOUT_ELSEWHERE, c.COMPARE, c.REFINE)),
        ("run/summary.json", (c.COMPARE,)),
    ],
    "checkpoints": [
        (f"o.h5.restart/{file}", (c.OCEAN,))
        for file in ("checkpoint.h5", "spun_up.h5", "levels_000000.h5", "options.txt")
    ],
    "models": [("model.h5", (c.PLAN_MODEL, c.SOLVE_MODEL))],
    "processes": [
        (
            f"world.{form}",
            (
                c.solve(f"world.{form}"),
                c.convert(f"world.{form}", "o.json"),
                c.convert(f"world.{form}", "o.h5"),
            ),
        )
        for form in _FORMS
    ],
    "forecasts": [(f"forecast{n}.nc", (c.bring_in(f"forecast{n}.nc"),)) for n in (1, 2, 5, 4, 4)],
    "texts": [
        ("m.toml", (c.CHECK, c.PLAN)),
        ("batch.toml", (c.DRY_BATCH, c.BATCH)),
        ("obstacles.geojson", (c.bring_in("forecast2.nc", "--obstacles", "obstacles.geojson"),)),
    ],
}
_TEXT_ENDINGS = (".json", ".xml", ".toml", ".geojson", ".txt")


def damage(rng, folder, file):
    """Damages one file; (name of the damage, whether a result that differs must be refused)."""
    path = folder / file
    data, status = path.read_bytes(), path.stat()
    how, must_tell = rng.choice(TEXT if path.suffix in _TEXT_ENDINGS else BINARY)
    damaged = how(rng, data)
    path.unlink()  # a link: what it points to stays whole
    path.write_bytes(damaged)
    # As a disk does that loses bytes: the file does not look newer. Or as an editor does.
    if rng.random() < 0.7:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    # compare shows what summaries hold as it stands there.
    if path.name == "summary.json":
        return how.__name__, False
    # Checkpoints are sealed: of theirs, no number may change in silence.
    sealed = path.parent.name == "o.h5.restart"
    return how.__name__, (must_tell or sealed) and damaged != data


def run_damaged(bench, kind, rng):
    """One case; gives (command, what was damaged, [(verdict, what)])."""
    file, readers = rng.choice(DAMAGED[kind])
    command = rng.choice(readers)
    expected = bench.answer(command)
    bench.restore()
    how, must_tell = damage(rng, bench.folder, file)
    # A run records its environment's bytes, also those behind the end that nobody reads.
    must_tell = must_tell and not (kind == "environments" and how == "extend")
    # A batch in which missions failed ends with 1, and other damaged inputs do not.
    statuses = (1, 2) if command.keeps_folder else (2,)
    outcome, found = bench.run_and_judge(command, statuses)
    if not found and outcome.status == 0:
        difference = c.difference(bench.read_answer(command, outcome), expected)
        if difference:
            found = [("silent" if must_tell else "changed", difference)]
    return command, f"{file}: {how}", found, outcome
