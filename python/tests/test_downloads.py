"""Imports of forecast services' files, as on the page docs/forecast/download.md."""

from __future__ import annotations

from pathlib import Path

import downloads
import pytest

import tidewise as tw

SOURCE = Path(__file__).parents[2] / "examples/washington/rtofs_washington_2024.nc"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("downloads")
    downloads.main(SOURCE, target)
    return target


@pytest.mark.parametrize("name", ["copernicus.nc", "hycom.nc", "roms_his.nc"])
def test_one_file_is_imported_without_options(folder: Path, name: str) -> None:
    ocean = tw.Environment.from_netcdf(folder / name, lagged=2)
    assert ocean.realization_count == 5


def test_files_of_one_time_each_are_joined(folder: Path) -> None:
    files = sorted(folder.glob("rtofs_glo_3dz_f*_6hrly_hvr_US_west.nc"))
    ocean = tw.Environment.from_netcdf(files, lagged=2, bbox=(-126.5, 47, -124.2, 49))
    assert len(files) == 12
    assert ocean.realization_count == 5
