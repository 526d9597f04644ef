"""Speaks with policy_daemon as a mission computer and as a Slocum glider would, and compares what it
says with 'tidewise lookup' in the run itself: talk.py TIDEWISE DAEMON FOLDER."""

import functools
import json
import math
import subprocess
import sys

tidewise, daemon, folder = sys.argv[1:]


def say(lines, *words):
    done = subprocess.run(
        [daemon, "ocean.twp", *words],
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
    """As m_lat and m_lon are: -16.5 is -1630."""
    whole = math.trunc(degrees)
    return f"{whole * 100 + (degrees - whole) * 60:.6f}"


def turn(a, b, whole):
    return abs((a - b + whole / 2) % whole - whole / 2)


start = 1709251200  # of forecast4.nc, found below
times = [start + 3600 * n for n in range(-6, 40, 5)]
places = [(-19 + 0.37 * i, 41 + 0.41 * j) for i in range(9) for j in range(8)] + [(341.0, 41.0), (0, 0)]
questions = [(lon, lat, times[n % len(times)]) for n, (lon, lat) in enumerate(places)]

answers, _ = say(json.dumps({"time": t, "lon": lon, "lat": lat}) + "\n" for lon, lat, t in questions)
assert len(answers) == len(questions), "one answer for each question"
statuses = {}
for (lon, lat, t), text in zip(questions, answers):
    answer, right = json.loads(text), look_up(lon, lat, t)
    assert answer["status"] == right["status"], (lon, lat, t, answer, right)
    assert answer["level"] == right["level"]
    statuses[answer["status"]] = statuses.get(answer["status"], 0) + 1
    if answer["status"] == "ok":
        assert turn(answer["bearing"], right["bearing"], 360) < 0.1, (answer, right)
        assert turn(answer["heading"], right["heading"], 2 * math.pi) < 1e-5
        assert abs(answer["speed"] - right["speed"]) < 1e-6
        assert abs(answer["value"] - right["value"]) <= abs(right["value"]) / 2000
    else:
        assert answer["bearing"] is None and answer["speed"] is None
assert statuses.get("ok", 0) > 20 and statuses.get("outside", 0) > 0, statuses
assert statuses.get("too early", 0) > 0, statuses

# What is no question has an answer, too.
odd, _ = say(["{}\n", '{"time": "now", "lon": 1}\n', "nonsense\n", "{" * 5000 + "\n"])
assert [json.loads(text)["status"] for text in odd[:2]] == ["too early", "outside"] or all(
    json.loads(text)["status"] != "ok" for text in odd
), odd

# A glider tells its sensors bit by bit; what it has not told anew stays.
lon, lat, t = next(q for q, text in zip(questions, answers) if json.loads(text)["status"] == "ok")
right = look_up(lon, lat, t)
told = [
    sentence("HI"),
    sentence(f"SD,2:{t},8:{minutes(lat)}"),
    sentence(f"SD,9:{minutes(lon)},5:0.31"),
    sentence(f"SD,2:{t}")[:-4] + "00\r\n",  # damaged on the way
    sentence("SD,8:69696969"),  # the glider's word for: not known
    sentence("BY"),
]
said, complaints = say(told, "--slocum", "2,8,9,0,1", "--variation", "16.5")
assert len(said) == 2, said
assert complaints.count("checksum") == 1, complaints
body, _, sum = said[0][1:].partition("*")
assert sentence(body) == said[0] + "\r\n", "the checksum is right"
word, heading, status = body.split(",")
assert word == "SW" and status == "1:0", said
assert heading.startswith("0:")
assert turn(math.degrees(float(heading[2:])), right["bearing"] - 16.5, 360) < 0.1, (heading, right)
assert 0 <= float(heading[2:]) < 2 * math.pi
assert said[1].startswith("$SW,1:4*"), "no heading without a position, and the status says why"
print(f"   {len(answers)} questions: {statuses}; a glider steered by {heading[2:]} rad")
