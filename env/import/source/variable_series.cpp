#include "env/import/source/variable_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "env/import/file/coordinate_role.h"
#include "env/import/source/time_axis.h"
#include "env/units/calendar_time.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

constexpr double level_tolerance = 0.01;  // of the depth: one model's levels at u and at v are the
                                          // same

}  // namespace

VariableSeries::VariableSeries(SourceVariable variable, SeriesRequest request, OpenFiles& files)
    : variable_(std::move(variable)), request_(std::move(request)), files_(files) {
  std::vector<Step> steps;
  for (std::size_t n = 0; n < variable_.files.size(); ++n) {
    const auto file = files_.open(variable_.files[n]);
    layouts_.push_back(layout_in(*file));
    if (n == 0) {
      describe(*file, layouts_[0]);
    } else {
      require_alike(*file, layouts_[n]);
    }
    const auto times = read_times(*file, layouts_[n]);
    for (std::size_t index = 0; index < times.size(); ++index) {
      steps.push_back({times[index], n, index});
    }
  }
  set_times(std::move(steps));
}

FieldLayout VariableSeries::layout_in(const NetcdfFile& file) const {
  return find_layout(file, variable_.name, request_.names, request_.time);
}

void VariableSeries::note(const std::string& text) {
  if (text.empty() || std::find(notes_.begin(), notes_.end(), text) != notes_.end()) return;
  notes_.push_back(text);
}

void VariableSeries::describe(const NetcdfFile& file, const FieldLayout& layout) {
  points_ = read_points(file, layout);
  if (points_.kind == GridKind::curvilinear) land_ = read_land(file, layout);
  if (!file.group().empty())
    note(fmt::format("group: variables are those of the group {}", file.group()));
  note(layout.mapping.note);
  note(points_.note);
  if (const auto& member = layout.place(Role::member)) {
    member_count_ = member->size;
    member_dimension_ = member->dimension;
  }
  if (const auto& depth = layout.place(Role::depth); depth && request_.dive) {
    dive_levels_ = dive_levels_in(file, *depth);
    note(dive_levels_.note);
    level_index_ = {dive_levels_.index};
  } else if (depth) {
    const DepthLevel level = depth_level(file, *depth);
    note(level.note);
    depth_ = level.depth;
    level_index_ = {{level.index}};
  } else if (request_.depth || request_.dive) {
    file.refuse(layout.variable, fmt::format("has no depth dimension; leave {} out",
                                             request_.dive ? "--profile" : "--depth"));
  } else {
    level_index_ = {{0}};
  }
}

void VariableSeries::require_alike(const NetcdfFile& file, const FieldLayout& layout) {
  const std::string first = variable_.files.front().string();
  if (!same_points(read_points(file, layout), points_)) {
    file.refuse(layout.variable,
                fmt::format("lies on other points than {} of {}; regrid them to one grid first",
                            variable_.name, first));
  }
  const auto& member = layout.place(Role::member);
  const std::size_t members = member ? member->size : 1;
  if (members != member_count_) {
    file.refuse(layout.variable,
                fmt::format("has {} where {} has {}; bring in files of one ensemble",
                            counted(members, "member"), first, member_count_));
  }
  const auto& place = layout.place(Role::depth);
  const DiveLevels levels = place && request_.dive ? dive_levels_in(file, *place) : DiveLevels{};
  const DepthLevel level = place && !request_.dive ? depth_level(file, *place) : DepthLevel{};
  if (place.has_value() != layouts_.front().place(Role::depth).has_value() ||
      !is_level(level.depth) || !has_levels(levels)) {
    file.refuse(layout.variable, fmt::format("has other depths than {}; bring in files of the same "
                                             "levels",
                                             first));
  }
  level_index_.push_back(request_.dive ? levels.index : std::vector{level.index});
}

DiveLevels VariableSeries::dive_levels_in(const NetcdfFile& file, const RolePlace& place) const {
  return choose_dive_levels(file, variable_.name, place, request_.dive->first,
                            request_.dive->second);
}

bool VariableSeries::has_levels(const DiveLevels& levels) const {
  const auto& own = dive_levels_.depth;
  return levels.index.size() == dive_levels_.index.size() && levels.depth.size() == own.size() &&
         std::equal(own.begin(), own.end(), levels.depth.begin(), [](double a, double b) {
           return std::abs(a - b) <= level_tolerance * std::max(1.0, a);
         });
}

std::string VariableSeries::depth_coordinate() const {
  const auto& place = layouts_.front().place(Role::depth);
  return place ? place->coordinate : std::string();
}

DepthLevel VariableSeries::depth_level(const NetcdfFile& file, const RolePlace& place) const {
  return choose_depth_level(file, variable_.name, place, request_.depth, request_.surface);
}

bool VariableSeries::is_level(const std::optional<double>& depth) const {
  return !depth || !depth_ ||
         std::abs(*depth - *depth_) <= level_tolerance * std::max(1.0, *depth_);
}

/// ROMS tells land by masks of its own beside the fields, one for each kind of points.
std::vector<std::uint8_t> VariableSeries::read_land(const NetcdfFile& file,
                                                    const FieldLayout& layout) const {
  for (const char* name : {"mask_rho", "mask_u", "mask_v", "mask_psi"}) {
    if (!file.has(name)) continue;
    const auto dimensions = file.dimensions(name);
    if (dimensions.size() != 2 || dimensions[0].name != layout.place(Role::latitude)->dimension ||
        dimensions[1].name != layout.place(Role::longitude)->dimension) {
      continue;
    }
    std::vector<std::uint8_t> land;
    for (const double wet : file.read_all(name)) land.push_back(wet == 1 ? 0 : 1);
    return land;
  }
  return {};
}

/// A coordinate that is one time alone, as taking one time of a longer field leaves it.
std::string VariableSeries::scalar_time(const NetcdfFile& file) const {
  for (const auto& variable : file.variables()) {
    const auto dimensions = file.dimensions(variable);
    const bool single = std::all_of(dimensions.begin(), dimensions.end(),
                                    [](const NetcdfDimension& one) { return one.size == 1; });
    const bool named = variable == request_.names.time ||
                       lower_case(file.text(variable, "standard_name")) == "time" ||
                       role_by_name(variable) == Role::time;
    if (single && named) return variable;
  }
  return {};
}

std::vector<double> VariableSeries::read_times(const NetcdfFile& file, const FieldLayout& layout) {
  const auto& place = layout.place(Role::time);
  const std::string coordinate = place ? place->coordinate : scalar_time(file);
  if (coordinate.empty()) {
    if (request_.time_without_axis) return {*request_.time_without_axis};
    file.refuse(layout.variable, "says no time; give its own with --from");
  }
  TimeAxis axis = read_time_axis(file, {.variable = layout.variable,
                                        .dimension = place ? place->dimension : std::string(),
                                        .coordinate = coordinate,
                                        .units = request_.names.time_units});
  for (const std::string& text : axis.notes) note(text);
  return std::move(axis.seconds);
}

void VariableSeries::set_times(std::vector<Step> steps) {
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.seconds < b.seconds; });
  const auto last = std::unique(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return a.seconds == b.seconds;
  });
  if (const auto dropped = steps.end() - last; dropped > 0) {
    note(fmt::format("{} time(s) given twice: the file named first is taken", dropped));
  }
  steps.erase(last, steps.end());
  steps_ = std::move(steps);
  for (const Step& step : steps_) times_.push_back(step.seconds);
}

std::vector<double> VariableSeries::read(std::size_t time, std::size_t member, const PointBox& box,
                                         std::size_t level) const {
  const Step& step = steps_[time];
  const FieldLayout& layout = layouts_[step.file];
  std::vector<std::size_t> start(layout.rank, 0);
  std::vector<std::size_t> count(layout.rank, 1);
  const auto set = [&](Role role, std::size_t first, std::size_t size) {
    if (const auto& place = layout.place(role)) {
      start[place->position] = first;
      count[place->position] = size;
    }
  };
  set(Role::time, step.index, 1);
  set(Role::member, member, 1);
  set(Role::depth, level_index_[step.file][level], 1);
  set(Role::latitude, box.row, box.rows);
  set(Role::longitude, box.column, box.columns);
  auto values = files_.open(variable_.files[step.file])->read(layout.variable, start, count);
  if (layout.place(Role::latitude)->position > layout.place(Role::longitude)->position) {
    const auto stored = values;
    for (std::size_t j = 0; j < box.rows; ++j) {
      for (std::size_t i = 0; i < box.columns; ++i) {
        values[j * box.columns + i] = stored[i * box.rows + j];
      }
    }
  }
  const auto take_out = [&](const std::vector<std::uint8_t>& land) {
    for (std::size_t n = 0; !land.empty() && n < values.size(); ++n) {
      const std::size_t row = box.row + n / box.columns;
      const std::size_t column = box.column + n % box.columns;
      if (land[row * points_.columns + column] != 0) values[n] = std::nan("");
    }
  };
  take_out(land_);
  if (!closed_.empty()) take_out(closed_[level]);
  return values;
}

void VariableSeries::close(const std::vector<std::uint8_t>& closed, const PointBox& box,
                           std::size_t level) {
  closed_.resize(level_count());
  auto& land = closed_[level];
  land.resize(points_.rows * points_.columns, 0);
  for (std::size_t n = 0; n < closed.size(); ++n) {
    if (closed[n] == 0) continue;
    land[(box.row + n / box.columns) * points_.columns + box.column + n % box.columns] = 1;
  }
}

double VariableSeries::zero_tolerance(std::size_t time) const {
  return file_of(time)->zero_tolerance(variable_.name);
}

std::vector<double> VariableSeries::read_scaled(std::size_t time, std::size_t member,
                                                const PointBox& box, std::size_t level) const {
  auto values = read(time, member, box, level);
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double stored = values[n];
    values[n] = variable_.factor * stored;
    if (!(std::abs(values[n]) > variable_.greatest)) continue;
    const PointGrid points = points_.to_point_grid();
    refuse_value(
        stored,
        points.place((box.row + n / box.columns) * points.columns + box.column + n % box.columns),
        time);
  }
  return values;
}

void VariableSeries::refuse_value(double stored, GeographicPoint place, std::size_t time) const {
  const std::string what =
      std::isinf(stored) ? "not a number to work with, but a mark"
                         : fmt::format("greater than {:.6g}: a fill value", variable_.greatest);
  file_of(time)->refuse(
      variable_.name,
      fmt::format("holds {:.6g} at {:.6g} E {:.6g} N, {}, {} that no _FillValue or "
                  "missing_value declares; add that attribute, or correct the file",
                  stored, place.longitude, place.latitude, format_iso_time(times_[time]), what));
}

}  // namespace tidewise::ingest
