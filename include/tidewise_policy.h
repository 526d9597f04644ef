/*
 * Reads the action for a position and time from a policy file, on board a vehicle.
 *
 *   tidewise export RUN --format policy      writes the file (its layout: docs/fly/onboard.md)
 *
 *   struct tw_policy policy;
 *   struct tw_policy_action action;
 *   if (tw_policy_open(&policy, bytes, size) != TW_POLICY_OK) ...
 *   if (tw_policy_check(&policy) != TW_POLICY_OK) ...
 *   if (tw_policy_act_lonlat(&policy, longitude, latitude, unix_time, &action) == TW_POLICY_OK) ...
 *
 * C11 and C++. This header is complete: no heap, no further library, no state outside of struct
 * tw_policy. It uses sin(), cos() and atan2() of <math.h>, and memcpy() and memset() of <string.h>.
 * All computation is in double, with the same steps on every processor. A file is not trusted:
 * fields are read byte by byte, and every offset is checked in 64 bits before it is used.
 *
 * The file is in memory (tw_policy_open), or in a medium from which a function reads a few bytes at
 * a time: flash, a card, a serial line (tw_policy_open_reader). A look-up reads some 15 bytes, by
 * longitude and latitude some 200.
 *
 * Threads may share an open struct tw_policy if the reading function allows it.
 *
 * Licence: MIT, as for all of Tidewise.
 */
#ifndef TIDEWISE_POLICY_H
#define TIDEWISE_POLICY_H

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "this header uses NaN: compile without -ffast-math (-ffinite-math-only)"
#endif

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The latest format version that this header reads; it also reads earlier ones. */
#define TW_POLICY_VERSION 2u

/* Result of a look-up. The numbers are stable, so that they can be sent ashore. */
enum tw_policy_status {
  TW_POLICY_OK = 0,            /* there is an action */
  TW_POLICY_IN_TARGET = 1,     /* arrived */
  TW_POLICY_CLOSED = 2,        /* land or an obstacle at this time */
  TW_POLICY_PAST_END = 3,      /* at or after the plan's last level */
  TW_POLICY_OUTSIDE = 4,       /* outside the plan's domain, or the position is NaN */
  TW_POLICY_TOO_EARLY = 5,     /* before the first level of the file, or the time is NaN */
  TW_POLICY_TOO_LATE = 6,      /* after the last level of a file that holds a part of the plan */
  TW_POLICY_BEYOND_WINDOW = 7, /* in the plan's domain, but not in the part that the file holds */
  TW_POLICY_NO_ACTION = 8,     /* the plan has no action here */
  TW_POLICY_NO_POSITIONS = 9,  /* the file has no longitude and latitude: look up by x and y */
  TW_POLICY_CORRUPT = 10,      /* the file is damaged */
  TW_POLICY_UNREADABLE = 11,   /* the reading function failed */
  TW_POLICY_UNSUPPORTED = 12,  /* the file has a later version or unknown features */
  TW_POLICY_UNFINISHED = 13    /* call tw_policy_check_some() again */
};

/* Bits of tw_policy.flags; unknown bits are refused as unsupported. */
enum tw_policy_flags {
  TW_POLICY_HAS_VALUE = 1,     /* each cell also has a value */
  TW_POLICY_HAS_POSITIONS = 2, /* longitude, latitude and true north are known */
  TW_POLICY_HAS_DATES = 4, /* times are seconds since 1970-01-01 UTC; else the environment's own */
  TW_POLICY_IS_METRIC = 8, /* metres and seconds; else all units are 1 */
  TW_POLICY_HOLDS = 16,    /* the plan has an action hold: see decide_every and hold_until */
  TW_POLICY_DIVES = 32     /* actions have a range of depths to dive (from version 2 on) */
};

/* Value of decide_phase if the vehicle may choose an action at any level. It then holds the action
 * for decide_every steps, from the level of the look-up. */
#define TW_POLICY_DECIDES_ALWAYS 65535

/* Copies `count` bytes of the file from `offset` to `to`. Returns 0, or another number on failure.
 * It is never called for bytes beyond the size given to tw_policy_open_reader(). */
typedef int (*tw_policy_read)(void* context, uint64_t offset, void* to, uint32_t count);

/* An open policy. The functions below write it; callers may read it. */
struct tw_policy {
  const uint8_t* memory; /* the file, or null if `read` reads it */
  tw_policy_read read;
  void* context;                  /* for `read` */
  uint32_t size;                  /* of the file [B] */
  uint32_t flags;                 /* tw_policy_flags */
  uint32_t levels, rows, columns; /* of the file */
  /* indices, within the plan, of the file's first level, row and column */
  uint32_t first_level, first_row, first_column;
  uint32_t plan_levels, plan_rows, plan_columns; /* of the plan */
  double x0, dx, y0, dy; /* centre of the plan's first cell, size of a cell [m or 1] */
  double t0, dt;         /* time of the plan's first level, interval of levels [s, or 1]; t0
                            since 1970 with TW_POLICY_HAS_DATES */
  uint32_t actions;      /* number of actions */
  uint32_t cell_bytes;   /* bytes per cell, 1 or 2 */
  uint32_t actions_at, grid_at, data_at, value_at, nodes_at; /* offsets in the file; 0: absent */
  double value_scale;
  /* grid of nodes with map coordinates: one every node_step cells, and one at the last cell */
  uint32_t node_step, node_rows, node_columns;
  double centre_longitude;       /* of the projection [rad] */
  double sin_centre, cos_centre; /* of its conformal latitude */
  double position_error;         /* maximum, measured when the file was made [cells] */
  double bearing_error;          /* maximum, measured when the file was made [degrees] */
  uint32_t decide_every;         /* steps for which an action is held */
  /* the plan's first level at which an action is chosen, or DECIDES_ALWAYS */
  uint32_t decide_phase;
  uint32_t checksum;    /* of all bytes after the first 128 */
  uint8_t identity[16]; /* of the plan, equal in all files of it */
  uint32_t made_by;     /* version of Tidewise, major << 16 | minor << 8 | patch */
};

/* Result of a look-up. Unknown numbers are NaN. If the status is not TW_POLICY_OK, only the
 * position and the indices found so far are known. */
struct tw_policy_action {
  double heading;  /* [rad] counter-clockwise from the plane's +x */
  double bearing;  /* [degrees] clockwise from true north, 0 <= b < 360; NaN without positions */
  double speed;    /* through the water [m/s or 1] */
  double value;    /* expected total reward from here, as in policy.h5, to 1 part in 2048 */
  double x, y;     /* the position on the plane [m or 1] */
  uint32_t action; /* its index */
  uint32_t level, row, column; /* of the plan, not of the window; UINT32_MAX: not determined */
  double hold_until;           /* time of the next look-up; hold heading and speed until then */
  double dive_from, dive_to; /* [m] below the surface; equal: a depth to hold; NaN: no dive, or all
                                dives are alike */
};

/* ---- Bytes ---------------------------------------------------------------------------------- */

static inline uint32_t tw_policy_u16(const uint8_t* b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static inline uint32_t tw_policy_u32(const uint8_t* b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline double tw_policy_f32(const uint8_t* b) {
  const uint32_t bits = tw_policy_u32(b);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static inline double tw_policy_f64(const uint8_t* b) {
  const uint64_t bits = (uint64_t)tw_policy_u32(b) | (uint64_t)tw_policy_u32(b + 4) << 32;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* True if |value| <= limit; false for NaN. */
static inline int tw_policy_within(double value, double limit) {
  return value >= -limit && value <= limit;
}

/* Continues a CRC-32 (of zip, PNG and Ethernet) by `count` bytes; begin with 0. Checks files
 * that arrive in pieces, too: the CRC of all bytes from 128 on is at offset 124. */
static inline uint32_t tw_policy_crc32(uint32_t crc, const void* bytes, uint32_t count) {
  static const uint32_t table[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                     0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                     0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                     0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
  const uint8_t* b = (const uint8_t*)bytes;
  uint32_t n;
  crc = ~crc;
  for (n = 0; n < count; ++n) {
    crc ^= b[n];
    crc = crc >> 4 ^ table[crc & 15u];
    crc = crc >> 4 ^ table[crc & 15u];
  }
  return ~crc;
}

/* True if the file contains `count` items of `bytes` bytes each from `offset` on, after the header.
 * It is unrelated to action holds (TW_POLICY_HOLDS). */
static inline int tw_policy_holds(const struct tw_policy* p, uint64_t offset, uint64_t count,
                                  uint64_t bytes) {
  return offset >= 128u && offset <= p->size && count <= ((uint64_t)p->size - offset) / bytes;
}

static inline enum tw_policy_status tw_policy_fetch(const struct tw_policy* p, uint64_t offset,
                                                    uint8_t* to, uint32_t count) {
  if (offset > p->size || count > p->size - offset) return TW_POLICY_CORRUPT;
  if (p->memory) {
    memcpy(to, p->memory + offset, count);
    return TW_POLICY_OK;
  }
  return p->read(p->context, offset, to, count) == 0 ? TW_POLICY_OK : TW_POLICY_UNREADABLE;
}

/* ---- Opening -------------------------------------------------------------------------------- */

static inline enum tw_policy_status tw_policy_open_header(struct tw_policy* p, uint64_t size) {
  uint8_t b[128];
  enum tw_policy_status status;
  if (size < sizeof b) return TW_POLICY_CORRUPT;
  p->size = sizeof b;
  status = tw_policy_fetch(p, 0, b, sizeof b);
  if (status != TW_POLICY_OK) return status;
  if (memcmp(b, "TWPOLICY", 8) != 0) return TW_POLICY_CORRUPT;
  if (tw_policy_u32(b + 8) - 1u >= TW_POLICY_VERSION) return TW_POLICY_UNSUPPORTED;
  if (tw_policy_crc32(0, b, 120) != tw_policy_u32(b + 120)) return TW_POLICY_CORRUPT;
  p->flags = tw_policy_u32(b + 12);
  if (p->flags > (tw_policy_u32(b + 8) > 1u ? 63u : 31u)) return TW_POLICY_UNSUPPORTED;
  p->levels = tw_policy_u32(b + 16);
  p->rows = tw_policy_u32(b + 20);
  p->columns = tw_policy_u32(b + 24);
  p->actions = tw_policy_u32(b + 28);
  p->actions_at = tw_policy_u32(b + 32);
  p->grid_at = tw_policy_u32(b + 36);
  p->data_at = tw_policy_u32(b + 40);
  p->cell_bytes = tw_policy_u32(b + 44);
  p->x0 = tw_policy_f64(b + 48);
  p->dx = tw_policy_f64(b + 56);
  p->y0 = tw_policy_f64(b + 64);
  p->dy = tw_policy_f64(b + 72);
  p->t0 = tw_policy_f64(b + 80);
  p->dt = tw_policy_f64(b + 88);
  memcpy(p->identity, b + 96, 16);
  p->made_by = tw_policy_u32(b + 112);
  p->size = tw_policy_u32(b + 116);
  p->checksum = tw_policy_u32(b + 124);
  return p->size >= sizeof b && p->size <= size ? TW_POLICY_OK : TW_POLICY_CORRUPT;
}

static inline enum tw_policy_status tw_policy_open_grid(struct tw_policy* p) {
  uint8_t b[96];
  enum tw_policy_status status;
  if (!tw_policy_holds(p, p->grid_at, 1, sizeof b)) return TW_POLICY_CORRUPT;
  status = tw_policy_fetch(p, p->grid_at, b, sizeof b);
  if (status != TW_POLICY_OK) return status;
  p->plan_levels = tw_policy_u32(b);
  p->plan_rows = tw_policy_u32(b + 4);
  p->plan_columns = tw_policy_u32(b + 8);
  p->first_level = tw_policy_u32(b + 12);
  p->first_row = tw_policy_u32(b + 16);
  p->first_column = tw_policy_u32(b + 20);
  p->value_at = tw_policy_u32(b + 24);
  p->nodes_at = tw_policy_u32(b + 28);
  p->value_scale = tw_policy_f64(b + 32);
  p->node_step = tw_policy_u32(b + 40);
  p->node_rows = tw_policy_u32(b + 44);
  p->node_columns = tw_policy_u32(b + 48);
  p->decide_every = 1;
  if ((p->flags & TW_POLICY_HOLDS) != 0) {
    p->decide_every = tw_policy_u16(b + 52);
    p->decide_phase = tw_policy_u16(b + 54);
  }
  p->centre_longitude = tw_policy_f64(b + 56) * 0.017453292519943295;
  p->sin_centre = tw_policy_f64(b + 64);
  p->cos_centre = tw_policy_f64(b + 72);
  p->position_error = tw_policy_f64(b + 80);
  p->bearing_error = tw_policy_f64(b + 88);
  return TW_POLICY_OK;
}

/* True if `count` indices from `first` on lie within the `all` indices of the plan. */
static inline int tw_policy_part(uint32_t first, uint32_t count, uint32_t all) {
  return count > 0 && all <= 0x7fffffffu && count <= all && first <= all - count;
}

/* Number of nodes along `count` cells: one every `step` cells, and the last cell. */
static inline uint32_t tw_policy_node_count(uint32_t count, uint32_t step) {
  return (count - 2u) / step + 2u;
}

static inline int tw_policy_nodes_sound(const struct tw_policy* p) {
  return p->node_step > 0 && p->plan_rows > 1 && p->plan_columns > 1 &&
         p->node_rows == tw_policy_node_count(p->plan_rows, p->node_step) &&
         p->node_columns == tw_policy_node_count(p->plan_columns, p->node_step) &&
         tw_policy_holds(p, p->nodes_at, (uint64_t)p->node_rows * p->node_columns, 8) &&
         tw_policy_within(p->centre_longitude, 7) && tw_policy_within(p->sin_centre, 1) &&
         tw_policy_within(p->cos_centre, 1);
}

static inline int tw_policy_sound(const struct tw_policy* p) {
  const double limit = 1e300;
  const uint64_t plane =
      (uint64_t)p->rows * p->columns; /* below 2^62, as the parts are checked first */
  if (!tw_policy_part(p->first_level, p->levels, p->plan_levels) ||
      !tw_policy_part(p->first_row, p->rows, p->plan_rows) ||
      !tw_policy_part(p->first_column, p->columns, p->plan_columns)) {
    return 0;
  }
  if (p->decide_every == 0 ||
      (p->decide_phase >= p->decide_every && p->decide_phase != TW_POLICY_DECIDES_ALWAYS)) {
    return 0;
  }
  if (p->cell_bytes != 1u && p->cell_bytes != 2u) return 0;
  if (p->actions == 0 || p->actions > (p->cell_bytes == 1u ? 250u : 65000u)) return 0;
  if (!tw_policy_holds(p, p->actions_at, p->actions, 12)) return 0;
  if (plane > p->size || !tw_policy_holds(p, p->data_at, plane * p->levels, p->cell_bytes))
    return 0;
  if ((p->flags & TW_POLICY_HAS_VALUE) != 0 &&
      (!tw_policy_holds(p, p->value_at, plane * p->levels, 2) ||
       !tw_policy_within(p->value_scale, limit))) {
    return 0;
  }
  if ((p->flags & TW_POLICY_HAS_POSITIONS) != 0 && !tw_policy_nodes_sound(p)) return 0;
  return tw_policy_within(p->x0, limit) && tw_policy_within(p->y0, limit) &&
         tw_policy_within(p->t0, limit) && p->dx > 0 && p->dx < limit && p->dy > 0 &&
         p->dy < limit && p->dt > 0 && p->dt < limit;
}

static inline enum tw_policy_status tw_policy_open_any(struct tw_policy* p, uint64_t size) {
  enum tw_policy_status status = tw_policy_open_header(p, size);
  if (status == TW_POLICY_OK) status = tw_policy_open_grid(p);
  if (status == TW_POLICY_OK && !tw_policy_sound(p)) status = TW_POLICY_CORRUPT;
  if (status != TW_POLICY_OK) p->size = 0; /* so that nothing can be read */
  return status;
}

/* Opens a policy in memory with `size` readable bytes; more than the file has are allowed, such as
 * a page of flash. The memory must stay valid while the policy is used. Checks the header by its
 * own checksum, and all offsets; tw_policy_check() checks the rest. */
static inline enum tw_policy_status tw_policy_open(struct tw_policy* p, const void* bytes,
                                                   uint64_t size) {
  memset(p, 0, sizeof *p);
  if (!bytes) return TW_POLICY_CORRUPT;
  p->memory = (const uint8_t*)bytes;
  return tw_policy_open_any(p, size);
}

/* Opens a policy that `read` reads, a few bytes at a time; otherwise as tw_policy_open(). */
static inline enum tw_policy_status tw_policy_open_reader(struct tw_policy* p, tw_policy_read read,
                                                          void* context, uint64_t size) {
  memset(p, 0, sizeof *p);
  if (!read) return TW_POLICY_UNREADABLE;
  p->read = read;
  p->context = context;
  return tw_policy_open_any(p, size);
}

/* ---- The checksum --------------------------------------------------------------------------- */

/* State of tw_policy_check_some(); initialize with 0. */
struct tw_policy_progress {
  uint32_t done; /* bytes read after the header */
  uint32_t crc;
};

/* Reads up to `bytes` more and compares the checksum at the end. Returns UNFINISHED until then, OK
 * or CORRUPT. For vehicles that cannot wait until a whole file is read. */
static inline enum tw_policy_status tw_policy_check_some(const struct tw_policy* p,
                                                         struct tw_policy_progress* progress,
                                                         uint32_t bytes) {
  uint8_t b[64];
  if (p->size < 128u) return TW_POLICY_CORRUPT; /* not open */
  while (bytes > 0 && progress->done < p->size - 128u) {
    const uint32_t left = p->size - 128u - progress->done;
    uint32_t count = left < sizeof b ? left : (uint32_t)sizeof b;
    enum tw_policy_status status;
    if (count > bytes) count = bytes;
    status = tw_policy_fetch(p, 128u + (uint64_t)progress->done, b, count);
    if (status != TW_POLICY_OK) return status;
    progress->crc = tw_policy_crc32(progress->crc, b, count);
    progress->done += count;
    bytes -= count;
  }
  if (progress->done < p->size - 128u) return TW_POLICY_UNFINISHED;
  return progress->crc == p->checksum ? TW_POLICY_OK : TW_POLICY_CORRUPT;
}

/* OK if the whole file is as written. Call once, when the file has arrived; it reads every byte. */
static inline enum tw_policy_status tw_policy_check(const struct tw_policy* p) {
  struct tw_policy_progress progress = {0, 0};
  return tw_policy_check_some(p, &progress, UINT32_MAX);
}

/* ---- Longitude and latitude ----------------------------------------------------------------- */

/* A coordinate on the conformal map around the centre (oblique stereographic, [earth radii]), and
 * its change per column and per row. */
struct tw_policy_coordinate {
  double value, by_column, by_row;
};

/* A point of that map. */
struct tw_policy_place {
  struct tw_policy_coordinate p;
  struct tw_policy_coordinate q;
};

/* Longitude and latitude [degrees] to the map; returns 0 on the far side of the earth. */
static inline int tw_policy_map(const struct tw_policy* p, double longitude, double latitude,
                                double* to_p, double* to_q) {
  const double radians = 0.017453292519943295;
  const double s = sin(latitude * radians);
  const double c = cos(latitude * radians);
  const double s2 = 2 * s * c;
  const double c2 = 1 - 2 * s * s;
  /* Conformal minus geodetic latitude on WGS84 [rad], accurate to 1e-11: a series in the sines of
   * 2, 4 and 6 times the latitude. */
  const double d = -0.003356554619403536 * s2 + 4.694572466289995e-06 * (2 * s2 * c2) -
                   8.194071764315678e-09 * (s2 * (3 - 4 * s2 * s2));
  const double sd = d * (1 - d * d / 6);
  const double cd = 1 - d * d / 2 * (1 - d * d / 12);
  const double sx = s * cd + c * sd;
  const double cx = c * cd - s * sd;
  const double east = longitude * radians - p->centre_longitude;
  const double along = cx * cos(east);
  const double up =
      p->sin_centre * sx + p->cos_centre * along; /* cosine of the angle to the centre */
  if (!(up > -0.5) || !tw_policy_within(latitude, 90)) return 0; /* NaN too */
  *to_p = 2 * cx * sin(east) / (1 + up);
  *to_q = 2 * (p->cos_centre * sx - p->sin_centre * along) / (1 + up);
  return 1;
}

/* The last node at or before a fractional index; at most the last but one, at least the first. */
static inline uint32_t tw_policy_node(double index, uint32_t step, uint32_t nodes) {
  const double node = index / step;
  if (!(node > 0)) return 0;
  return node < nodes - 2u ? (uint32_t)node : nodes - 2u;
}

/* Bilinear interpolation between values in the south-west, south-east, north-west and north-east,
 * at the fraction `a` of `wide` columns to the east and `b` of `high` rows to the north. */
static inline void tw_policy_bilinear(const double* v, double a, double b, uint32_t wide,
                                      uint32_t high, struct tw_policy_coordinate* at) {
  const double south = v[1] - v[0];
  const double north = v[3] - v[2];
  const double low = v[0] + a * south;
  const double rise = v[2] + a * north - low;
  at->value = low + b * rise;
  at->by_column = (south + b * (north - south)) / wide;
  at->by_row = rise / high;
}

static inline uint32_t tw_policy_min(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The map at a fractional column and row: bilinear between nodes, extrapolated outside. */
static inline enum tw_policy_status tw_policy_at(const struct tw_policy* p, double column,
                                                 double row, struct tw_policy_place* at) {
  const uint32_t i = tw_policy_node(column, p->node_step, p->node_columns);
  const uint32_t j = tw_policy_node(row, p->node_step, p->node_rows);
  const uint32_t west = i * p->node_step;
  const uint32_t south = j * p->node_step;
  const uint32_t wide = tw_policy_min(p->plan_columns - 1u - west, p->node_step);
  const uint32_t high = tw_policy_min(p->plan_rows - 1u - south, p->node_step);
  const double a = (column - west) / wide;
  const double b = (row - south) / high;
  double v[2][4]; /* p and q of south-west, south-east, north-west, north-east */
  uint8_t bytes[16];
  uint32_t n;
  for (n = 0; n < 4; n += 2) {
    const uint64_t node = (uint64_t)(j + n / 2) * p->node_columns + i;
    const enum tw_policy_status status = tw_policy_fetch(p, p->nodes_at + 8u * node, bytes, 16);
    if (status != TW_POLICY_OK) return status;
    v[0][n] = tw_policy_f32(bytes);
    v[1][n] = tw_policy_f32(bytes + 4);
    v[0][n + 1] = tw_policy_f32(bytes + 8);
    v[1][n + 1] = tw_policy_f32(bytes + 12);
  }
  tw_policy_bilinear(v[0], a, b, wide, high, &at->p);
  tw_policy_bilinear(v[1], a, b, wide, high, &at->q);
  return TW_POLICY_OK;
}

static inline double tw_policy_clamp(double v, double low, double high) {
  return v > low ? (v < high ? v : high) : low;
}

/* The point of the plane [m or 1] at a longitude and latitude [degrees]; longitudes may differ by
 * whole turns. OUTSIDE if there is none; a point near the border may be returned beyond it.
 * Newton's iteration, two or three steps. */
static inline enum tw_policy_status tw_policy_to_plane(const struct tw_policy* p, double longitude,
                                                       double latitude, double* x, double* y) {
  double column = (p->plan_columns - 1u) / 2.0;
  double row = (p->plan_rows - 1u) / 2.0;
  double to_p = 0, to_q = 0;
  int step;
  if (p->size < 128u) return TW_POLICY_CORRUPT; /* not open */
  if ((p->flags & TW_POLICY_HAS_POSITIONS) == 0) return TW_POLICY_NO_POSITIONS;
  if (!tw_policy_map(p, longitude, latitude, &to_p, &to_q)) return TW_POLICY_OUTSIDE;
  for (step = 0; step < 30; ++step) {
    struct tw_policy_place at;
    double determinant, by_column, by_row, previous_column, previous_row;
    const enum tw_policy_status status = tw_policy_at(p, column, row, &at);
    if (status != TW_POLICY_OK) return status;
    determinant = at.p.by_column * at.q.by_row - at.p.by_row * at.q.by_column;
    by_column =
        ((to_p - at.p.value) * at.q.by_row - at.p.by_row * (to_q - at.q.value)) / determinant;
    by_row =
        (at.p.by_column * (to_q - at.q.value) - (to_p - at.p.value) * at.q.by_column) / determinant;
    if (!tw_policy_within(by_column, 1e9) || !tw_policy_within(by_row, 1e9))
      return TW_POLICY_OUTSIDE;
    /* Limited to slightly beyond the border: further out the nodes are meaningless. */
    previous_column = column;
    previous_row = row;
    column = tw_policy_clamp(column + by_column, -2, p->plan_columns + 1.0);
    row = tw_policy_clamp(row + by_row, -2, p->plan_rows + 1.0);
    if (!tw_policy_within(column - previous_column, 1e-9) ||
        !tw_policy_within(row - previous_row, 1e-9)) {
      continue;
    }
    if (!tw_policy_within(by_column, 1e-9) || !tw_policy_within(by_row, 1e-9))
      break; /* limited by the clamp */
    *x = p->x0 + column * p->dx;
    *y = p->y0 + row * p->dy;
    return TW_POLICY_OK;
  }
  return TW_POLICY_OUTSIDE;
}

/* The angle from true north to the plane's +y axis at a point of the plane, clockwise [degrees]:
 * bearing = 90 - heading [degrees] + convergence. NaN at a pole, where north is undefined. */
static inline enum tw_policy_status tw_policy_convergence(const struct tw_policy* p, double x,
                                                          double y, double* degrees) {
  struct tw_policy_place at;
  double square, up, right, forward, d_right, d_forward, d_up, east_p, east_q;
  enum tw_policy_status status;
  *degrees = (double)NAN;
  if (p->size < 128u) return TW_POLICY_CORRUPT; /* not open */
  if ((p->flags & TW_POLICY_HAS_POSITIONS) == 0) return TW_POLICY_NO_POSITIONS;
  status = tw_policy_at(p, tw_policy_clamp((x - p->x0) / p->dx, -0.5, p->plan_columns - 0.5),
                        tw_policy_clamp((y - p->y0) / p->dy, -0.5, p->plan_rows - 0.5), &at);
  if (status != TW_POLICY_OK) return status;
  /* Back onto the sphere, in axes at the centre: right (east), forward (north), up. */
  square = (at.p.value * at.p.value + at.q.value * at.q.value) / 4;
  up = (1 - square) / (1 + square);
  right = at.p.value * (1 + up) / 2;
  forward = at.q.value * (1 + up) / 2;
  /* East is the cross product of the earth's axis and that vector, projected onto the map. */
  d_right = p->cos_centre * up - p->sin_centre * forward;
  d_forward = p->sin_centre * right;
  d_up = -p->cos_centre * right;
  east_p = d_right * (1 + up) - right * d_up;
  east_q = d_forward * (1 + up) - forward * d_up;
  if (!tw_policy_within(east_p, 1e-12) || !tw_policy_within(east_q, 1e-12)) {
    *degrees = atan2((east_p * at.p.by_row + east_q * at.q.by_row) / p->dy,
                     (east_p * at.p.by_column + east_q * at.q.by_column) / p->dx) *
               57.295779513082321;
  }
  return TW_POLICY_OK;
}

/* ---- Looking up ----------------------------------------------------------------------------- */

/* The level in force at a time: the last one that has begun. A level counts as begun a millionth of
 * a step early, because times are rounded. */
static inline enum tw_policy_status tw_policy_level(const struct tw_policy* p, double time,
                                                    uint32_t* level) {
  const double steps = (time - p->t0) / p->dt + 1e-6;
  if (steps >= p->plan_levels) return TW_POLICY_PAST_END;
  if (!(steps >= p->first_level)) return TW_POLICY_TOO_EARLY; /* NaN too */
  *level = (uint32_t)steps;
  if (*level - p->first_level < p->levels) return TW_POLICY_OK;
  return *level + 1u == p->plan_levels ? TW_POLICY_PAST_END : TW_POLICY_TOO_LATE;
}

/* The cell that holds a coordinate, its lower edge included. */
static inline enum tw_policy_status tw_policy_index(double at, double first, double step,
                                                    uint32_t count, uint32_t* index) {
  const double cells = (at - first) / step + 0.5;
  if (!(cells >= 0 && cells < count)) return TW_POLICY_OUTSIDE; /* NaN too */
  *index = (uint32_t)cells;
  return TW_POLICY_OK;
}

/* An IEEE 754 binary16 number times `scale`; NaN if there is none. */
static inline double tw_policy_half(uint32_t bits, double scale) {
  const uint32_t exponent = bits >> 10 & 31u;
  const uint32_t fraction = bits & 1023u;
  double value;
  if (exponent == 31u) return (double)NAN;
  value = exponent == 0 ? (double)fraction * 5.9604644775390625e-08 /* 2^-24 */
                        : (double)(1024u + fraction) * (double)((uint32_t)1 << exponent) *
                              2.98023223876953125e-08;
  return (bits & 0x8000u) != 0 ? -value * scale : value * scale;
}

/* Status for the code of a cell. */
static inline enum tw_policy_status tw_policy_decode(const struct tw_policy* p, uint32_t code,
                                                     uint32_t level) {
  const uint32_t none = p->cell_bytes == 1u ? 255u : 65535u;
  if (code < p->actions) return TW_POLICY_OK;
  if (code == none) return level + 1u == p->plan_levels ? TW_POLICY_PAST_END : TW_POLICY_NO_ACTION;
  if (code == none - 1u) return TW_POLICY_IN_TARGET;
  return code == none - 2u ? TW_POLICY_CLOSED : TW_POLICY_CORRUPT;
}

/* Time of the next level. With an action hold: time of the next level at which an action is chosen.
 * At most the plan's end. */
static inline double tw_policy_next_decision(const struct tw_policy* p, uint32_t level) {
  const uint32_t every = p->decide_every;
  const uint32_t since = p->decide_phase == TW_POLICY_DECIDES_ALWAYS
                             ? 0
                             : (level % every + every - p->decide_phase) % every;
  const uint32_t next = tw_policy_min(level + (every - since), p->plan_levels - 1u);
  return p->t0 + next * p->dt;
}

static inline enum tw_policy_status tw_policy_fill(const struct tw_policy* p, uint64_t cell,
                                                   struct tw_policy_action* action) {
  uint8_t b[12];
  double convergence = 0;
  enum tw_policy_status status =
      tw_policy_fetch(p, p->actions_at + 12u * (uint64_t)action->action, b, 12);
  if (status != TW_POLICY_OK) return status;
  action->hold_until = tw_policy_next_decision(p, action->level);
  action->heading = tw_policy_f32(b);
  action->speed = tw_policy_f32(b + 4);
  if (!tw_policy_within(action->heading, 8) || !(action->speed >= 0 && action->speed < 1e30)) {
    return TW_POLICY_CORRUPT;
  }
  if ((p->flags & TW_POLICY_DIVES) != 0) {
    action->dive_from = tw_policy_u16(b + 8);
    action->dive_to = tw_policy_u16(b + 10);
  }
  if ((p->flags & TW_POLICY_HAS_VALUE) != 0) {
    status = tw_policy_fetch(p, p->value_at + 2u * cell, b, 2);
    if (status != TW_POLICY_OK) return status;
    action->value = tw_policy_half(tw_policy_u16(b), p->value_scale);
  }
  if ((p->flags & TW_POLICY_HAS_POSITIONS) == 0) return TW_POLICY_OK;
  status = tw_policy_convergence(p, action->x, action->y, &convergence);
  if (status != TW_POLICY_OK) return status;
  action->bearing = 90 - action->heading * 57.295779513082321 + convergence;
  while (action->bearing < 0) action->bearing += 360;
  while (action->bearing >= 360) action->bearing -= 360;
  return TW_POLICY_OK;
}

/* The action at a point of the plane [m or 1] and a time: seconds since 1970-01-01 UTC with
 * HAS_DATES, else in the environment's unit. The result does not depend on earlier look-ups. Look
 * up whenever a new position is known, at least at every level; with an action hold (HOLDS) at
 * hold_until, and earlier only if the vehicle surfaced early. */
static inline enum tw_policy_status tw_policy_act_xy(const struct tw_policy* p, double x, double y,
                                                     double time, struct tw_policy_action* action) {
  enum tw_policy_status status;
  uint64_t cell;
  uint8_t b[2];
  const struct tw_policy_action unknown = {
      (double)NAN, (double)NAN, (double)NAN, (double)NAN, x,           y,          UINT32_MAX,
      UINT32_MAX,  UINT32_MAX,  UINT32_MAX,  (double)NAN, (double)NAN, (double)NAN};
  *action = unknown;
  if (p->size < 128u) return TW_POLICY_CORRUPT; /* not open */
  status = tw_policy_level(p, time, &action->level);
  if (status != TW_POLICY_OK) return status;
  status = tw_policy_index(x, p->x0, p->dx, p->plan_columns, &action->column);
  if (status == TW_POLICY_OK) status = tw_policy_index(y, p->y0, p->dy, p->plan_rows, &action->row);
  if (status != TW_POLICY_OK) return status;
  if (action->row - p->first_row >= p->rows || action->column - p->first_column >= p->columns) {
    return TW_POLICY_BEYOND_WINDOW; /* unsigned: below the first wraps to a large number */
  }
  cell = ((uint64_t)(action->level - p->first_level) * p->rows + (action->row - p->first_row)) *
             p->columns +
         (action->column - p->first_column);
  status = tw_policy_fetch(p, p->data_at + cell * p->cell_bytes, b, p->cell_bytes);
  if (status != TW_POLICY_OK) return status;
  action->action = p->cell_bytes == 1u ? b[0] : tw_policy_u16(b);
  status = tw_policy_decode(p, action->action, action->level);
  if (status == TW_POLICY_OK) status = tw_policy_fill(p, cell, action);
  if (status != TW_POLICY_OK) {
    action->heading = action->bearing = action->speed = action->value = (double)NAN;
    action->hold_until = (double)NAN;
    action->action = UINT32_MAX;
  }
  return status;
}

/* The action at a longitude and latitude [degrees]; otherwise as tw_policy_act_xy(). */
static inline enum tw_policy_status tw_policy_act_lonlat(const struct tw_policy* p,
                                                         double longitude, double latitude,
                                                         double time,
                                                         struct tw_policy_action* action) {
  double x = (double)NAN;
  double y = (double)NAN;
  const enum tw_policy_status status = tw_policy_to_plane(p, longitude, latitude, &x, &y);
  const enum tw_policy_status of_time = tw_policy_act_xy(p, x, y, time, action);
  /* As with x and y, an invalid time is reported before an invalid position. */
  return status == TW_POLICY_OK || (status == TW_POLICY_OUTSIDE && of_time != TW_POLICY_OK)
             ? of_time
             : status;
}

/* A status in a few words. */
static inline const char* tw_policy_text(enum tw_policy_status status) {
  switch (status) {
    case TW_POLICY_OK:
      return "ok";
    case TW_POLICY_IN_TARGET:
      return "in target";
    case TW_POLICY_CLOSED:
      return "closed";
    case TW_POLICY_PAST_END:
      return "past the end";
    case TW_POLICY_OUTSIDE:
      return "outside";
    case TW_POLICY_TOO_EARLY:
      return "too early";
    case TW_POLICY_TOO_LATE:
      return "too late";
    case TW_POLICY_BEYOND_WINDOW:
      return "beyond the window";
    case TW_POLICY_NO_ACTION:
      return "no action";
    case TW_POLICY_NO_POSITIONS:
      return "no longitude and latitude";
    case TW_POLICY_CORRUPT:
      return "corrupt";
    case TW_POLICY_UNREADABLE:
      return "unreadable";
    case TW_POLICY_UNSUPPORTED:
      return "unsupported";
    case TW_POLICY_UNFINISHED:
      return "unfinished";
  }
  return "corrupt";
}

#endif /* TIDEWISE_POLICY_H */
