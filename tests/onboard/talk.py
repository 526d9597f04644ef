"""Sends policy_daemon the requests of a mission computer and of a Slocum glider, and compares its
answers with 'tidewise lookup' of the run: talk.py TIDEWISE DAEMON FOLDER."""

import datetime
import functools
import json
import math
import subprocess
import sys

tidewise, daemon, folder = sys.argv[1:]


def ask(lines, *words, policy="ocean.twp"):
    done = subprocess.run(
        [daemon, policy, *words],
        cwd=folder,
        input="".join(lines),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


def look_up(lon, lat, time):
    done = subprocess.run(
        [tidewise, "lookup", "ocean", "--at", f"{lon},{lat}", "--time", str(time), "--json", "--value"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def sentence(body):
    return f"${body}*{functools.reduce(lambda sum, c: sum ^ ord(c), body, 0):02X}\r\n"


def minutes(degrees):
    """Converts to the form of m_lat and m_lon: -16.5 becomes -1630."""
    whole = math.trunc(degrees)
    return f"{whole * 100 + (degrees - whole) * 60:.6f}"


def angle_between(a, b, period):
    return abs((a - b + period / 2) % period - period / 2)


start = 1709251200  # the first time of forecast4.nc
times = [start + 3600 * n for n in range(-6, 40, 5)]
places = [(-19 + 0.37 * i, 41 + 0.41 * j) for i in range(9) for j in range(8)] + [(341.0, 41.0), (0, 0)]
questions = [(lon, lat, times[n % len(times)]) for n, (lon, lat) in enumerate(places)]

answers, _ = ask(json.dumps({"time": t, "lon": lon, "lat": lat}) + "\n" for lon, lat, t in questions)
assert len(answers) == len(questions), "one answer for each question"
statuses = {}
for (lon, lat, t), text in zip(questions, answers):
    answer, expected = json.loads(text), look_up(lon, lat, t)
    assert answer["status"] == expected["status"], (lon, lat, t, answer, expected)
    assert answer["level"] == expected["level"]
    statuses[answer["status"]] = statuses.get(answer["status"], 0) + 1
    if answer["status"] == "ok":
        assert angle_between(answer["bearing"], expected["bearing"], 360) < 0.1, (answer, expected)
        assert angle_between(answer["heading"], expected["heading"], 2 * math.pi) < 1e-5
        assert abs(answer["speed"] - expected["speed"]) < 1e-6
        assert abs(answer["value"] - expected["value"]) <= abs(expected["value"]) / 2000
    else:
        assert answer["bearing"] is None and answer["speed"] is None
assert statuses.get("ok", 0) > 20 and statuses.get("outside", 0) > 0, statuses
assert statuses.get("too early", 0) > 0, statuses

# Each kind of bad question has its own answer.
lon, lat, t = next(q for q, text in zip(questions, answers) if json.loads(text)["status"] == "ok")
place = f'"lon": {lon}, "lat": {lat}'
bad = {
    "{" * 5000: (100, "line too long"),
    "nonsense": (101, "no JSON object"),
    "$SD,2:1*00": (101, "no JSON object"),
    "[1, 2]": (101, "no JSON object"),
    '{"time": 1': (101, "no JSON object"),
    '{"time": 1} and more': (101, "no JSON object"),
    '{"time": 1,}': (101, "no JSON object"),
    '{"time": {"s": 1}, ' + place + "}": (101, "no JSON object"),
    '{"time": 1-2, ' + place + "}": (101, "no JSON object"),
    '{"time: 1, ' + place: (101, "no JSON object"),
    "{}": (102, "no time"),
    "{" + place + ', "time": null}': (102, "no time"),
    '{"Time": 1, ' + place + "}": (102, "no time"),
    '{"time": "now", ' + place + "}": (103, "bad time"),
    '{"time": NaN, ' + place + "}": (103, "bad time"),
    '{"time": true, ' + place + "}": (103, "bad time"),
    f'{{"time": {t}}}': (105, "no place"),
    f'{{"time": {t}, "lon": 1}}': (106, "half a place"),
    f'{{"time": {t}, "y": 1, "x": null}}': (106, "half a place"),
    f'{{"time": {t}, "x": 1, "y": 2, {place}}}': (107, "two places"),
    f'{{"time": {t}, "lon": "17W", "lat": 41}}': (108, "bad number"),
    f'{{"time": {t}, "lon": Infinity, "lat": 41}}': (108, "bad number"),
}
for date in ("2024-2-28", "2024-02-30T00:00Z", "2023-02-29", "2024-03-01T24:00", "2024-03-01T12", "2024-03-01T12:00ZZ",
             "2024-03-01T12:00+1", "2024-03-01T12:00:00.", "1 March", ""):  # fmt: skip
    bad[json.dumps({"time": date, "lon": lon, "lat": lat})] = (103, "bad time")
refusals, _ = ask(line + "\n" for line in bad)
assert len(refusals) == len(bad), refusals
for (line, (code, status)), text in zip(bad.items(), refusals):
    answer = json.loads(text)
    assert (answer["code"], answer["status"]) == (code, status), (line, answer)
    assert answer["bearing"] is None and "send" in answer["message"], answer
gyre_date, _ = ask(['{"time": "2024-03-01", "x": 4.5, "y": 4.5}\n'], policy="gyre.twp")
assert json.loads(gyre_date[0])["code"] == 104, gyre_date

# A date has the same answer as its seconds; other members are ignored.
moment = datetime.datetime.fromtimestamp(t, datetime.timezone.utc)
east = moment.astimezone(datetime.timezone(datetime.timedelta(hours=5, minutes=30)))
forms = [moment.strftime(form) for form in ("%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S.000z")]
forms += [east.isoformat(), east.strftime("%Y-%m-%dT%H:%M%z")]
dated, _ = ask(json.dumps({"id": 'a "b"', "time": form, "lon": lon, "lat": lat}) + "\n" for form in forms)
(seconds,), _ = ask([json.dumps({"time": t, "lon": lon, "lat": lat}) + "\n"])
assert json.loads(seconds)["code"] == 0 and all(text == seconds for text in dated), (seconds, dated)
for date in ("1970-01-01", "2000-02-29T23:59:59Z", "2024-12-31T12:00Z", "2100-03-01T00:00Z"):
    known = datetime.datetime.fromisoformat(date.replace("Z", "+00:00"))
    exact = known.replace(tzinfo=datetime.timezone.utc).timestamp()
    pair, _ = ask(json.dumps({"time": time, "lon": lon, "lat": lat}) + "\n" for time in (date, exact))
    assert pair[0] == pair[1], (date, pair)

# Magnetic bearings, east positive.
(answer,), _ = ask([json.dumps({"time": t, "lon": lon, "lat": lat}) + "\n"], "--declination", "-16.5")
answer = json.loads(answer)
assert json.loads(seconds)["magnetic"] is None
assert angle_between(answer["magnetic"], answer["bearing"] + 16.5, 360) < 1e-3, answer

# A glider sends its sensors one by one; values that it does not repeat remain valid.
expected = look_up(lon, lat, t)
sent = [
    sentence("HI"),
    sentence(f"SD,2:{t},8:{minutes(lat)}"),
    sentence(f"SD,9:{minutes(lon)},5:0.31"),
    sentence(f"SD,2:{t}")[:-4] + "00\r\n",  # damaged in transmission
    sentence("SD,8:69696969"),  # the glider's value for unknown
    sentence("BY"),
]
replies, error_text = ask(sent, "--slocum", "2,8,9,0,1", "--declination", "16.5")
assert len(replies) == 2, replies
assert error_text.count("checksum") == 1, error_text
body, _, sum = replies[0][1:].partition("*")
assert sentence(body) == replies[0] + "\r\n", "the checksum is right"
word, heading, status = body.split(",")
assert word == "SW" and status == "1:0", replies
assert heading.startswith("0:")
assert angle_between(math.degrees(float(heading[2:])), expected["bearing"] - 16.5, 360) < 0.1, (heading, expected)
assert 0 <= float(heading[2:]) < 2 * math.pi
assert replies[1].startswith("$SW,1:4*"), "no heading without a position; the status gives the reason"
print(f"   {len(answers)} questions: {statuses}; a glider steered by {heading[2:]} rad")
