"""Functions replace no files of another kind unless requested."""

from __future__ import annotations

import os

import pytest

import tidewise as tw
from tidewise import mdp
from tidewise.command import main
from tidewise.saving import written_whole

NOTES = "what I must not forget\n"


@pytest.fixture
def notes(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text(NOTES)
    return path


def expect_refusal(call, *parts):
    with pytest.raises(tw.InputError) as error:
        call()
    assert all(word in str(error.value) for word in parts), error.value
    assert "--" not in str(error.value)


def test_plan_replaces_a_run_only_on_request(small_mission, tmp_path):
    out = tmp_path / "run"
    tw.plan(small_mission, out=out, backend="cpu", mode="none")
    before = (out / "policy.h5").read_bytes()
    expect_refusal(
        lambda: tw.plan(small_mission, out=out, backend="cpu"), "[run_exists]", "overwrite"
    )
    assert (out / "policy.h5").read_bytes() == before
    assert tw.plan(small_mission, out=out, backend="cpu", overwrite=True).has_flights


def test_save_replaces_no_run(small_run, tmp_path):
    small_run.save(tmp_path / "run")
    expect_refusal(lambda: small_run.save(tmp_path / "run"), "holds a run already")


def test_flights_replace_flights_only_on_request(small_run, tmp_path):
    small_run.rollout(time=3, out=tmp_path / "flown")
    expect_refusal(lambda: small_run.rollout(time=4, out=tmp_path / "flown"), "[run_exists]")
    small_run.rollout(time=4, out=tmp_path / "flown", overwrite=True)


def test_keeps_files_of_another_kind(small_run, small_mission, notes, tmp_path):
    run, ocean = small_run, small_mission.environment
    process = mdp.Process.from_arrays([[[0.5, 0.5], [0.0, 1.0]]], [1.0, 0.0], discount=0.5)
    solved = process.solve()
    calls = [
        lambda path, **more: run.view(path, **more),
        lambda path, **more: run.export(path, "csv", plane=True, **more),
        lambda path, **more: run.refine(path, realizations=2, **more),
        lambda path, **more: ocean.save(path, **more),
    ]
    for call in calls:
        notes.write_text(NOTES)
        expect_refusal(lambda call=call: call(notes), "[output_kind_differs]", "overwrite")
        assert notes.read_text() == NOTES
        call(notes, overwrite=True)
        call(notes)  # now the file is of the right kind
    for call, name in ((process.save, "p.json"), (solved.save, "s.txt"), (process.save, "p.h5")):
        path = tmp_path / name
        path.write_text(NOTES)
        expect_refusal(
            lambda call=call, path=path: call(path), "[output_kind_differs]", "overwrite"
        )
        call(path, overwrite=True)
        call(path)


def test_rejects_saving_an_environment_over_itself(small_mission, tmp_path):
    copy = small_mission.environment.save(tmp_path / "copy.h5")
    expect_refusal(lambda: copy.save(tmp_path / "copy.h5"), "[output_is_input]")
    expect_refusal(lambda: copy.save(tmp_path / "copy.h5", overwrite=True), "[output_is_input]")


def test_pictures_replace_pictures(small_run, tmp_path, capsys):
    options = [str(small_run.folder), "--only", "policy", "--out", str(tmp_path), "--dpi", "40", "--quiet"]
    (tmp_path / "policy.png").write_text(NOTES)
    assert main(options) == 2
    assert "policy.png: is there already and is no PNG" in capsys.readouterr().err
    assert (tmp_path / "policy.png").read_text() == NOTES
    assert main([*options, "--overwrite"]) == 0
    (tmp_path / "policy.png").chmod(0o640)
    assert main(options) == 0
    assert (tmp_path / "policy.png").stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["policy.png"]


def test_follows_no_link_in_a_pictures_folder(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text(NOTES)
    (tmp_path / f".map.{os.getpid()}.partial.png").symlink_to(victim)
    with written_whole(tmp_path / "map.png") as partial:
        partial.write_bytes(b"\x89PNG")
    assert victim.read_text() == NOTES
    assert (tmp_path / "map.png").read_bytes() == b"\x89PNG"
