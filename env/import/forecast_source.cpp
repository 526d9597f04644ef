#include "env/import/forecast_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "env/import/calendar_time.h"
#include "env/import/text.h"

namespace tidewise {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool equal_axes(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double tolerance = 1e-4;  // [degrees] about ten metres
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
           return std::abs(x - y) <= tolerance;
         });
}

bool is_metres(const std::string& units) {
  const std::string lower = lower_case(units);
  return lower.empty() || lower == "m" || lower.starts_with("met") || lower.starts_with("dbar");
}

}  // namespace

ForecastSource::ForecastSource(SourceRequest request) : request_(std::move(request)) {
  std::vector<Step> steps;
  for (std::size_t file = 0; file < request_.files.size(); ++file) {
    open(file);
    if (file == 0) {
      describe_first_file();
    } else {
      require_same_grid();
    }
    const auto times = read_times();
    for (std::size_t index = 0; index < times.size(); ++index) {
      steps.push_back({times[index], file, index});
    }
  }
  set_times(std::move(steps));
}

void ForecastSource::open(std::size_t file) {
  if (file_ && open_file_ == file) return;
  file_ = std::make_unique<NetcdfFile>(request_.files[file]);
  open_file_ = file;
  layouts_.clear();
  for (const auto& variable : request_.variables) {
    layouts_.push_back(find_layout(*file_, variable.name, request_.names));
  }
}

void ForecastSource::describe_first_file() {
  const FieldLayout& layout = layouts_[0];
  grid_ = make_source_grid(*file_, layout.place(Role::longitude)->coordinate,
                           layout.place(Role::latitude)->coordinate, request_.box);
  if (const auto& member = layout.place(Role::member)) {
    member_count_ = member->size;
    member_dimension_ = member->dimension;
  }
  if (const auto& depth = layout.place(Role::depth)) {
    depth_index_ = choose_depth(*depth);
  } else if (request_.depth) {
    file_->refuse(layout.variable, "has no depth dimension; leave --depth out");
  }
  require_same_grid();
}

/// Holds each variable of the open file to the grid of the first.
void ForecastSource::require_same_grid() const {
  for (const FieldLayout& layout : layouts_) {
    const SourceGrid own = make_source_grid(*file_, layout.place(Role::longitude)->coordinate,
                                            layout.place(Role::latitude)->coordinate, request_.box);
    if (!equal_axes(own.longitude, grid_.longitude) || !equal_axes(own.latitude, grid_.latitude) ||
        own.row != grid_.row || own.column != grid_.column) {
      file_->refuse(layout.variable,
                    fmt::format("lies on other points than {} of {}; regrid them to one grid first",
                                request_.variables[0].name, request_.files[0].string()));
    }
    const auto& member = layout.place(Role::member);
    const std::size_t members = member ? member->size : 1;
    if (members != member_count_) {
      file_->refuse(layout.variable,
                    fmt::format("has {} member(s) where {} has {}; bring in files of one ensemble",
                                members, request_.files[0].string(), member_count_));
    }
    const auto& depth = layout.place(Role::depth);
    if (depth && depth->size <= depth_index_) {
      file_->refuse(layout.variable,
                    "has fewer depth levels than the first file; bring in files of "
                    "one grid");
    }
  }
}

std::size_t ForecastSource::choose_depth(const RolePlace& depth) {
  if (depth.coordinate.empty()) {
    if (depth.size == 1 && !request_.depth) return 0;
    file_->refuse(
        request_.variables[0].name,
        fmt::format("its depth dimension {} has no coordinate variable, so no level can be "
                    "chosen; add one, or take one level of it first",
                    depth.dimension));
  }
  const auto levels = file_->read_all(depth.coordinate);
  const std::string units = file_->text(depth.coordinate, "units");
  if (!is_metres(units) && (depth.size > 1 || request_.depth)) {
    file_->refuse(depth.coordinate, fmt::format("has the units \"{}\", and levels are chosen in "
                                                "metres; bring the file to depths in metres first",
                                                units));
  }
  const double wanted = std::abs(request_.depth.value_or(0));
  std::size_t nearest = 0;
  for (std::size_t level = 1; level < levels.size(); ++level) {
    // Heights and depths, positive up or down: the distance from the surface counts.
    if (std::abs(std::abs(levels[level]) - wanted) < std::abs(std::abs(levels[nearest]) - wanted)) {
      nearest = level;
    }
  }
  notes_.push_back(fmt::format("depth: level {} of {}, {} = {:.6g} m ({})", nearest + 1,
                               levels.size(), depth.coordinate, levels[nearest],
                               request_.depth ? "nearest to --depth" : "nearest to the surface"));
  return nearest;
}

std::vector<double> ForecastSource::read_times() const {
  std::vector<double> first;
  for (const FieldLayout& layout : layouts_) {
    const std::string& coordinate = layout.place(Role::time)->coordinate;
    std::vector<double> seconds;
    try {
      const TimeUnits units(file_->text(coordinate, "units"), file_->text(coordinate, "calendar"));
      for (const double value : file_->read_all(coordinate)) {
        if (!std::isfinite(value)) throw InputError("holds a missing time; mend the file");
        seconds.push_back(units.to_seconds(value));
      }
    } catch (const InputError& error) {
      file_->refuse(coordinate, error.what());
    }
    if (&layout == &layouts_[0]) first = seconds;
    if (seconds != first) {
      file_->refuse(layout.variable, fmt::format("has other times than {}; bring in fields of one "
                                                 "forecast",
                                                 request_.variables[0].name));
    }
  }
  return first;
}

void ForecastSource::set_times(std::vector<Step> steps) {
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.seconds < b.seconds; });
  const auto last = std::unique(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return a.seconds == b.seconds;
  });
  if (const auto dropped = steps.end() - last; dropped > 0) {
    notes_.push_back(fmt::format("{} time(s) given twice: the file named first is taken", dropped));
  }
  steps.erase(last, steps.end());
  steps_ = std::move(steps);
  for (const Step& step : steps_) times_.push_back(step.seconds);
  std::vector<double> differences;
  for (std::size_t i = 1; i < times_.size(); ++i) differences.push_back(times_[i] - times_[i - 1]);
  if (differences.empty()) return;
  time_step_ = median(differences);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (differences[i] < 1.5 * time_step_) continue;
    notes_.push_back(fmt::format("gap: no fields from {} to {}; bridged by linear interpolation",
                                 format_iso_time(times_[i]), format_iso_time(times_[i + 1])));
  }
}

void ForecastSource::read_plane(std::size_t variable, const Step& step, std::size_t member,
                                double* out) const {
  const FieldLayout& layout = layouts_[variable];
  const double factor = request_.variables[variable].factor;
  const double greatest = request_.variables[variable].greatest;
  std::vector<std::size_t> start(layout.rank, 0);
  std::vector<std::size_t> count(layout.rank, 1);
  const auto set = [&](Role role, std::size_t first, std::size_t size) {
    if (const auto& place = layout.place(role)) {
      start[place->position] = first;
      count[place->position] = size;
    }
  };
  const auto [first_row, last_row] = std::minmax_element(grid_.row.begin(), grid_.row.end());
  const auto [first_column, last_column] =
      std::minmax_element(grid_.column.begin(), grid_.column.end());
  const std::size_t rows = *last_row - *first_row + 1;
  const std::size_t columns = *last_column - *first_column + 1;
  set(Role::time, step.index, 1);
  set(Role::member, member, 1);
  set(Role::depth, depth_index_, 1);
  set(Role::latitude, *first_row, rows);
  set(Role::longitude, *first_column, columns);
  const auto box = file_->read(layout.variable, start, count);
  const bool rows_first =
      layout.place(Role::latitude)->position < layout.place(Role::longitude)->position;
  for (std::size_t j = 0; j < grid_.row.size(); ++j) {
    for (std::size_t i = 0; i < grid_.column.size(); ++i) {
      const std::size_t row = grid_.row[j] - *first_row;
      const std::size_t column = grid_.column[i] - *first_column;
      const double value = factor * box[rows_first ? row * columns + column : column * rows + row];
      if (std::abs(value) > greatest) {
        refuse_value(request_.variables[variable], value / factor,
                     {grid_.longitude[i], grid_.latitude[j]}, step);
      }
      *out++ = value;
    }
  }
}

void ForecastSource::refuse_value(const SourceVariable& variable, double stored,
                                  GeographicPoint place, const Step& step) const {
  const std::string what =
      std::isinf(stored) ? "not a number to work with, but a mark"
                         : fmt::format("greater than {:.6g}: a fill value", variable.greatest);
  file_->refuse(
      variable.name,
      fmt::format("holds {:.6g} at {:.6g} E {:.6g} N, {}, {} that no _FillValue or "
                  "missing_value declares; add that attribute, or mend the file",
                  stored, place.longitude, place.latitude, format_iso_time(step.seconds), what));
}

std::vector<double> ForecastSource::read(std::size_t time) {
  const Step& step = steps_[time];
  open(step.file);
  std::vector<double> fields(variable_count() * member_count_ * grid_.size());
  double* plane = fields.data();
  for (std::size_t variable = 0; variable < variable_count(); ++variable) {
    for (std::size_t member = 0; member < member_count_; ++member) {
      read_plane(variable, step, member, plane);
      plane += grid_.size();
    }
  }
  return fields;
}

}  // namespace tidewise
