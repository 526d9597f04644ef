#include "env/import/source/variable_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/file/component_direction.h"
#include "env/import/file/coordinate_role.h"
#include "env/import/file/find_velocity.h"
#include "env/import/file/radial_velocity.h"
#include "env/import/time/time_axis.h"
#include "env/units/calendar_time.h"
#include "env/units/speed_units.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

// Relative to the depth: in one model the levels of u and v are the same.
constexpr double level_tolerance = 0.01;

std::string depth_text(const std::optional<double>& depth) {
  return depth ? fmt::format("{:.6g} m", *depth) : "none stated";
}

}  // namespace

VariableSeries::VariableSeries(SourceVariable variable, SeriesRequest request, OpenFiles& files)
    : variable_(std::move(variable)), request_(std::move(request)), files_(files) {
  for (const auto& path : variable_.files) {
    const auto file = files_.open(path);
    FileProperties properties = read_part(*file);
    if (properties_.empty()) {
      describe(*file, properties);
    } else {
      require_alike(*file, properties);
    }
    const auto& member = properties.layout.place(Role::member);
    extents_.push_back({path, read_times(*file, properties.layout), member ? member->size : 1,
                        read_member_labels(*file, properties.layout, request_.names)});
    properties_.push_back(std::move(properties));
  }
  joined_ = join_files(extents_, FilesDiffer::in_time_and_labels);
}

VariableSeries::FileProperties VariableSeries::read_part(const NetcdfFile& file) {
  if (variable_.read_as == ReadAs::speed) refuse_radials(file, variable_.name);
  FileProperties properties;
  properties.layout = layout_in(file);
  if (variable_.read_as == ReadAs::speed) properties.factor = velocity_factor(file, variable_.name);
  properties.flags = find_quality_flags(file, variable_.name);
  for (const QualityFlag& flag : properties.flags) {
    note(fmt::format("quality: values of {} that {} flags as bad count as missing: {}",
                     variable_.name, flag.variable(),
                     flag.bad_values().empty() ? "none is" : flag.bad_values()));
    if (flag.unknown_meanings().empty()) continue;
    note(fmt::format("quality: meanings of {} that are not known here count as good: {}",
                     flag.variable(), flag.unknown_meanings()));
  }
  return properties;
}

FieldLayout VariableSeries::layout_in(const NetcdfFile& file) const {
  return find_layout(file, variable_.name, request_.names, request_.time);
}

void VariableSeries::note(const std::string& text) {
  if (text.empty() || std::find(notes_.begin(), notes_.end(), text) != notes_.end()) return;
  notes_.push_back(text);
}

void VariableSeries::describe(const NetcdfFile& file, FileProperties& properties) {
  const FieldLayout& layout = properties.layout;
  points_ = read_points(file, layout);
  if (points_.kind == GridKind::curvilinear) land_ = read_land(file, layout);
  if (!file.group().empty())
    note(fmt::format("group: variables are those of the group {}", file.group()));
  note(layout.mapping.note);
  note(points_.note);
  if (const auto& depth = layout.place(Role::depth); depth && request_.dive) {
    dive_levels_ = dive_levels_in(file, *depth);
    note(dive_levels_.note);
    properties.level_index = dive_levels_.index;
  } else if (request_.dive) {
    file.refuse(layout.variable, error_text(errors::depth_without_dimension, "--profile"));
  } else {
    const DepthLevel level = depth_level(file, layout);
    note(level.note);
    depth_ = level.depth;
    properties.level_index = {level.index};
  }
}

void VariableSeries::require_alike(const NetcdfFile& file, FileProperties& properties) {
  const FieldLayout& layout = properties.layout;
  const std::string first = variable_.files.front().string();
  const VariablePoints points = read_points(file, layout);
  if (!same_points(points, points_) || points.x_sense != points_.x_sense ||
      points.y_sense != points_.y_sense) {
    file.refuse(layout.variable, error_text(errors::points_differ, variable_.name, first, ""));
  }
  require_same_meaning(file, properties);
  const auto& place = layout.place(Role::depth);
  const DiveLevels levels = place && request_.dive ? dive_levels_in(file, *place) : DiveLevels{};
  const DepthLevel level = request_.dive ? DepthLevel{} : depth_level(file, layout);
  if (request_.dive ? !has_levels(levels) : !is_level(level.depth)) {
    file.refuse(layout.variable,
                error_text(errors::depths_differ, first,
                           request_.dive ? ""
                                         : fmt::format(" ({} and {})", depth_text(level.depth),
                                                       depth_text(depth_)),
                           "files"));
  }
  properties.level_index = request_.dive ? levels.index : std::vector{level.index};
}

/// Checks that units, standard_name and direction are the same in all files, or can be converted.
void VariableSeries::require_same_meaning(const NetcdfFile& file,
                                          const FileProperties& properties) const {
  const auto first = first_file();
  const std::string& name = variable_.name;
  const auto refuse_difference = [&](const std::string& what, const std::string& value,
                                     const std::string& first_value, const std::string& remedy) {
    const auto quoted = [](const std::string& text) {
      return text.empty() ? std::string("none") : "\"" + text + "\"";
    };
    file.refuse(name, error_text(errors::files_attribute_differs, what, quoted(value),
                                 first->path().string(), quoted(first_value), remedy));
  };
  const std::string units = file.units(name);
  const std::string first_units = first->units(name);
  // Without units a speed is in m s-1, and the other file's units must be m s-1.
  const bool is_same =
      variable_.read_as == ReadAs::speed
          ? units.empty() == first_units.empty() || properties.factor == properties_.front().factor
          : are_same_units(units, first_units);
  if (!is_same) {
    refuse_difference("units", units, first_units,
                      "correct them, or convert the files to one unit");
  }
  const std::string standard_name = file.text(name, "standard_name");
  const std::string first_standard_name = first->text(name, "standard_name");
  const bool both_named = !standard_name.empty() && !first_standard_name.empty();
  if (both_named && lower_case(standard_name) != lower_case(first_standard_name)) {
    refuse_difference("standard_name", standard_name, first_standard_name,
                      "give files of one quantity, or correct the wrong name");
  }
  if (request_.names.components) return;
  require_same_direction(file, *first, name,
                         points_.kind == GridKind::longitude_latitude
                             ? std::optional(Components::east_north)
                             : std::nullopt);
}

DiveLevels VariableSeries::dive_levels_in(const NetcdfFile& file, const RolePlace& place) const {
  return choose_dive_levels(file, variable_.name, place, request_.dive->first,
                            request_.dive->second, request_.surface);
}

bool VariableSeries::has_levels(const DiveLevels& levels) const {
  const auto& depths = dive_levels_.depth;
  return levels.index.size() == dive_levels_.index.size() && levels.depth.size() == depths.size() &&
         std::equal(depths.begin(), depths.end(), levels.depth.begin(), [](double a, double b) {
           return std::abs(a - b) <= level_tolerance * std::max(1.0, a);
         });
}

std::string VariableSeries::depth_coordinate() const {
  const auto& place = properties_.front().layout.place(Role::depth);
  return place ? place->coordinate : std::string();
}

DepthLevel VariableSeries::depth_level(const NetcdfFile& file, const FieldLayout& layout) const {
  return choose_depth_level(file, layout, request_.names.depth, request_.depth, request_.surface);
}

bool VariableSeries::is_level(const std::optional<double>& depth) const {
  if (depth && depth_) {
    return std::abs(*depth - *depth_) <= level_tolerance * std::max(1.0, *depth_);
  }
  // A field without a depth is taken to be at the surface.
  return std::max(depth.value_or(0), depth_.value_or(0)) <= deepest_surface;
}

/// Reads ROMS' mask of land, a separate variable for each kind of points.
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

/// The coordinate with a single time, which remains if one time of a longer field is extracted;
/// empty if there is none.
std::string VariableSeries::scalar_time(const NetcdfFile& file) const {
  for (const auto& variable : file.variables()) {
    const auto dimensions = file.dimensions(variable);
    const bool single =
        std::all_of(dimensions.begin(), dimensions.end(),
                    [](const NetcdfDimension& dimension) { return dimension.size == 1; });
    const bool is_time = variable == request_.names.time ||
                         lower_case(file.text(variable, "standard_name")) == "time" ||
                         role_by_name(variable) == Role::time;
    if (single && is_time) return variable;
  }
  return {};
}

std::vector<double> VariableSeries::read_times(const NetcdfFile& file, const FieldLayout& layout) {
  const auto& place = layout.place(Role::time);
  const std::string coordinate = place ? place->coordinate : scalar_time(file);
  if (coordinate.empty()) {
    if (request_.time_without_axis) return {*request_.time_without_axis};
    file.refuse(layout.variable, error_text(errors::time_missing_in_file));
  }
  TimeAxis axis = read_time_axis(file, {.variable = layout.variable,
                                        .dimension = place ? place->dimension : std::string(),
                                        .coordinate = coordinate,
                                        .units = request_.names.time_units});
  for (const std::string& text : axis.notes) note(text);
  return std::move(axis.seconds);
}

/// Uses only the values, so that a copy of a file has the same checksum.
std::uint64_t VariableSeries::checksum(const FieldPlace& place) const {
  constexpr std::uint64_t prime = 0x100000001b3;  // FNV-1a
  constexpr std::size_t max_values = 1 << 20;     // read at a time
  std::uint64_t sum = 0xcbf29ce484222325;
  const std::size_t rows = std::max<std::size_t>(1, max_values / points_.columns);
  for (std::size_t row = 0; row < points_.rows; row += rows) {
    const PointBox box{row, 0, std::min(rows, points_.rows - row), points_.columns};
    for (const double value : read(place, box, 0)) {
      // All missing values have one bit pattern, and so do both zeros.
      const double scaled =
          std::isnan(value) ? std::nan("") : value * properties_[place.file].factor + 0.0;
      sum = (sum ^ std::bit_cast<std::uint64_t>(scaled)) * prime;
    }
  }
  return sum;
}

std::size_t VariableSeries::files_at_once() const {
  std::set<std::size_t> files;
  for (std::size_t member = 0; member < member_count() && !times().empty(); ++member) {
    files.insert(file_index(0, member));
  }
  return files.size();
}

std::vector<std::size_t> VariableSeries::equal_files() const {
  std::vector<std::size_t> equal;
  std::map<std::vector<std::uint64_t>, std::size_t> first;
  for (std::size_t file = 0; file < extents_.size(); ++file) {
    std::vector<std::uint64_t> sums;
    for (std::size_t member = 0; member < extents_[file].member_count; ++member) {
      sums.push_back(checksum({file, 0, member}));
      sums.push_back(checksum({file, extents_[file].times.size() - 1, member}));
    }
    equal.push_back(first.try_emplace(std::move(sums), file).first->second);
  }
  return equal;
}

void VariableSeries::treat_files_as_members(const std::vector<std::size_t>& equal) {
  std::vector<std::filesystem::path> files;
  std::vector<FileProperties> properties;
  std::vector<FileExtent> extents;
  for (std::size_t file = 0; file < equal.size(); ++file) {
    if (equal[file] != file) {
      note(fmt::format("{}: holds what {} holds, and is left out",
                       variable_.files[file].filename().string(),
                       variable_.files[equal[file]].filename().string()));
      continue;
    }
    files.push_back(variable_.files[file]);
    properties.push_back(properties_[file]);
    extents.push_back(extents_[file]);
  }
  variable_.files = std::move(files);
  properties_ = std::move(properties);
  extents_ = std::move(extents);
  joined_ = join_files(extents_, FilesDiffer::in_member);
}

RepeatedTimes VariableSeries::repeated_times() const {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<RepeatedField>> by_files;
  for (const RepeatedField& field : joined_.repeated) {
    by_files[{field.taken.file, field.dropped.file}].push_back(field);
  }
  RepeatedTimes times;
  for (const auto& [files, fields] : by_files) {
    const auto [taken, dropped] = files;
    const auto is_copy = [&](const RepeatedField& field) {
      return checksum(field.taken) == checksum(field.dropped);
    };
    const bool all_copies = is_copy(fields.front()) && is_copy(fields.back());
    if (!all_copies && !joined_.uses(dropped)) refuse_unused(taken, dropped);
    for (const RepeatedField& field : fields) {
      (all_copies ? times.copies : times.different)
          .insert(extents_[dropped].times[field.dropped.time]);
    }
  }
  return times;
}

void VariableSeries::refuse_unused(std::size_t taken, std::size_t dropped) const {
  const MemberLabels& members = extents_[dropped].members;
  const std::string number = members.labels.empty()
                                 ? std::string("and neither numbers its member")
                                 : fmt::format("and both number their member {} ({})",
                                               list_labels(members.labels), members.by);
  files_.open(variable_.files[dropped])
      ->refuse(variable_.name, error_text(errors::files_overlap_differently,
                                          variable_.files[taken].string(), number));
}

std::vector<double> VariableSeries::read(const FieldPlace& from, const PointBox& box,
                                         std::size_t level) const {
  const FileProperties& properties = properties_[from.file];
  const FieldLayout& layout = properties.layout;
  std::vector<std::size_t> start(layout.rank, 0);
  std::vector<std::size_t> count(layout.rank, 1);
  const auto set_range = [&](Role role, std::size_t first, std::size_t size) {
    if (const auto& place = layout.place(role)) {
      start[place->position] = first;
      count[place->position] = size;
    }
  };
  set_range(Role::time, from.time, 1);
  set_range(Role::member, from.member, 1);
  set_range(Role::depth, properties.level_index[level], 1);
  set_range(Role::latitude, box.row, box.rows);
  set_range(Role::longitude, box.column, box.columns);
  const auto file = files_.open(variable_.files[from.file]);
  auto values = file->read(layout.variable, start, count);
  for (const QualityFlag& flag : properties.flags) {
    remove_bad_values(*file, layout.variable, flag, start, count, values);
  }
  if (layout.place(Role::latitude)->position > layout.place(Role::longitude)->position) {
    const auto stored = values;
    for (std::size_t j = 0; j < box.rows; ++j) {
      for (std::size_t i = 0; i < box.columns; ++i) {
        values[j * box.columns + i] = stored[i * box.rows + j];
      }
    }
  }
  const auto remove_land = [&](const std::vector<std::uint8_t>& land) {
    for (std::size_t n = 0; !land.empty() && n < values.size(); ++n) {
      const std::size_t row = box.row + n / box.columns;
      const std::size_t column = box.column + n % box.columns;
      if (land[row * points_.columns + column] != 0) values[n] = std::nan("");
    }
  };
  remove_land(land_);
  if (!closed_.empty()) remove_land(closed_[level]);
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

double VariableSeries::zero_tolerance(std::size_t time, std::size_t member) const {
  return file_of(time, member)->zero_tolerance(variable_.name);
}

std::vector<double> VariableSeries::read_scaled(std::size_t time, std::size_t member,
                                                const PointBox& box, std::size_t level) const {
  auto values = read(time, member, box, level);
  const double scale = factor(time, member);
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double stored = values[n];
    values[n] = scale * stored;
    if (!(std::abs(values[n]) > variable_.max)) continue;
    const PointGrid points = points_.to_point_grid();
    refuse_value(
        stored,
        points.place((box.row + n / box.columns) * points.columns + box.column + n % box.columns),
        time, member);
  }
  return values;
}

void VariableSeries::refuse_value(double stored, GeographicPoint place, std::size_t time,
                                  std::size_t member) const {
  const std::string what = std::isinf(stored)
                               ? "not a number to work with, but a mark"
                               : fmt::format("greater than {:.6g}: a fill value", variable_.max);
  file_of(time, member)
      ->refuse(variable_.name, error_text(errors::value_undeclared_missing, stored, place.longitude,
                                          place.latitude, format_iso_time(times()[time]), what));
}

}  // namespace tidewise::ingest
