#include "env/import/source/velocity_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/angle.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double greatest_skew = 0.1;      // cos 84°: what is at right angles, with its round-off
constexpr double greatest_dispute = 0.09;  // [rad] 5°, between a file's angle and its points

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

/// The mean of two where both are wet, else the wet one.
double mean_of_wet(double a, double b) {
  if (std::isnan(a)) return b;
  return std::isnan(b) ? a : (a + b) / 2;
}

}  // namespace

VelocityFrame::VelocityFrame(const VariableSeries& u, const VariableSeries& v,
                             const CommonPoints& common, const PointBox& part,
                             const PointGrid& points, const ComponentWords& words)
    : u_(u), v_(v), common_(common), part_(part) {
  common_.grid = {};
  const GridAxes axes = axes_of(points);
  validate(axes, words, points);
  if (components_ == Components::grid) {
    cosine_ = axes.cosine;
    sine_ = axes.sine;
    handedness_ = axes.handedness;
    take_own_angle(axes);
  }
  if (common_.staggered) {
    const auto mask =
        read_on_points(*u.first_file(), "mask_rho", u.points().rows, v.points().columns);
    for (std::size_t n = 0; !mask.empty() && n < points.size(); ++n) {
      const std::size_t row = n / part.columns + part.row + common_.first_row;
      const std::size_t column = n % part.columns + part.column + common_.first_column;
      land_.push_back(mask[row * v.points().columns + column] == 1 ? 0 : 1);
    }
  }
}

void VelocityFrame::validate(const GridAxes& axes, const ComponentWords& words,
                             const PointGrid& points) {
  const ComponentPlaces places{common_.staggered, axes.along_east(),
                               u_.points().kind == GridKind::projected};
  ComponentVerdict verdict;
  try {
    verdict = validate_components(words, places);
  } catch (const InputError& error) {
    u_.first_file()->refuse(u_.variable().name, error.what());
  }
  components_ = verdict.components;
  if (components_ == Components::grid && axes.skew > greatest_skew) {
    u_.first_file()->refuse(u_.variable().name, error_text(errors::grid_axes_not_orthogonal));
  }
  if (!verdict.note.empty()) notes_.push_back(verdict.note);
  const char* kind = u_.points().kind == GridKind::projected ? "on a projection"
                     : u_.points().kind == GridKind::longitude_latitude
                         ? "along longitude and latitude"
                         : "curvilinear";
  std::string turned;
  if (components_ == Components::grid) {
    double least = 4;
    double greatest = -4;
    for (std::size_t n = 0; n < points.size(); ++n) {
      if (std::isnan(axes.cosine[n])) continue;
      least = std::min(least, axes.angle(n));
      greatest = std::max(greatest, axes.angle(n));
    }
    turned =
        fmt::format(", turned by {:.0f} to {:.0f} degrees", std::floor(least * degrees_per_radian),
                    std::ceil(greatest * degrees_per_radian));
  }
  notes_.push_back(fmt::format(
      "source grid: {}, {} × {} points{}; components {} ({}){}", kind, points.columns, points.rows,
      common_.staggered ? ", u and v on their own (Arakawa C), brought to the points between" : "",
      components_ == Components::grid ? "along the grid's axes" : "eastward and northward",
      verdict.why, turned));
}

/// ROMS files bring the angle of their xi axis along, on the points that u and v lie between.
void VelocityFrame::take_own_angle(const GridAxes& axes) {
  const auto file = u_.first_file();
  const std::size_t columns = v_.points().columns;
  auto angle = read_on_points(*file, "angle", u_.points().rows, columns);
  if (angle.empty()) return;
  const double unit =
      lower_case(file->units("angle")).starts_with("deg") ? std::numbers::pi / 180 : 1;  // [rad]
  std::vector<double> apart;
  for (std::size_t n = 0; n < part_.rows * part_.columns; ++n) {
    const std::size_t row = n / part_.columns + part_.row + common_.first_row;
    const std::size_t column = n % part_.columns + part_.column + common_.first_column;
    const double own = unit * angle[row * columns + column];
    if (std::isnan(own)) continue;
    const double difference = std::remainder(own - axes.angle(n), 2 * std::numbers::pi);
    if (!std::isnan(difference)) apart.push_back(std::abs(difference));
    cosine_[n] = std::cos(own);
    sine_[n] = std::sin(own);
  }
  if (apart.empty()) return;
  const auto middle = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
  std::nth_element(apart.begin(), middle, apart.end());
  if (*middle > greatest_dispute) {
    file->refuse("angle", error_text(errors::grid_angle_wrong, *middle * 180 / std::numbers::pi));
  }
  notes_.push_back("angle: the file's own variable angle");
}

/// u on each row of the part: one column more than the part has on a staggered grid, and that from
/// the other end of a row where the grid goes around the globe.
std::vector<double> VelocityFrame::read_u(std::size_t time, std::size_t member,
                                          std::size_t level) const {
  PointBox box = part_;
  box.row += common_.first_row;
  box.column += common_.first_column;
  if (!common_.staggered) return u_.read_scaled(time, member, box, level);
  const std::size_t last = u_.points().columns - 1;
  const bool before = common_.u_before > box.column;
  const bool after = common_.u_before == 0 && box.column + box.columns > last;
  if (!before && !after) {
    box.column -= common_.u_before;
    ++box.columns;
    return u_.read_scaled(time, member, box, level);
  }
  const auto inner = u_.read_scaled(time, member, box, level);
  const auto beyond =
      u_.read_scaled(time, member, {box.row, before ? last : 0, box.rows, 1}, level);
  std::vector<double> u;
  for (std::size_t j = 0; j < box.rows; ++j) {
    const auto row = inner.begin() + static_cast<std::ptrdiff_t>(j * box.columns);
    if (before) u.push_back(beyond[j]);
    u.insert(u.end(), row, row + static_cast<std::ptrdiff_t>(box.columns));
    if (after) u.push_back(beyond[j]);
  }
  return u;
}

void VelocityFrame::read(std::size_t time, std::size_t member, std::size_t level, double* eastward,
                         double* northward) const {
  const std::size_t row = part_.row + common_.first_row;
  const std::size_t column = part_.column + common_.first_column;
  const std::size_t more = common_.staggered ? 1 : 0;
  const auto u = read_u(time, member, level);
  const auto v = v_.read_scaled(
      time, member, {row - common_.v_before, column, part_.rows + more, part_.columns}, level);
  const std::size_t u_columns = part_.columns + more;
  for (std::size_t n = 0; n < part_.rows * part_.columns; ++n) {
    const std::size_t j = n / part_.columns;
    const std::size_t i = n % part_.columns;
    double along = u[j * u_columns + i];
    double across = v[n];
    if (common_.staggered) {
      along = mean_of_wet(along, u[j * u_columns + i + 1]);
      across = mean_of_wet(across, v[n + part_.columns]);
      const bool land = std::isnan(along) && std::isnan(across);
      if (!land && std::isnan(along)) along = 0;
      if (!land && std::isnan(across)) across = 0;
      if (!land_.empty() && land_[n] != 0) along = across = nothing;
    }
    if (components_ == Components::grid) {
      along *= u_.points().x_sense;
      across *= handedness_ * v_.points().y_sense;
      eastward[n] = along * cosine_[n] - across * sine_[n];
      northward[n] = along * sine_[n] + across * cosine_[n];
    } else {
      eastward[n] = along;
      northward[n] = across;
    }
  }
}

}  // namespace tidewise::ingest
