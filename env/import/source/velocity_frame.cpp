#include "env/import/source/velocity_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/angle.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double max_skew = 0.1;  // cos 84°: axes with more skew are not at right angles
constexpr double max_angle_difference =
    0.09;  // [rad] 5°, between the file's angle and that of its points

/// A variable on the common points of the whole grid, (row, column); empty if there is none.
std::vector<double> read_on_points(const NetcdfFile& file, const std::string& name,
                                   std::size_t rows, std::size_t columns) {
  if (!file.has(name)) return {};
  std::vector<std::size_t> sizes;
  for (const auto& dimension : file.dimensions(name)) {
    if (dimension.size > 1) sizes.push_back(dimension.size);
  }
  if (sizes != std::vector{rows, columns}) return {};
  return file.read_all(name);
}

}  // namespace

/// Values of a C grid around the part: of centres, or of a component at faces. Rows and columns are
/// counted from the part's first centre; a face has the index of the centre after it.
struct VelocityFrame::Block {
  std::ptrdiff_t row = 0, column = 0;  ///< first row and column; -1 if they lie before the part
  std::size_t rows = 0, columns = 0;
  std::size_t rows_before = 0, columns_before = 0;  ///< v_before of v, and u_before of u
  std::vector<double> values = {};                  ///< (row, column); NaN where dry
  std::vector<std::uint8_t> is_stored = {};         ///< (row, column); 0 beyond the file

  std::size_t index(std::ptrdiff_t j, std::ptrdiff_t i) const {
    return static_cast<std::size_t>(j - row) * columns + static_cast<std::size_t>(i - column);
  }
  bool contains(std::ptrdiff_t j, std::ptrdiff_t i) const {
    return j >= row && j < row + static_cast<std::ptrdiff_t>(rows) && i >= column &&
           i < column + static_cast<std::ptrdiff_t>(columns);
  }
  double& at(std::ptrdiff_t j, std::ptrdiff_t i) { return values[index(j, i)]; }
  double at(std::ptrdiff_t j, std::ptrdiff_t i) const { return values[index(j, i)]; }
  bool is_wet(std::ptrdiff_t j, std::ptrdiff_t i) const {
    return contains(j, i) && !std::isnan(at(j, i));
  }
  bool is_dry_face(std::ptrdiff_t j, std::ptrdiff_t i) const {
    return is_stored[index(j, i)] != 0 && std::isnan(at(j, i));
  }
  /// The mean of the values of (j, i) and, for a point between rows or columns, of the previous
  /// one; missing values are left out.
  double mean(std::ptrdiff_t j, std::ptrdiff_t i, bool between_rows, bool between_columns) const {
    double sum = 0;
    int count = 0;
    for (std::ptrdiff_t b = between_rows ? j - 1 : j; b <= j; ++b) {
      for (std::ptrdiff_t a = between_columns ? i - 1 : i; a <= i; ++a) {
        if (std::isnan(at(b, a))) continue;
        sum += at(b, a);
        ++count;
      }
    }
    return count > 0 ? sum / count : nan;
  }
};

VelocityFrame::VelocityFrame(const VariableSeries& u, const VariableSeries& v,
                             const CommonPoints& common, const PointBox& part,
                             const SourceGrid& grid, const StatedDirections& directions)
    : u_(u), v_(v), common_(common), part_(part) {
  common_.grid = {};
  const PointGrid& points = *grid.points;
  const GridAxes axes = axes_of(points, grid.staggered ? 2 : 1);
  validate(axes, directions, points);
  if (components_ == Components::grid) {
    cosine_ = axes.cosine;
    sine_ = axes.sine;
    handedness_ = axes.handedness;
    use_file_angle(axes);
  }
  if (common_.staggered) {
    mask_ = read_on_points(*u.first_file(), "mask_rho", u.points().rows, v.points().columns);
    for (double& value : mask_) value = value == 1 ? 1 : nan;
  }
}

void VelocityFrame::validate(const GridAxes& axes, const StatedDirections& directions,
                             const PointGrid& points) {
  const ComponentGrid component_grid{common_.staggered, axes.along_east(),
                                     u_.points().kind == GridKind::projected};
  ComponentDecision decision;
  try {
    decision = decide_components(directions, component_grid);
  } catch (const InputError& error) {
    u_.first_file()->refuse(u_.variable().name, error.what());
  }
  components_ = decision.components;
  if (components_ == Components::grid && axes.skew > max_skew) {
    u_.first_file()->refuse(u_.variable().name, error_text(errors::grid_axes_not_orthogonal));
  }
  if (!decision.note.empty()) notes_.push_back(decision.note);
  const char* kind = u_.points().kind == GridKind::projected ? "on a projection"
                     : u_.points().kind == GridKind::longitude_latitude
                         ? "along longitude and latitude"
                         : "curvilinear";
  std::string rotation_text;
  if (components_ == Components::grid) {
    double min = 4;
    double max = -4;
    for (std::size_t n = 0; n < points.size(); ++n) {
      if (std::isnan(axes.cosine[n])) continue;
      min = std::min(min, axes.angle(n));
      max = std::max(max, axes.angle(n));
    }
    rotation_text =
        fmt::format(", turned by {:.0f} to {:.0f} degrees", std::floor(min * degrees_per_radian),
                    std::ceil(max * degrees_per_radian));
  }
  notes_.push_back(fmt::format(
      "source grid: {}, {} × {} points{}; components {} ({}){}", kind, part_.columns, part_.rows,
      common_.staggered ? ", u and v on their own (Arakawa C), bilinear between these" : "",
      components_ == Components::grid ? "along the grid's axes" : "eastward and northward",
      decision.why, rotation_text));
}

/// Uses the angle of the xi axis from ROMS files, given on the points between those of u and v.
void VelocityFrame::use_file_angle(const GridAxes& axes) {
  const auto file = u_.first_file();
  const std::size_t columns = v_.points().columns;
  auto angle = read_on_points(*file, "angle", u_.points().rows, columns);
  if (angle.empty()) return;
  const double unit =
      lower_case(file->units("angle")).starts_with("deg") ? std::numbers::pi / 180 : 1;  // [rad]
  std::vector<double> along(angle.size());
  std::vector<double> across(angle.size());
  for (std::size_t n = 0; n < angle.size(); ++n) {
    along[n] = std::cos(unit * angle[n]);
    across[n] = std::sin(unit * angle[n]);
  }
  std::vector<double> file_cosine(cosine_.size());
  std::vector<double> file_sine(cosine_.size());
  if (common_.staggered) {
    interpolate(centres_around_part(along), file_cosine.data());
    interpolate(centres_around_part(across), file_sine.data());
  } else {
    for (std::size_t n = 0; n < cosine_.size(); ++n) {
      const std::size_t point =
          (n / part_.columns + part_.row) * columns + n % part_.columns + part_.column;
      file_cosine[n] = along[point];
      file_sine[n] = across[point];
    }
  }
  std::vector<double> differences;
  for (std::size_t n = 0; n < cosine_.size(); ++n) {
    const double file_angle = std::atan2(file_sine[n], file_cosine[n]);
    if (std::isnan(file_angle)) continue;
    const double difference = std::remainder(file_angle - axes.angle(n), 2 * std::numbers::pi);
    if (!std::isnan(difference)) differences.push_back(std::abs(difference));
    cosine_[n] = std::cos(file_angle);
    sine_[n] = std::sin(file_angle);
  }
  if (differences.empty()) return;
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  std::nth_element(differences.begin(), middle, differences.end());
  if (*middle > max_angle_difference) {
    file->refuse("angle", error_text(errors::grid_angle_wrong, *middle * 180 / std::numbers::pi));
  }
  notes_.push_back("angle: the file's own variable angle");
}

/// Reads the rows and columns of `area` from a file; around the globe if the grid is cyclic.
VelocityFrame::Block VelocityFrame::read_block(const VariableSeries& series, std::size_t time,
                                               std::size_t member, std::size_t level,
                                               const Block& area) const {
  Block block = area;
  block.values.assign(block.rows * block.columns, nan);
  block.is_stored.assign(block.values.size(), 0);
  const auto first = [](std::size_t part, std::size_t common, std::size_t before,
                        std::ptrdiff_t offset) {
    return static_cast<std::ptrdiff_t>(part + common) - static_cast<std::ptrdiff_t>(before) +
           offset;
  };
  const auto file_rows = static_cast<std::ptrdiff_t>(series.points().rows);
  const auto file_columns = static_cast<std::ptrdiff_t>(series.points().columns);
  const std::ptrdiff_t row = first(part_.row, common_.first_row, block.rows_before, block.row);
  const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(row, 0);
  const std::ptrdiff_t end = std::min(row + static_cast<std::ptrdiff_t>(block.rows), file_rows);
  const std::ptrdiff_t column =
      first(part_.column, common_.first_column, block.columns_before, block.column);
  const std::ptrdiff_t last = column + static_cast<std::ptrdiff_t>(block.columns);
  for (std::ptrdiff_t i = column; i < last && begin < end;) {
    std::ptrdiff_t from = common_.cyclic ? (i + file_columns) % file_columns : i;
    if (from < 0 || from >= file_columns) {  // beyond the file
      ++i;
      continue;
    }
    const std::ptrdiff_t count = std::min(last - i, file_columns - from);
    const auto values =
        series.read_scaled(time, member,
                           {static_cast<std::size_t>(begin), static_cast<std::size_t>(from),
                            static_cast<std::size_t>(end - begin), static_cast<std::size_t>(count)},
                           level);
    for (std::ptrdiff_t j = begin; j < end; ++j) {
      const auto source = values.begin() + (j - begin) * count;
      const auto to = (j - row) * static_cast<std::ptrdiff_t>(block.columns) + (i - column);
      std::copy(source, source + count, block.values.begin() + to);
      std::fill_n(block.is_stored.begin() + to, count, std::uint8_t{1});
    }
    i += count;
  }
  return block;
}

/// Selects the centres around the part from a variable at all centres of the file.
VelocityFrame::Block VelocityFrame::centres_around_part(
    const std::vector<double>& all_centres) const {
  Block block{-1, -1, part_.rows + 2, part_.columns + 2};
  block.values.assign(block.rows * block.columns, nan);
  const auto rows = static_cast<std::ptrdiff_t>(u_.points().rows);
  const auto columns = static_cast<std::ptrdiff_t>(v_.points().columns);
  for (std::size_t n = 0; n < block.values.size(); ++n) {
    const std::ptrdiff_t row =
        static_cast<std::ptrdiff_t>(part_.row + common_.first_row + n / block.columns) - 1;
    std::ptrdiff_t column =
        static_cast<std::ptrdiff_t>(part_.column + common_.first_column + n % block.columns) - 1;
    if (common_.cyclic) column = (column + columns) % columns;
    if (row < 0 || row >= rows || column < 0 || column >= columns) continue;
    block.values[n] = all_centres[static_cast<std::size_t>(row * columns + column)];
  }
  return block;
}

/// Interpolates from centres to the part's points: the mean of the surrounding centres with a
/// value.
void VelocityFrame::interpolate(const Block& block, double* out) const {
  const std::size_t columns = common_.half_columns(part_.columns);
  for (std::size_t n = 0; n < (2 * part_.rows + 1) * columns; ++n) {
    const std::size_t j = n / columns;
    const std::size_t i = n % columns;
    out[n] = block.mean(static_cast<std::ptrdiff_t>(j / 2), static_cast<std::ptrdiff_t>(i / 2),
                        j % 2 == 0, i % 2 == 0);
  }
}

void VelocityFrame::read_centres(const VariableSeries& series, std::size_t time, std::size_t member,
                                 double* out) const {
  interpolate(read_block(series, time, member, 0, {-1, -1, part_.rows + 2, part_.columns + 2}),
              out);
}

/// Sets dry faces of cells that are not land to 0. Returns centres, NaN for land.
VelocityFrame::Block VelocityFrame::close_walls(Block& u, Block& v) const {
  Block wet{-1, -1, part_.rows + 2, part_.columns + 2};
  if (mask_.empty()) {
    wet.values.assign(wet.rows * wet.columns, 1);
  } else {
    wet = centres_around_part(mask_);
  }
  const auto rows = static_cast<std::ptrdiff_t>(part_.rows);
  const auto columns = static_cast<std::ptrdiff_t>(part_.columns);
  for (std::ptrdiff_t j = -1; j <= rows; ++j) {
    for (std::ptrdiff_t i = -1; i <= columns; ++i) {
      if (!u.is_wet(j, i) && !u.is_wet(j, i + 1) && !v.is_wet(j, i) && !v.is_wet(j + 1, i)) {
        wet.at(j, i) = nan;
      }
    }
  }
  for (std::ptrdiff_t j = -1; j <= rows; ++j) {
    for (std::ptrdiff_t i = 0; i <= columns; ++i) {
      if (u.is_dry_face(j, i) && (wet.is_wet(j, i - 1) || wet.is_wet(j, i))) u.at(j, i) = 0;
    }
  }
  for (std::ptrdiff_t j = 0; j <= rows; ++j) {
    for (std::ptrdiff_t i = -1; i <= columns; ++i) {
      if (v.is_dry_face(j, i) && (wet.is_wet(j - 1, i) || wet.is_wet(j, i))) v.at(j, i) = 0;
    }
  }
  return wet;
}

/// Reads both components, as stored, at the part's points. In the outer half of the file's
/// outermost cells a component along the edge has the value of the nearest points.
void VelocityFrame::read_staggered(std::size_t time, std::size_t member, std::size_t level,
                                   double* u, double* v) const {
  Block u_block{-1, 0, part_.rows + 2, part_.columns + 1, 0, common_.u_before};
  Block v_block{0, -1, part_.rows + 1, part_.columns + 2, common_.v_before, 0};
  u_block = read_block(u_, time, member, level, u_block);
  v_block = read_block(v_, time, member, level, v_block);
  const Block wet = close_walls(u_block, v_block);
  const std::size_t columns = common_.half_columns(part_.columns);
  for (std::size_t n = 0; n < (2 * part_.rows + 1) * columns; ++n) {
    const bool is_centre_row = n / columns % 2 == 1;  // a row of centres and of u
    const bool is_centre_column = n % columns % 2 == 1;
    const auto j = static_cast<std::ptrdiff_t>(n / columns / 2);
    const auto i = static_cast<std::ptrdiff_t>(n % columns / 2);
    if (is_centre_row && is_centre_column && !wet.is_wet(j, i)) {
      u[n] = v[n] = nan;
      continue;
    }
    u[n] = u_block.mean(j, is_centre_column ? i + 1 : i, !is_centre_row, is_centre_column);
    v[n] = v_block.mean(is_centre_row ? j + 1 : j, i, is_centre_row, !is_centre_column);
  }
}

void VelocityFrame::read(std::size_t time, std::size_t member, std::size_t level, double* eastward,
                         double* northward) const {
  if (common_.staggered) {
    read_staggered(time, member, level, eastward, northward);
  } else {
    const auto u = u_.read_scaled(time, member, part_, level);
    const auto v = v_.read_scaled(time, member, part_, level);
    std::copy(u.begin(), u.end(), eastward);
    std::copy(v.begin(), v.end(), northward);
  }
  if (components_ != Components::grid) return;
  for (std::size_t n = 0; n < cosine_.size(); ++n) {
    const double along = u_.points().x_sense * eastward[n];
    const double across = handedness_ * v_.points().y_sense * northward[n];
    eastward[n] = along * cosine_[n] - across * sine_[n];
    northward[n] = along * sine_[n] + across * cosine_[n];
  }
}

}  // namespace tidewise::ingest
