#include "env/import/source/forecast_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/source/bathymetry.h"
#include "env/import/source/variable_series.h"
#include "env/units/calendar_time.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

/// Orders times so that the first and the last time of every file of a member come first, because
/// the representation of land seldom changes within a file. Returns the number of these times.
std::size_t order_by_file(const std::vector<const VariableSeries*>& components, std::size_t member,
                          std::vector<std::size_t>& times) {
  std::vector<std::uint8_t> is_end(times.size(), 0);
  for (const VariableSeries* component : components) {
    std::map<std::size_t, std::size_t> last;  // by file
    for (std::size_t time = 0; time < times.size(); ++time) {
      const std::size_t file = component->file_index(time, member);
      if (!last.contains(file)) is_end[time] = 1;
      last[file] = time;
    }
    for (const auto& [file, time] : last) is_end[time] = 1;
  }
  const auto others = std::stable_partition(times.begin(), times.end(),
                                            [&](std::size_t time) { return is_end[time] != 0; });
  return static_cast<std::size_t>(others - times.begin());
}

/// The values of one member's points at the times read so far.
struct PointHistory {
  std::vector<std::uint8_t> has_moved;
  std::vector<std::uint8_t> was_zero;

  bool is_still(std::size_t point) const { return has_moved[point] == 0 && was_zero[point] != 0; }
  bool has_still_point() const {
    for (std::size_t point = 0; point < has_moved.size(); ++point) {
      if (is_still(point)) return true;
    }
    return false;
  }
};

/// Adds the values of one member at one time to its history.
void add_to_history(const std::vector<const VariableSeries*>& components, const PointBox& box,
                    std::size_t level, std::size_t time, std::size_t member,
                    PointHistory& history) {
  const std::size_t points = history.has_moved.size();
  std::vector<std::uint8_t> missing(points, 0);
  std::vector<std::uint8_t> moves(points, 0);
  for (const VariableSeries* component : components) {
    const auto values = component->read(time, member, box, level);
    const double tolerance = component->zero_tolerance(time, member);
    for (std::size_t n = 0; n < points; ++n) {
      if (std::isnan(values[n])) missing[n] = 1;
      if (std::abs(values[n]) > tolerance) moves[n] = 1;
    }
  }
  for (std::size_t n = 0; n < points; ++n) {
    if (missing[n] != 0) continue;
    (moves[n] != 0 ? history.has_moved : history.was_zero)[n] = 1;
  }
}

/// The points of `box`, (row, column) of one level, that are at rest at all times in some member:
/// many models write land as a velocity of 0, and no water is exactly at rest all the time.
/// `components` are u and v on the same points, or one of them on its own points (Arakawa's C
/// grid).
///
/// A point that is missing at some times and 0 at all others is at rest; a point that is always
/// missing is not. With packed integers, values next to 0 are taken as 0, because packing may have
/// shifted them. Reads the first and last time of every file, and the others only if there is such
/// a point.
std::vector<std::uint8_t> find_still_points(const std::vector<const VariableSeries*>& components,
                                            const PointBox& box, std::size_t level) {
  const std::size_t points = box.rows * box.columns;
  const VariableSeries& first = *components.front();
  std::vector<std::size_t> times(first.times().size());
  std::vector<std::uint8_t> still(points, 0);
  for (std::size_t member = 0; member < first.member_count(); ++member) {
    std::iota(times.begin(), times.end(), std::size_t{0});
    const std::size_t ends = order_by_file(components, member, times);
    PointHistory history{std::vector<std::uint8_t>(points, 0),
                         std::vector<std::uint8_t>(points, 0)};
    for (std::size_t n = 0; n < times.size(); ++n) {
      if (n >= ends && !history.has_still_point()) break;
      add_to_history(components, box, level, times[n], member, history);
    }
    for (std::size_t n = 0; n < points; ++n) {
      if (history.is_still(n)) still[n] = 1;
    }
  }
  return still;
}

/// The `files` that hold `variable`; each file must hold at least one of `all`.
std::vector<std::filesystem::path> files_with(const std::vector<std::filesystem::path>& files,
                                              const SourceVariable& variable,
                                              const std::vector<SourceVariable>& all,
                                              OpenFiles& open_files) {
  std::vector<std::filesystem::path> matching;
  for (const auto& path : files) {
    const auto file = open_files.open(path);
    const auto has_variable = [&](const SourceVariable& candidate) {
      return file->has(candidate.name);
    };
    if (has_variable(variable) || !std::any_of(all.begin(), all.end(), has_variable))
      matching.push_back(path);
  }
  // If no file holds it, the message for the first file lists its variables.
  if (matching.empty()) matching.push_back(files.front());
  return matching;
}

}  // namespace

ForecastSource::ForecastSource(SourceRequest request) : request_(std::move(request)) {
  open_series();
  join_files();
  const VariableSeries& first = series_.front();
  member_count_ = first.member_count();
  times_ = first.times();
  time_step_ = usual_step(times_);
  for (const VariableSeries& series : series_) {
    if (&series != &first) require_alike(series);
    for (const auto& note : series.notes()) {
      if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
    }
  }
  set_grid();
  note_gaps();
  if (!request_.dives.profiles.empty()) open_dives();
}

void ForecastSource::open_series() {
  series_.reserve(request_.variables.size());  // frame_ refers to its elements
  const DiveRequest& dives = request_.dives;
  std::optional<std::pair<double, double>> dive;
  if (!dives.profiles.empty()) {
    dive = {dives.least(), std::max(dives.greatest() + dives.bottom_margin, dives.shallowest)};
  }
  for (const SourceVariable& variable : request_.variables) {
    SourceVariable with_files = variable;
    if (with_files.files.empty()) {
      with_files.files = request_.files.size() == 1
                             ? request_.files
                             : files_with(request_.files, variable, request_.variables, files_);
    }
    series_.emplace_back(std::move(with_files),
                         SeriesRequest{request_.names, request_.depth,
                                       request_.velocity ? request_.surface : Surface::nearest,
                                       request_.time, request_.time_without_axis, dive},
                         files_);
  }
}

/// For each file, the first file with equal values in all variables, (file); empty unless there are
/// several files with the same times and without labels of members.
std::vector<std::size_t> ForecastSource::find_copies() const {
  std::vector<std::vector<std::size_t>> equal;  // (variable, file)
  for (const VariableSeries& series : series_) {
    if (!series.has_unnumbered_twins()) return {};
    equal.push_back(series.equal_files());
    if (equal.back().size() != equal.front().size()) return {};
  }
  std::vector<std::size_t> copies;
  for (std::size_t file = 0; file < equal.front().size(); ++file) {
    std::size_t first = 0;
    const auto is_alike = [&](const std::vector<std::size_t>& first_equal) {
      return first_equal[file] == first_equal[first];
    };
    while (!std::all_of(equal.begin(), equal.end(), is_alike)) ++first;
    copies.push_back(first);
  }
  return copies;
}

/// Joins the files. Files with the same times and without labels are members if any of their fields
/// differ.
void ForecastSource::join_files() {
  const auto copies = find_copies();
  const bool are_members =
      std::any_of(copies.begin(), copies.end(), [](std::size_t file) { return file > 0; });
  RepeatedTimes repeated;
  std::size_t open_files = 0;
  for (VariableSeries& series : series_) {
    if (are_members) series.treat_files_as_members(copies);
    RepeatedTimes of_series = series.repeated_times();
    repeated.copies.merge(of_series.copies);
    repeated.different.merge(of_series.different);
    open_files += series.files_at_once();
  }
  files_.keep(open_files);
  for (const double time : repeated.different) repeated.copies.erase(time);
  const auto note = [&](const std::set<double>& times, const char* how) {
    if (times.empty()) return;
    notes_.push_back(
        fmt::format("{} time(s) given twice{}: the file named first is taken", times.size(), how));
  };
  note(repeated.copies, "");
  note(repeated.different, " with different values");
}

/// Checks that a variable has the times and members of the first.
void ForecastSource::require_alike(const VariableSeries& series) const {
  const std::string first = series_.front().first_file()->path().string();
  const std::string& name = series_.front().variable().name;
  if (!are_same_times(series.times(), times_)) {
    series.first_file()->refuse(series.variable().name,
                                error_text(errors::component_times_differ, name));
  }
  if (series.member_count() != member_count_) {
    series.first_file()->refuse(
        series.variable().name,
        error_text(errors::member_counts_differ, counted(series.member_count(), "member"), first,
                   member_count_));
  }
  const auto& labels = series_.front().member_labels();
  if (!labels.empty() && !series.member_labels().empty() && series.member_labels() != labels) {
    series.first_file()->refuse(
        series.variable().name,
        error_text(errors::member_labels_differ, list_labels(series.member_labels()), first,
                   list_labels(labels)));
  }
  if (!series_.front().is_level(series.depth())) {
    const auto depth_of = [](const VariableSeries& other) {
      return other.depth() ? fmt::format("{:.6g} m", *other.depth())
                           : std::string("a depth unknown");
    };
    series.first_file()->refuse(series.variable().name,
                                error_text(errors::component_depth_differs, depth_of(series), name,
                                           depth_of(series_.front())));
  }
  if (!request_.dives.profiles.empty() && !series_.front().has_levels(series.dive_levels())) {
    series.first_file()->refuse(series.variable().name,
                                error_text(errors::depths_differ, name, "", "components"));
  }
}

void ForecastSource::set_grid() {
  const VariableSeries& first = series_.front();
  const VariablePoints& points = first.points();
  const bool common = std::all_of(
      series_.begin(), series_.end(),
      [&](const VariableSeries& series) { return same_points(series.points(), points); });
  if (!common || points.kind != GridKind::longitude_latitude) {
    set_points();
    return;
  }
  grid_ = make_source_grid(*first.first_file(), points.x_name, points.y_name, request_.box);
  if (!request_.velocity) return;
  try {
    const auto decision = decide_components(*request_.velocity, {.along_east = true});
    if (!decision.note.empty()) notes_.push_back(decision.note);
  } catch (const InputError& error) {
    first.first_file()->refuse(first.variable().name, error.what());
  }
  close_still_points({});
}

/// Sets up a grid whose points have their own positions.
void ForecastSource::set_points() {
  const VariableSeries& first = series_.front();
  CommonPoints common;
  common.grid = first.points().to_point_grid();
  PointGrid u;
  PointGrid v;
  for (const VariableSeries& series : series_) {
    if (same_points(series.points(), first.points())) continue;
    u = common.grid;
    v = series.points().to_point_grid();
    const auto points_between =
        request_.velocity && series_.size() == 2 ? find_common_points(u, v) : std::nullopt;
    if (!points_between) {
      series.first_file()->refuse(
          series.variable().name,
          error_text(
              errors::points_differ, first.variable().name, first.first_file()->path().string(),
              request_.velocity ? ", and not half a cell from them as on Arakawa's C grid" : ""));
    }
    common = *points_between;
  }
  grid_ = make_point_source(common.grid, request_.box, first.first_file()->path().string());
  if (common.staggered) add_faces(u, v, common, grid_);
  if (!request_.velocity) return;
  first_row_ = common.first_row;
  first_column_ = common.first_column;
  const PointBox part{grid_.row.front(), grid_.column.front(), grid_.row.size(),
                      grid_.column.size()};
  frame_.emplace(series_[0], series_[1], common, part, grid_, *request_.velocity);
  notes_.insert(notes_.end(), frame_->notes().begin(), frame_->notes().end());
  close_still_points(common);
}

/// The rows and columns of a series that the grid needs, and one more on each side.
PointBox ForecastSource::part_of(const VariableSeries& series, const CommonPoints& common) const {
  const auto span = [](const std::vector<std::size_t>& index, std::size_t first, std::size_t size) {
    const auto [min, max] = std::minmax_element(index.begin(), index.end());
    const std::size_t begin = std::max<std::size_t>(*min + first, 1) - 1;
    return std::pair(begin, std::min(*max + first + 2, size) - begin);
  };
  const auto [row, rows] = span(grid_.row, common.first_row, series.points().rows);
  auto [column, columns] = span(grid_.column, common.first_column, series.points().columns);
  if (common.cyclic) {
    column = 0;
    columns = series.points().columns;
  }
  return {row, column, rows, columns};
}

/// Closes points whose velocity is always 0, as many files mark land. On a staggered grid each
/// component has its own walls; on common points both components have to be 0.
void ForecastSource::close_still_points(const CommonPoints& common) {
  if (request_.zeros == Zeros::water || times_.empty()) return;
  std::vector<std::vector<VariableSeries*>> groups{{&series_[0], &series_[1]}};
  if (common.staggered) groups = {{&series_[0]}, {&series_[1]}};
  std::vector<std::string> counts;
  bool has_still = false;
  bool is_all_still = true;
  for (const auto& group : groups) {
    const PointBox box = part_of(*group.front(), common);
    std::size_t count = 0;
    std::size_t points = 0;
    for (std::size_t level = 0; level < group.front()->level_count(); ++level) {
      const auto still = find_still_points({group.begin(), group.end()}, box, level);
      const auto still_count = static_cast<std::size_t>(std::count(still.begin(), still.end(), 1));
      count += still_count;
      points += still.size();
      if (still_count == 0) continue;
      for (VariableSeries* series : group) series->close(still, box, level);
    }
    has_still = has_still || count > 0;
    is_all_still = is_all_still && count == points;
    counts.push_back(fmt::format(
        "{} at {} of {} points",
        group.size() == 1 ? group.front()->variable().name : "the velocity", count, points));
  }
  if (!has_still) return;
  if (is_all_still) {
    series_[0].first_file()->refuse(series_[0].variable().name,
                                    error_text(errors::velocity_zero_everywhere));
  }
  notes_.push_back(fmt::format(
      "zeros: {}, at every time: treated as land; --zeros water treats them as water at "
      "rest",
      fmt::join(counts, ", ")));
}

void ForecastSource::note_gaps() {
  for (std::size_t i = 1; i < times_.size(); ++i) {
    if (times_[i] - times_[i - 1] < 1.5 * time_step()) continue;
    notes_.push_back(fmt::format("gap: no fields from {} to {}; bridged by linear interpolation",
                                 format_iso_time(times_[i - 1]), format_iso_time(times_[i])));
  }
}

bool ForecastSource::covers(double first, double last) const {
  return first >= times_.front() - time_slack() && last <= times_.back() + time_slack();
}

VariableSeries ForecastSource::open_companion(const std::string& name, TimeAxisIs time) {
  const VariableSeries& first = series_.front();
  SourceVariable variable{name};
  variable.files = first.variable().files;
  SourceNames names = request_.names;  // the variable has no levels, and may have no times
  names.depth.clear();
  if (time == TimeAxisIs::optional) names.time = names.member = "";
  return {std::move(variable),
          SeriesRequest{names,
                        {},
                        Surface::nearest,
                        time,
                        time == TimeAxisIs::required ? std::nullopt : std::optional(0.0)},
          files_};
}

/// Opens columns of levels, which end at the depth of the water at the first time, or at the
/// bottom.
void ForecastSource::open_dives() {
  const VariableSeries& first = series_.front();
  if (first.dive_levels().depth.empty()) {
    SCoordinate levels = read_s_coordinate(*first.first_file(), first.depth_coordinate());
    std::vector<double> h(grid_.size());
    const VariableSeries bottom = open_companion(levels.bottom, TimeAxisIs::optional);
    read_plane(bottom, 0, 0, 0, h.data());
    if (!levels.surface.empty()) {
      surface_.emplace(open_companion(levels.surface, request_.time));
      if (!are_same_times(surface_->times(), times_)) {
        first.first_file()->refuse(levels.surface, error_text(errors::surface_times_differ));
      }
    }
    dives_.emplace(request_.dives, std::move(levels), std::move(h));
  } else {
    dives_.emplace(request_.dives, first.dive_levels(), grid_.size());
  }
  std::vector<double> planes(variable_count() * member_count_ * grid_.size());
  for (std::size_t level = 0; level < dives_->level_count(); ++level) {
    read_level(0, level, planes.data());
    dives_->count_water(level, planes);
  }
  if (!request_.dives.bathymetry.empty()) {
    dives_->set_bottom(read_bottom(request_.dives.bathymetry.string(), grid_));
  }
  dives_->compute_ends(read_surface(0));
  try {
    dives_->validate();
  } catch (const InputError& error) {
    first.first_file()->refuse(first.depth_coordinate(), error.what());
  }
  const auto lines = dives_->notes();
  notes_.insert(notes_.end(), lines.begin(), lines.end());
}

/// The height of the surface [m] of the first member; empty if unknown.
std::vector<double> ForecastSource::read_surface(std::size_t time) const {
  if (!surface_) return {};
  std::vector<double> surface(grid_.size());
  read_plane(*surface_, time, 0, 0, surface.data());
  return surface;
}

void ForecastSource::read_level(std::size_t time, std::size_t level, double* planes) const {
  if (frame_) {
    double* northward = planes + member_count_ * grid_.size();
    for (std::size_t member = 0; member < member_count_; ++member) {
      frame_->read(time, member, level, planes + member * grid_.size(),
                   northward + member * grid_.size());
    }
    return;
  }
  for (const VariableSeries& series : series_) {
    for (std::size_t member = 0; member < member_count_; ++member) {
      read_plane(series, time, member, level, planes);
      planes += grid_.size();
    }
  }
}

void ForecastSource::read_plane(const VariableSeries& series, std::size_t time, std::size_t member,
                                std::size_t level, double* out) const {
  if (grid_.staggered) {
    frame_->read_centres(series, time, member, out);
    return;
  }
  const auto [first_row, last_row] = std::minmax_element(grid_.row.begin(), grid_.row.end());
  const auto [first_column, last_column] =
      std::minmax_element(grid_.column.begin(), grid_.column.end());
  const std::size_t columns = *last_column - *first_column + 1;
  const auto box = series.read(
      time, member,
      {*first_row + first_row_, *first_column + first_column_, *last_row - *first_row + 1, columns},
      level);
  const double factor = series.factor(time, member);
  for (std::size_t j = 0; j < grid_.row.size(); ++j) {
    for (std::size_t i = 0; i < grid_.column.size(); ++i) {
      const std::size_t row = grid_.row[j] - *first_row;
      const std::size_t column = grid_.column[i] - *first_column;
      const double value = factor * box[row * columns + column];
      if (std::abs(value) > series.variable().max) {
        series.refuse_value(value / factor, grid_.place(j, i), time, member);
      }
      *out++ = value;
    }
  }
}

std::vector<double> ForecastSource::read(std::size_t time) {
  std::vector<double> planes(variable_count() * member_count_ * grid_.size());
  if (!dives_) {
    read_level(time, 0, planes.data());
    return planes;
  }
  std::vector<double> means(profile_count() * planes.size(), 0.0);
  dives_->compute_ends(read_surface(time));
  for (std::size_t level = 0; level < dives_->level_count(); ++level) {
    read_level(time, level, planes.data());
    dives_->add(level, planes, means);
  }
  dives_->mark_missing(means);
  return means;
}

WaterColumns ForecastSource::read_columns(std::size_t time) {
  if (!dives_) {
    const std::vector<std::size_t> wet(grid_.size(), 1);
    return {grid_.size(), 1, read(time), {0}, wet, std::vector<double>(grid_.size(), 0)};
  }
  dives_->compute_ends(read_surface(time));
  WaterColumns columns = dives_->columns();
  const std::size_t planes = variable_count() * member_count_ * grid_.size();
  columns.fields.resize(columns.level_count * planes);
  for (std::size_t level = 0; level < columns.level_count; ++level) {
    read_level(time, level, columns.fields.data() + level * planes);
  }
  return columns;
}

}  // namespace tidewise::ingest
