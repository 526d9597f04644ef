#include "learning/file/observation_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "base/hdf5/checked_dataset.h"
#include "learning/file/posterior.h"
#include "learning/track/dive_profiles.h"

namespace tidewise {
namespace {

constexpr const char* observation_dimension = "observation";
constexpr std::uint64_t max_rows = 10'000'000;

struct ObservationColumn {
  const char* name;
  const char* long_name;
  double (*value)(const LegResult& leg);
  enum class Unit { time, length, speed, none } unit;
};

using Unit = ObservationColumn::Unit;

double middle(double PlanePoint::*axis, const LegResult& result) {
  const auto& points = result.leg.leg.points;
  return 0.5 * (points.front().*axis + points.back().*axis);
}

/// True for columns that records of version 0.1 lack.
bool is_later(std::string_view column) {
  constexpr std::string_view later[] = {"observed_dive",   "observed_by",      "observed_from_x",
                                        "observed_from_y", "observed_until_x", "observed_until_y"};
  return std::find(std::begin(later), std::end(later), column) != std::end(later);
}

/// Adds a leg to the first track of its kind that had ended when it began.
void add_leg(ObservedBy by, ObservedLeg leg, std::vector<ObservedTrack>& tracks) {
  const double begin = leg.leg.times.front();
  auto track = std::find_if(tracks.begin(), tracks.end(), [&](const ObservedTrack& candidate) {
    return candidate.by == by && candidate.legs.back().leg.times.back() <= begin;
  });
  if (track == tracks.end()) {
    track = tracks.emplace(tracks.end());
    track->by = by;
  }
  track->legs.push_back(std::move(leg));
}

void gather_tracks(ObservationTable& table) {
  const auto column = [&](std::string_view name) -> const std::vector<double>& {
    return std::find_if(table.columns.begin(), table.columns.end(),
                        [&](const EnvironmentSeries& series) { return series.name == name; })
        ->values;
  };
  const auto& from = column("observed_from");
  const auto& by = column("observed_by");
  const auto& from_x = column("observed_from_x");
  const auto& from_y = column("observed_from_y");
  const auto& until_x = column("observed_until_x");
  const auto& until_y = column("observed_until_y");
  const auto& u = column("observed_u");
  const auto& v = column("observed_v");
  for (std::size_t n = 0; n < table.end.size(); ++n) {
    if (!(by[n] >= 0 && by[n] <= 2)) {
      table.unknown_until = std::max(table.unknown_until.value_or(table.end[n]), table.end[n]);
      continue;
    }
    ObservedLeg leg;
    leg.leg = {{{from_x[n], from_y[n]}, {until_x[n], until_y[n]}}, {from[n], table.end[n]}};
    leg.u = u[n];
    leg.v = v[n];
    add_leg(static_cast<ObservedBy>(static_cast<int>(by[n])), std::move(leg), table.tracks);
  }
}

template <double PlanePoint::*axis>
double first(const LegResult& result) {
  return result.leg.leg.points.front().*axis;
}
template <double PlanePoint::*axis>
double last(const LegResult& result) {
  return result.leg.leg.points.back().*axis;
}

constexpr ObservationColumn observation_columns[] = {
    {"observed_from", "when a leg began",
     [](const LegResult& result) { return result.leg.leg.times.front(); }, Unit::time},
    {"observed_until", "when a leg ended",
     [](const LegResult& result) { return result.leg.leg.times.back(); }, Unit::time},
    {"observed_x", "x of its middle",
     [](const LegResult& result) { return middle(&PlanePoint::x, result); }, Unit::length},
    {"observed_y", "y of its middle",
     [](const LegResult& result) { return middle(&PlanePoint::y, result); }, Unit::length},
    {"observed_u", "mean flow along x that was observed",
     [](const LegResult& result) { return result.leg.u; }, Unit::speed},
    {"observed_v", "mean flow along y that was observed",
     [](const LegResult& result) { return result.leg.v; }, Unit::speed},
    {"observed_u_error", "standard deviation of observed_u",
     [](const LegResult& result) { return result.leg.error_u; }, Unit::speed},
    {"observed_v_error", "standard deviation of observed_v",
     [](const LegResult& result) { return result.leg.error_v; }, Unit::speed},
    {"observed_u_forecast", "the same by the forecast's mean",
     [](const LegResult& result) { return result.u.forecast; }, Unit::speed},
    {"observed_v_forecast", "the same by the forecast's mean",
     [](const LegResult& result) { return result.v.forecast; }, Unit::speed},
    {"observed_u_spread", "standard deviation of observed_u over the forecast",
     [](const LegResult& result) { return result.u.forecast_spread; }, Unit::speed},
    {"observed_v_spread", "standard deviation of observed_v over the forecast",
     [](const LegResult& result) { return result.v.forecast_spread; }, Unit::speed},
    {"observed_u_posterior", "observed_u by the mean of what was learned",
     [](const LegResult& result) { return result.u.posterior; }, Unit::speed},
    {"observed_v_posterior", "observed_v by the mean of what was learned",
     [](const LegResult& result) { return result.v.posterior; }, Unit::speed},
    {"observed_u_rank", "realizations of the forecast below observed_u",
     [](const LegResult& result) { return static_cast<double>(result.u.rank); }, Unit::none},
    {"observed_v_rank", "realizations of the forecast below observed_v",
     [](const LegResult& result) { return static_cast<double>(result.v.rank); }, Unit::none},
    {"observed_outside", "1 where no realization came near, 0 elsewhere",
     [](const LegResult& result) { return result.u.outside || result.v.outside ? 1.0 : 0.0; },
     Unit::none},
    {"observed_rejected", "1 where the leg was left out, 0 elsewhere",
     [](const LegResult& result) { return result.rejected() ? 1.0 : 0.0; }, Unit::none},
    {"observed_dive", "number of the dive; missing if the file gives none",
     [](const LegResult& result) {
       return result.leg.dive.value_or(std::numeric_limits<double>::quiet_NaN());
     },
     Unit::none},
    {"observed_by", "who observed: 0 a vehicle, 1 a drifter, 2 radars",
     [](const LegResult& result) { return static_cast<double>(result.by); }, Unit::none},
    {"observed_from_x", "x where a leg began", first<&PlanePoint::x>, Unit::length},
    {"observed_from_y", "y where a leg began", first<&PlanePoint::y>, Unit::length},
    {"observed_until_x", "x where a leg ended", last<&PlanePoint::x>, Unit::length},
    {"observed_until_y", "y where a leg ended", last<&PlanePoint::y>, Unit::length},
};

/// A further column if the file has several profiles: the profile of each leg.
EnvironmentSeries profile_column() {
  return {"observed_profile", "1", "number of the profile that was dived, as in profile", {}};
}

/// Limits of plausible values: ten times the extent of the environment's axes, and that per step.
double greatest_value(Unit unit, const EnvironmentInfo& info) {
  constexpr double factor = 10;
  constexpr double max_cells = 1024;
  const Grid& grid = info.grid;
  const auto reach = [](double first, double spacing, std::int32_t count) {
    return factor * (std::abs(first) + count * spacing);
  };
  switch (unit) {
    case Unit::time:
      return reach(info.time.first, info.time.step, info.time.level_count);
    case Unit::length:
      return std::max(reach(grid.x_first, grid.dx, grid.nx), reach(grid.y_first, grid.dy, grid.ny));
    case Unit::speed:
      return max_cells * std::max(grid.dx, grid.dy) / info.time.step;
    case Unit::none:
      return 1e9;
  }
  return 0;
}

}  // namespace

ObservationTable read_observation_table(const EnvironmentReader& reader) {
  // A file that lacks a column was not written by this program, so it has no record.
  for (const ObservationColumn& column : observation_columns) {
    if (!is_later(column.name) && !reader.file().has(column.name)) return {};
  }
  const CheckedFile file(Hdf5File::open(reader.path()),
                         "make the posterior again with 'tidewise observe'");
  const Extents rows{file.length_of("observed_until", 0, max_rows)};
  const auto read = [&](const char* name, Unit unit) {
    DatasetRule rule{name, NumberKind::floating, rows, "(observation)"};
    const double max = greatest_value(unit, reader.info());
    rule.min = -max;
    rule.max = max;
    rule.gaps = unit == Unit::time ? Gaps::refused : Gaps::allowed;
    return file.read<double>(rule);
  };
  ObservationTable table;
  table.end = read("observed_until", Unit::time);
  const std::vector<double> missing(rows[0], std::numeric_limits<double>::quiet_NaN());
  for (const ObservationColumn& column : observation_columns) {
    const bool exists = reader.file().has(column.name);
    const std::string units =
        exists ? reader.file().text_attribute(column.name, "units").value_or("1") : "1";
    table.columns.push_back(
        {column.name, units, column.long_name, exists ? read(column.name, column.unit) : missing});
  }
  gather_tracks(table);
  if (reader.info().velocities > 1) {
    table.columns.push_back(profile_column());
    EnvironmentSeries& profiles = table.columns.back();
    profiles.values =
        reader.file().has(profiles.name) ? read(profiles.name.c_str(), Unit::none) : missing;
  }
  return table;
}

void write_observation_table(EnvironmentWriter& writer, const ObservationTable& earlier,
                             const std::vector<LegResult>& legs, const std::string& unit,
                             const EnvironmentInfo& info) {
  std::vector<EnvironmentSeries> columns;
  for (const ObservationColumn& column : observation_columns) {
    const std::string units = column.unit == Unit::time ? info.time_units
                              : column.unit == Unit::length
                                  ? (info.units == Units::metric ? "m" : "1")
                              : column.unit == Unit::speed ? unit
                                                           : "1";
    columns.push_back({column.name, units, column.long_name, {}});
    if (!earlier.columns.empty())
      columns.back().values = earlier.columns[columns.size() - 1].values;
    for (const LegResult& leg : legs) columns.back().values.push_back(column.value(leg));
  }
  if (info.profiles.size() > 1) {
    columns.push_back(earlier.columns.empty() ? profile_column() : earlier.columns.back());
    for (const LegResult& leg : legs) {
      columns.back().values.push_back(find_profile(info, leg.profile).value_or(0));
    }
  }
  writer.write_table(observation_dimension, columns);
}

}  // namespace tidewise
