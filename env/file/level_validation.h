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
                                                 const MissingMarks& missing, std::size_t cell) {
  if (fields.scalar.empty() || !missing(fields.scalar[cell])) return true;
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
    bool right = fields.masked[cell] <= beyond_forecast;
    // All four are always checked, so that the loads need not wait for each other.
    bool missing = holds(marks.u_mean, fields.u_mean, cell);
    missing |= holds(marks.v_mean, fields.v_mean, cell);
    missing |= holds(marks.u_mode, fields.u_mode, cell);
    missing |= holds(marks.v_mode, fields.v_mode, cell);
    missing |= !fields.modes_missing.empty() && fields.modes_missing[cell] != 0;
    if (missing && !water) {
      clear(fields.u_mean, cell);
      clear(fields.v_mean, cell);
      clear(fields.u_mode, cell);
      clear(fields.v_mode, cell);
    }
    fields.dry[cell] = missing && !water ? 1 : 0;
    right = right && !(missing && water);
    return validate_scalar(fields, marks.scalar, cell) && right;
  }

  /// Returns false for a missing coefficient.
  TIDEWISE_HOST_DEVICE bool validate_coefficient(std::size_t n) const {
    return !marks.coefficient(fields.coefficient[n]);
  }

 private:
  /// True if any plane of a field of (mode, y, x) or (y, x) is missing in this cell.
  TIDEWISE_HOST_DEVICE bool holds(const MissingMarks& missing, View<const float> field,
                                  std::size_t cell) const {
    bool found = false;
    for (std::size_t n = cell; n < field.size; n += fields.masked.size) found |= missing(field[n]);
    return found;
  }
  TIDEWISE_HOST_DEVICE void clear(View<float> field, std::size_t cell) const {
    for (std::size_t n = cell; n < field.size; n += fields.masked.size) field[n] = 0;
  }
};

/// The fields of profile `number` of `velocities` that are validated profile by profile: all but
/// the scalar, which several profiles share.
inline LevelFieldViews fields_of_profile(const LevelFieldViews& fields, std::int32_t number,
                                         std::int32_t velocities) {
  LevelFieldViews own = fields.profile(number, velocities);
  if (velocities > 1) own.scalar = {};
  return own;
}

/// Merges several profiles of a level after each has been validated. A cell is closed if it is
/// closed to all profiles. If it is closed to some only, their dives end above the bottom: they
/// take the velocity of the first open profile. The scalar, which all share, is validated in the
/// merged water. Each cell is one piece of work; the call returns false if it must be refused.
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
        take_over(field, cell, open, p);
      }
      fields.dry[static_cast<std::size_t>(p) * cells() + cell] = 0;
    }
  }
  TIDEWISE_HOST_DEVICE std::uint8_t own_mask(std::int32_t p, std::size_t cell) const {
    return fields.own_masks[static_cast<std::size_t>(p) * cells() + cell];
  }
  /// Copies all planes of a field in one cell.
  TIDEWISE_HOST_DEVICE void take_over(const View<float>& field, std::size_t cell, std::int32_t from,
                                      std::int32_t to) const {
    const std::size_t of_profile = field.size / static_cast<std::size_t>(velocities);
    for (std::size_t n = cell; n < of_profile; n += cells()) {
      field[static_cast<std::size_t>(to) * of_profile + n] =
          field[static_cast<std::size_t>(from) * of_profile + n];
    }
  }
};

}  // namespace tidewise
