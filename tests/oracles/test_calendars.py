"""Dates of all calendars, compared with cftime."""

import os
import subprocess

import cftime
import numpy as np
import pytest

DATES = 1000
UNITS = {
    "days": 86400,
    "day": 86400,
    "d": 86400,
    "hours": 3600,
    "hr": 3600,
    "h": 3600,
    "minutes": 60,
    "min": 60,
    "seconds": 1,
    "sec": 1,
    "s": 1,
    "milliseconds": 1e-3,
    "msec": 1e-3,
    "microseconds": 1e-6,
}
REFERENCES = {  # dates that exist in the calendar, in spellings of files
    "standard": (
        "-4713-01-01 12:00:00",
        "-0001-12-31",
        "1-1-1 0:0:0.0",
        "1582-10-04",
        "1582-10-15",
    ),
    "julian": ("-4713-01-01 12:00:00", "-0005-02-29", "1500-02-29", "1900-02-29T06:00:00Z"),
    "proleptic_gregorian": ("0000-02-29", "-4713-11-24 12:00:00", "0001-01-01", "1600-02-29"),
    "noleap": ("0000-01-01", "-0001-12-31 23:59:59.5", "1850-01-01", "2001-02-28T18:00"),
    "all_leap": ("0000-02-29", "-0004-02-29", "1901-02-29 12:30", "2000-12-31"),
}
COMMON = ("1900-01-01", "1970-01-01T00:00:00Z", "2000-01-01 00:00:00 -06:00", "2024-10-28 +0530")
ALIASES = {"gregorian": "standard", "365_day": "noleap", "366_day": "all_leap", "": "standard"}
JULIAN_DAY_OF_1970 = 2440587.5


@pytest.fixture(scope="module")
def read_times():
    """A function that converts (calendar, units, value) to seconds since 1970 or an error line."""

    def read(questions):
        text = "".join(f"{calendar};{units};{value!r}\n" for calendar, units, value in questions)
        program = os.environ["TIDEWISE_READ_TIMES"]
        done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    return read


def expected(calendar, units, value):
    """Return seconds since 1970 by cftime; None for a date that no Gregorian year has.

    Seconds count days of the date's calendar. In calendars with years of equal length, they are
    those of the same date in the Gregorian calendar.
    """
    date = cftime.num2date(value, units, calendar)
    if calendar in ("noleap", "all_leap"):
        parts = (date.year, date.month, date.day, date.hour, date.minute, date.second)
        try:
            date = cftime.datetime(*parts, date.microsecond, calendar="proleptic_gregorian")
        except ValueError:
            return None
    # The day begins at midnight, and the Julian day number at noon.
    day = cftime.datetime(
        date.year, date.month, date.day, calendar=date.calendar, has_year_zero=date.has_year_zero
    ).toordinal(fractional=True)
    seconds = date.hour * 3600 + date.minute * 60 + date.second + date.microsecond / 1e6
    return (float(day) - JULIAN_DAY_OF_1970) * 86400 + seconds


@pytest.mark.parametrize("name", [*REFERENCES, *ALIASES])
def test_times_equal_those_of_cftime(read_times, name):
    calendar = ALIASES.get(name, name)
    random = np.random.default_rng(41)
    questions = []
    for _ in range(DATES):
        unit = str(random.choice(list(UNITS)))
        reference = str(random.choice(REFERENCES[calendar] + COMMON))
        target = random.uniform(-2.0e11, 2.0e11)  # [s] from 1970
        if UNITS[unit] < 1:
            reference, target = "1970-01-01", target / 100
        start = expected(calendar, f"days since {reference}", 0)
        start = 0 if start is None else start
        value = (target - start) / UNITS[unit]
        value = round(float(value), 4 if random.random() < 0.5 else 0)
        questions.append((name, f"{unit} since {reference}", value))
    wrong = []
    for question, answer in zip(questions, read_times(questions), strict=True):
        seconds = expected(calendar, question[1], question[2])
        is_right = (
            answer.startswith("refused: holds 29 February")
            if seconds is None
            else (not answer.startswith("refused") and abs(float(answer) - seconds) <= 0.51)
        )
        if not is_right:
            wrong.append((question, answer, seconds))
    assert not wrong, (len(wrong), wrong[:5])


@pytest.mark.parametrize(
    ("calendar", "reference"),
    [
        ("standard", "0000-01-01"),
        ("julian", "0000-06-01"),
        ("standard", "1582-10-10"),
        ("standard", "-0004-02-29"),
        ("noleap", "2000-02-29"),
        ("proleptic_gregorian", "1900-02-29"),
        ("proleptic_gregorian", "1500-02-29"),
        ("julian", "1901-02-29"),
        ("all_leap", "1901-02-30"),
        ("standard", "2000-13-01"),
    ],
)
def test_dates_that_cftime_refuses_are_refused(read_times, calendar, reference):
    with pytest.raises(ValueError):  # noqa: PT011
        cftime.num2date(0, f"days since {reference}", calendar)
    (answer,) = read_times([(calendar, f"days since {reference}", 0.0)])
    assert answer.startswith("refused: "), answer


def test_other_calendars_and_units_are_refused_by_name(read_times):
    wrong = [
        ("360_day", "days since 2000-01-01"),
        ("tai", "days since 2000-01-01"),
        ("standard", "months since 2000-01-01"),
        ("noleap", "common_years since 2000-01-01"),
        ("standard", "years since 2000-01-01"),
        ("standard", "parsecs since 2000-01-01"),
    ]
    answers = read_times([(*pair, 1.0) for pair in wrong])
    for (calendar, units), answer in zip(wrong, answers, strict=True):
        assert answer.startswith("refused: "), answer
        assert calendar in answer or units in answer, answer
