#!/usr/bin/env python3
"""Compares a policy on board with the run that it was exported from, in every cell at every level, as
include/tidewise_policy.h reads the one and netCDF4 the other; and times look-ups.

  scripts/compare_board_policy.py RUN POLICY.twp

Needs Python's netCDF4 (scripts/test_python.sh's build/python has it) and a C compiler.
"""

import argparse
import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path

import netCDF4
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
LOOP = r"""
#include <time.h>
#include <tidewise_policy.h>
struct result { int64_t wrong, status[16]; double heading, bearing, value; };
static struct tw_policy p;
int open_policy(const void* bytes, uint64_t size, double* t0, double* dt) {
  int status = (int)tw_policy_open(&p, bytes, size);
  if (status == 0) status = (int)tw_policy_check(&p);
  *t0 = p.t0; *dt = p.dt;
  return status;
}
static double larger(double a, double b) { return b > a ? b : a; }
static double size(double a) { return a < 0 ? -a : a; }
/* One level: a and b are longitude and latitude, or x and y. */
void compare(int by_degrees, int64_t cells, int level, const double* a, const double* b, const int16_t* action,
             const float* value, const double* heading, const double* convergence, struct result* r) {
  for (int64_t c = 0; c < cells; ++c) {
    struct tw_policy_action s;
    const double time = p.t0 + level * p.dt;
    const int status = (int)(by_degrees ? tw_policy_act_lonlat(&p, a[c], b[c], time, &s)
                                        : tw_policy_act_xy(&p, a[c], b[c], time, &s));
    ++r->status[status];
    if ((status == 0) != (action[c] >= 0) || (status == 0 && s.action != (uint32_t)action[c]) ||
        (status != 0 && status > TW_POLICY_PAST_END) || s.level != (uint32_t)level) { ++r->wrong; continue; }
    if (status != 0) continue;
    r->heading = larger(r->heading, size(s.heading - heading[action[c]]));
    if (s.value == s.value && value[c] != 0) r->value = larger(r->value, size(s.value / value[c] - 1));
    if (convergence) {
      double turned = s.bearing - (90 - heading[action[c]] * 57.295779513082321 + convergence[c]);
      while (turned > 180) turned -= 360;
      while (turned < -180) turned += 360;
      r->bearing = larger(r->bearing, size(turned));
    }
  }
}
/* The least processor time of a look-up [ns], of many rounds: the machine has other work, too. */
double time_look_ups(int by_degrees, int64_t count, const double* a, const double* b, const double* t) {
  double least = 1e9;
  volatile double sum = 0;
  for (int round = 0; round < 50; ++round) {
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (int64_t n = 0; n < count; ++n) {
      struct tw_policy_action s;
      if ((by_degrees ? tw_policy_act_lonlat(&p, a[n], b[n], t[n], &s) : tw_policy_act_xy(&p, a[n], b[n], t[n], &s)) ==
          TW_POLICY_OK) sum = sum + s.speed;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    const double ns = ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / (double)count;
    if (ns < least) least = ns;
  }
  return least;
}
"""


class Result(ctypes.Structure):
    _fields_ = [
        ("wrong", ctypes.c_int64),
        ("status", ctypes.c_int64 * 16),
        ("heading", ctypes.c_double),
        ("bearing", ctypes.c_double),
        ("value", ctypes.c_double),
    ]


def compiled():
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "loop.c"), Path(folder, "loop.so")
        source.write_text(LOOP, encoding="ascii")
        flags = ["-std=gnu11", "-O2", "-shared", "-fPIC", "-I", str(ROOT / "include")]
        subprocess.run(["cc", *flags, str(source), "-o", str(library), "-lm"], check=True)
        return ctypes.CDLL(str(library))


def pointer(array):
    return None if array is None else array.ctypes.data_as(ctypes.c_void_p)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("run", type=Path)
    arguments.add_argument("policy", type=Path)
    arguments = arguments.parse_args()
    loop = compiled()
    loop.time_look_ups.restype = ctypes.c_double
    content = np.frombuffer(arguments.policy.read_bytes(), np.uint8)
    t0, dt = ctypes.c_double(), ctypes.c_double()
    status = loop.open_policy(
        pointer(content), ctypes.c_uint64(content.size), ctypes.byref(t0), ctypes.byref(dt)
    )
    if status:
        sys.exit(f"compare_board_policy.py: {arguments.policy}: status {status}")
    run = netCDF4.Dataset(arguments.run / "policy.h5")
    run.set_auto_mask(False)
    x, y = (run[name][:].astype(np.float64) for name in ("x", "y"))
    first, second = (np.ascontiguousarray(plane) for plane in np.meshgrid(x, y))
    by_degrees = "lon" in run.variables
    convergence = None
    if by_degrees:
        first, second, convergence = (
            np.ascontiguousarray(run[name][:], np.float64)
            for name in ("lon", "lat", "meridian_convergence")
        )
    heading = np.ascontiguousarray(run["heading"][:], np.float64)
    result = Result()
    levels = run["time"].size
    for k in range(levels):
        action = np.ascontiguousarray(run["action"][k], np.int16)
        value = np.ascontiguousarray(run["value"][k], np.float32)
        loop.compare(
            int(by_degrees), ctypes.c_int64(action.size), k, pointer(first), pointer(second),
            pointer(action), pointer(value), pointer(heading), pointer(convergence), ctypes.byref(result),
        )  # fmt: skip
    counts = {s: n for s, n in enumerate(result.status) if n}
    print(f"{levels * first.size} states, {result.wrong} differ; by status: {counts}")
    print(
        f"at worst: heading {result.heading:.2g} rad, bearing {result.bearing:.2g} degrees,"
        f" value {result.value:.2g} of it"
    )
    random = np.random.default_rng(1)
    count = 20000
    times = t0.value + random.random(count) * (levels - 1) * dt.value
    for degrees in range(1 + by_degrees):
        a, b = (first, second) if degrees else np.meshgrid(x, y)
        a, b = (p.min() + random.random(count) * np.ptp(p) for p in (a, b))
        ns = loop.time_look_ups(degrees, ctypes.c_int64(count), pointer(a), pointer(b), pointer(times))
        print(f"a look-up by {'longitude and latitude' if degrees else 'x and y'}: {ns:.0f} ns")
    return 1 if result.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
