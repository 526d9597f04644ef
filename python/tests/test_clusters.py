"""A batch on a Dask cluster has the results of a single process, even if workers are killed."""

from __future__ import annotations

import gc
import os
import random
import re
import signal
import time
import warnings

import dask
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster, wait
from inspection import assert_same_bits

import tidewise as tw
from tidewise.batches import _write_batch
from tidewise.clusters import run_part

KILLS = int(os.environ.get("TIDEWISE_KILLS", "3"))  # 30 in the nightly run
MISSIONS = int(os.environ.get("TIDEWISE_MISSIONS", "0"))  # 2000 in the nightly run
VARYING = re.compile(r"seconds_|pass_")  # columns that depend on clock or parts


@pytest.fixture(scope="module")
def client():
    """Four workers, each a process that is restarted when it ends."""
    # By default a LocalCluster drops workers that are silent for 15 s, which happens on a busy machine.
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1h"}),
        LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as connected,
    ):
        yield connected


@pytest.fixture(scope="module")
def mission(tmp_path_factory):
    ocean = tw.Environment.double_gyre(nx=20, ny=20, levels=25, modes=2, realizations=30)
    ocean = ocean.save(tmp_path_factory.mktemp("ocean") / "gyre.h5")
    vehicle = tw.Vehicle(speeds=[0.8, 1.6], headings=8)
    return tw.Mission(ocean, vehicle, start=(10.5, 4.5), target=(10.5, 16.5), target_radius=1.5)


@pytest.fixture(scope="module")
def missions():
    """Six groups with shared transition counts, and a mission that cannot be planned."""
    rows = [
        {"vehicle.speeds": [speed], "mission.objective": objective, "mission.departure": departure}
        for speed in (0.7, 0.9, 1.1, 1.3, 1.5, 1.7)
        for objective in ("time", "arrival")
        for departure in (0, 2, 5)
    ]
    return pd.DataFrame([*rows, {**rows[0], "mission.departure": 24}])


@pytest.fixture(scope="module")
def single(mission, missions, tmp_path_factory):
    """The table of a batch that a single process plans."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tw.batch(missions, mission, out=tmp_path_factory.mktemp("single") / "b", threads=1)


def plain(table):
    """Return the table without columns that depend on the clock, and without folders."""
    table = table.drop(columns=[name for name in table if VARYING.match(name)])
    return table.assign(directory=[os.path.basename(name) for name in table["directory"]])


def assert_same(ours, theirs):
    pd.testing.assert_frame_equal(plain(ours), plain(theirs))
    done = theirs["status"] == "done"
    for one, other in zip(ours["directory"][done], theirs["directory"][done], strict=True):
        for name in ("policy.h5", "trajectories.nc"):
            assert_same_bits(f"{one}/{name}", f"{other}/{name}")


def test_writes_the_files_of_a_single_process(client, mission, missions, single, tmp_path):
    reports = []
    filling = tw.batch(
        missions, mission, out=tmp_path / "b", client=client, progress=lambda *a: reports.append(a)
    )
    assert len(filling) == len(missions)
    rows = list(filling)
    assert sorted(row.mission for row in rows) == list(range(len(missions)))
    with pytest.warns(tw.PlanWarning, match="1 of 37 missions failed"):
        table = filling.result()
    assert_same(table, single)
    assert table["message"].iloc[36].startswith("table: row 36: mission.departure is 24")
    assert {work for work, *_ in reports} == {"missions"} and reports[-1][1:3] == (37, 37)
    assert "36 done, 1 failed" in repr(filling)
    html = filling._repr_html_()
    assert "<td" in html and "rollout_arrival_rate" in html


def test_missions_that_share_counts_go_to_one_worker(client, mission, missions, tmp_path):
    filling = tw.batch(missions, mission, out=tmp_path / "b", client=client)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = filling.result()
    assert len(filling._parts) == 6
    done = table[table["status"] == "done"]
    assert (done["pass_missions"] == 6).all()


def test_killed_worker_loses_no_mission(client, mission, missions, single, tmp_path):
    moment = random.Random(20)
    before = time.monotonic()
    at_work = 0
    for kill in range(KILLS):
        client.wait_for_workers(4, timeout=300)
        filling = tw.batch(missions, mission, out=tmp_path / f"b{kill}", client=client)
        for _ in zip(range(moment.randrange(len(missions))), filling, strict=False):
            pass  # wait until some missions have ended
        time.sleep(moment.uniform(0, 0.4))
        workers = client.run(os.getpid)
        at_work += 0 if filling.done else 1
        os.kill(moment.choice(sorted(workers.values())), signal.SIGKILL)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert_same(filling.result(), single)
    whole = time.monotonic() - before
    print(f"{KILLS} kills in {whole:.0f} s, {at_work} of them while missions were at work")
    assert at_work > 0


def test_resumes_a_cancelled_batch(client, mission, missions, single, tmp_path):
    filling = tw.batch(missions, mission, out=tmp_path / "b", client=client)
    next(iter(filling))
    filling.cancel()
    while not filling.done:
        time.sleep(0.1)
    with pytest.raises(tw.InputError, match="holds a batch already"):
        tw.batch(missions, mission, out=tmp_path / "b", client=client)
    again = tw.batch(missions, mission, out=tmp_path / "b", client=client, resume=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same(again.result(), single)


def test_table_fills_without_a_reference(client, mission, missions, tmp_path):
    parts = len(tw.batch(missions, mission, out=tmp_path / "b", client=client)._parts)
    gc.collect()
    assert parts == 6
    table, until = tmp_path / "b" / "batch.csv", time.monotonic() + 300
    while not table.is_file() or (pd.read_csv(table)["status"] == "not_run").any():
        assert time.monotonic() < until
        time.sleep(0.2)


def test_reports_a_cluster_that_was_shut_down(mission, missions, tmp_path):
    with LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster:
        disconnected = Client(cluster)
        disconnected.shutdown()
        with pytest.raises(tw.InputError, match=r"^client: its cluster does not answer \(it is"):
            tw.batch(missions, mission, client=disconnected, out=tmp_path / "b")


def test_rejects_workers_without_threads(client, mission, missions, tmp_path):
    filling = tw.batch(missions, mission, client=client, out=tmp_path / "b", threads=0)
    with pytest.raises(tw.InputError, match=r"^threads.*\[key_value_invalid\]$"):
        filling.result()


def test_cancels_a_batch_before_a_worker_begins(client, mission, missions, tmp_path):
    """The batch's folder does not exist yet."""
    file = _write_batch(missions, mission, tmp_path)
    busy = [client.submit(time.sleep, 2, pure=False) for _ in range(4)]
    filling = tw.batch(file, client=client, out=tmp_path / "deep" / "b")
    filling.cancel()
    wait(busy)
    with pytest.raises(tw.RunError, match="37 of 37 missions were not run; go on with resume=True"):
        filling.result()
    options = {"batch": file, "out": tmp_path / "deep" / "b"}
    assert run_part(options, "1/1", stop=str(filling._stop)) == "cancelled"
    assert not (tmp_path / "deep" / "b" / "batch.csv").exists()


@pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")
def test_rejects_parts_of_another_batch(mission, missions, tmp_path):
    tw.batch(missions[:2], mission, out=tmp_path / "b", array="1/1", threads=1)
    with pytest.raises(tw.InputError, match=r"with resume \[run_of_another_batch\]$"):
        tw.batch(missions[2:4], mission, out=tmp_path / "b", array="1/1", threads=1)
    tw.batch(missions[2:4], mission, out=tmp_path / "b", array="1/1", threads=1, resume=True)


@pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")
def test_resumes_a_changed_batch(client, mission, missions, tmp_path):
    def run(rows, resume):
        out = tmp_path / "b"
        return tw.batch(rows, mission, out=out, client=client, resume=resume).result()

    run(missions[:2], False)
    assert (run(missions[1:4], True)["status"] == "done").all()


def test_reports_wrong_input_before_parts_are_distributed(client, mission, missions, tmp_path):
    with pytest.raises(tw.InputError, match="give out"):
        tw.batch(missions, mission, client=client)
    with pytest.raises(tw.InputError, match=r"row 0: .*mission.depature.*\[key_misspelled\]$"):
        wrong = missions.rename(columns={"mission.departure": "mission.depature"})
        tw.batch(wrong, mission, client=client, out=tmp_path / "b")
    with pytest.raises(tw.InputError, match="no Dask client"):
        tw.batch(missions, mission, client="tcp://scheduler", out=tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_parallel_parts_write_the_same_table(mission, missions, single, tmp_path):
    """Run the parts in sequence and in any order, like the tasks of an array."""
    for part in ("2/3", "3/3", "1/3", "3/3"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = tw.batch(missions, mission, out=tmp_path / "b", array=part, threads=1)
    assert_same(table, single)


@pytest.mark.skipif(MISSIONS == 0, reason="takes minutes; TIDEWISE_MISSIONS=2000")
def test_plans_thousands_of_missions(client, mission, tmp_path):
    side = int(np.ceil(np.sqrt(MISSIONS / 20)))
    rows = [
        {
            "vehicle.speeds": [0.6 + 0.05 * group],
            "mission.target": [4.5 + 12.0 * column / side, 8.5 + 8.0 * row / side],
        }
        for group in range(20)
        for column in range(side)
        for row in range(side)
    ][:MISSIONS]
    before = time.monotonic()
    filling = tw.batch(pd.DataFrame(rows), mission, out=tmp_path / "b", client=client)
    handed = time.monotonic() - before
    first = next(iter(filling))
    first_row = time.monotonic() - before
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = filling.result()
    whole = time.monotonic() - before
    assert (table["status"] == "done").sum() == MISSIONS and first.status == "done"
    print(
        f"{MISSIONS} missions in {len(filling._parts)} parts by 4 workers: handed out after "
        f"{handed:.1f} s, first row after {first_row:.1f} s, all after {whole:.1f} s"
    )


def test_run_part_returns_why_missions_were_not_run(tmp_path):
    with pytest.raises(tw.InputError, match=r"\[mission_file_missing\]$"):
        run_part({"batch": tmp_path / "none.toml"}, "1/2")
