#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"
#include "env/level_fields.h"
#include "env/mask.h"
#include "env/missing_marks.h"

namespace tidewise {

/// Sets a scalar that is missing in a closed cell to 0. Returns false if it is missing in open
/// water, which must be refused.
TIDEWISE_HOST_DEVICE inline bool validate_scalar(const LevelFieldViews& fields,
                                                 const MissingMarks& is_missing, std::size_t cell) {
  if (fields.scalar.empty() || !is_missing(fields.scalar[cell])) return true;
  if (fields.masked[cell] == 0) return false;
  fields.scalar[cell] = 0;
  return true;
}

/// Validates a level as read from the file, and cleans it for LevelView. Each cell and each
/// coefficient is one piece of work; pieces are independent.
struct LevelValidation {
  LevelFieldViews fields;
  LevelMarks marks;

  /// Number of pieces: cells, then coefficients.
  TIDEWISE_HOST_DEVICE std::size_t piece_count() const {
    return fields.masked.size + fields.coefficient.size;
  }
  /// Validates one piece; returns false if it must be refused.
  TIDEWISE_HOST_DEVICE bool operator()(std::size_t piece) const {
    return piece < fields.masked.size ? validate_cell(piece)
                                      : validate_coefficient(piece - fields.masked.size);
  }

  /// Marks a closed cell as dry if any of the velocity's fields is missing there, and sets all of
  /// them to 0. Returns false for values missing in open water, and for a mask value that
  /// env/mask.h does not define.
  TIDEWISE_HOST_DEVICE bool validate_cell(std::size_t cell) const {
    const bool water = fields.masked[cell] == 0;
    bool is_valid = fields.masked[cell] <= beyond_forecast;
    // All four are always checked, so that the loads need not wait for each other.
    bool missing = has_missing(marks.u_mean, fields.u_mean, cell);
    missing |= has_missing(marks.v_mean, fields.v_mean, cell);
    missing |= has_missing(marks.u_mode, fields.u_mode, cell);
    missing |= has_missing(marks.v_mode, fields.v_mode, cell);
    missing |= !fields.modes_missing.empty() && fields.modes_missing[cell] != 0;
    if (missing && !water) {
      clear(fields.u_mean, cell);
      clear(fields.v_mean, cell);
      clear(fields.u_mode, cell);
      clear(fields.v_mode, cell);
    }
    fields.dry[cell] = missing && !water ? 1 : 0;
    is_valid = is_valid && !(missing && water);
    return validate_scalar(fields, marks.scalar, cell) && is_valid;
  }

  /// Returns false for a missing coefficient.
  TIDEWISE_HOST_DEVICE bool validate_coefficient(std::size_t n) const {
    return !marks.coefficient(fields.coefficient[n]);
  }

 private:
  /// True if any plane of a field of (mode, y, x) or (y, x) is missing in this cell.
  TIDEWISE_HOST_DEVICE bool has_missing(const MissingMarks& is_missing, View<const float> field,
                                        std::size_t cell) const {
    bool any_missing = false;
    for (std::size_t n = cell; n < field.size; n += fields.masked.size)
      any_missing |= is_missing(field[n]);
    return any_missing;
  }
  TIDEWISE_HOST_DEVICE void clear(View<float> field, std::size_t cell) const {
    for (std::size_t n = cell; n < field.size; n += fields.masked.size) field[n] = 0;
  }
};

/// The fields of profile `number` of `velocities` for validation. They lack the scalar if there are
/// several profiles, because these share it.
inline LevelFieldViews fields_of_profile(const LevelFieldViews& fields, std::int32_t number,
                                         std::int32_t velocities) {
  LevelFieldViews profile_fields = fields.profile(number, velocities);
  if (velocities > 1) profile_fields.scalar = {};
  return profile_fields;
}

/// Merges several profiles of a level after each has been validated. A cell is closed if it is
/// closed to all profiles. If it is closed only to some, their dives end above the bottom, so these
/// profiles take the velocity of the first open one. The scalar, which all share, is validated in
/// cells that are open after merging. Each cell is one piece of work.
struct JoinProfiles {
  LevelFieldViews fields;
  std::int32_t velocities = 1;
  MissingMarks scalar;

  /// Number of cells.
  TIDEWISE_HOST_DEVICE std::size_t cells() const { return fields.masked.size; }
  /// Merges one cell; returns false if it must be refused.
  TIDEWISE_HOST_DEVICE bool operator()(std::size_t cell) const {
    std::int32_t open = 0;
    while (open < velocities && own_mask(open, cell) != 0) ++open;
    fields.masked[cell] = open < velocities ? 0 : own_mask(0, cell);
    if (open < velocities) share_velocity(cell, open);
    return validate_scalar(fields, scalar, cell);
  }

 private:
  /// Copies the velocity of profile `open` to the closed ones.
  TIDEWISE_HOST_DEVICE void share_velocity(std::size_t cell, std::int32_t open) const {
    for (std::int32_t p = 0; p < velocities; ++p) {
      if (own_mask(p, cell) == 0) continue;
      for (const View<float>& field :
           {fields.u_mean, fields.v_mean, fields.u_mode, fields.v_mode}) {
        copy_planes(field, cell, open, p);
      }
      fields.dry[static_cast<std::size_t>(p) * cells() + cell] = 0;
    }
  }
  TIDEWISE_HOST_DEVICE std::uint8_t own_mask(std::int32_t p, std::size_t cell) const {
    return fields.own_masks[static_cast<std::size_t>(p) * cells() + cell];
  }
  /// Copies all planes of a field in one cell.
  TIDEWISE_HOST_DEVICE void copy_planes(const View<float>& field, std::size_t cell,
                                        std::int32_t from, std::int32_t to) const {
    const std::size_t profile_size = field.size / static_cast<std::size_t>(velocities);
    for (std::size_t n = cell; n < profile_size; n += cells()) {
      field[static_cast<std::size_t>(to) * profile_size + n] =
          field[static_cast<std::size_t>(from) * profile_size + n];
    }
  }
};

}  // namespace tidewise
