#include "learning/file/observation_table.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "learning/file/posterior.h"
#include "learning/track/dive_profiles.h"

namespace tidewise {
namespace {

constexpr const char* observation_dimension = "observation";

struct ObservationColumn {
  const char* name;
  const char* long_name;
  double (*value)(const LegVerdict& leg);
  enum class Unit { time, length, speed, none } unit;
};

using Unit = ObservationColumn::Unit;

double middle(double PlanePoint::*axis, const LegVerdict& one) {
  const auto& points = one.leg.leg.points;
  return 0.5 * (points.front().*axis + points.back().*axis);
}

constexpr ObservationColumn observation_columns[] = {
    {"observed_from", "when a leg began",
     [](const LegVerdict& one) { return one.leg.leg.times.front(); }, Unit::time},
    {"observed_until", "when a leg ended",
     [](const LegVerdict& one) { return one.leg.leg.times.back(); }, Unit::time},
    {"observed_x", "x of its middle",
     [](const LegVerdict& one) { return middle(&PlanePoint::x, one); }, Unit::length},
    {"observed_y", "y of its middle",
     [](const LegVerdict& one) { return middle(&PlanePoint::y, one); }, Unit::length},
    {"observed_u", "mean flow along x that was observed",
     [](const LegVerdict& one) { return one.leg.u; }, Unit::speed},
    {"observed_v", "mean flow along y that was observed",
     [](const LegVerdict& one) { return one.leg.v; }, Unit::speed},
    {"observed_u_error", "standard deviation of observed_u",
     [](const LegVerdict& one) { return one.leg.error_u; }, Unit::speed},
    {"observed_v_error", "standard deviation of observed_v",
     [](const LegVerdict& one) { return one.leg.error_v; }, Unit::speed},
    {"observed_u_forecast", "the same by the forecast's mean",
     [](const LegVerdict& one) { return one.u.forecast; }, Unit::speed},
    {"observed_v_forecast", "the same by the forecast's mean",
     [](const LegVerdict& one) { return one.v.forecast; }, Unit::speed},
    {"observed_u_spread", "standard deviation of observed_u over the forecast",
     [](const LegVerdict& one) { return one.u.forecast_spread; }, Unit::speed},
    {"observed_v_spread", "standard deviation of observed_v over the forecast",
     [](const LegVerdict& one) { return one.v.forecast_spread; }, Unit::speed},
    {"observed_u_posterior", "observed_u by the mean of what was learned",
     [](const LegVerdict& one) { return one.u.posterior; }, Unit::speed},
    {"observed_v_posterior", "observed_v by the mean of what was learned",
     [](const LegVerdict& one) { return one.v.posterior; }, Unit::speed},
    {"observed_u_rank", "realizations of the forecast below observed_u",
     [](const LegVerdict& one) { return static_cast<double>(one.u.rank); }, Unit::none},
    {"observed_v_rank", "realizations of the forecast below observed_v",
     [](const LegVerdict& one) { return static_cast<double>(one.v.rank); }, Unit::none},
    {"observed_outside", "1 where no realization came near, 0 elsewhere",
     [](const LegVerdict& one) { return one.u.outside || one.v.outside ? 1.0 : 0.0; }, Unit::none},
    {"observed_rejected", "1 where the leg was left out, 0 elsewhere",
     [](const LegVerdict& one) { return one.rejected() ? 1.0 : 0.0; }, Unit::none},
    {"observed_dive", "number of the dive; missing where the file says none",
     [](const LegVerdict& one) {
       return one.leg.dive.value_or(std::numeric_limits<double>::quiet_NaN());
     },
     Unit::none},
};

/// Beside them where the file has several profiles, one of which a leg dived.
EnvironmentSeries profile_column() {
  return {"observed_profile", "1", "number of the profile that was dived, as in profile", {}};
}

}  // namespace

ObservationTable read_observation_table(const EnvironmentReader& reader) {
  ObservationTable table;
  const Hdf5File& file = reader.file();
  const char* until = "observed_until";
  if (!file.has(until) || file.dimensions(until).size() != 1 || !file.is_floating(until)) return {};
  const Extents rows = file.shape(until);
  for (const ObservationColumn& column : observation_columns) {
    if (column.name == std::string_view("observed_dive") && !file.has(column.name)) {
      table.columns.push_back(  // records of version 0.1 know none
          {column.name, "1", column.long_name,
           std::vector<double>(table.end.size(), std::numeric_limits<double>::quiet_NaN())});
      continue;
    }
    // A record with holes is none: it was not made here.
    if (!file.has(column.name) || file.shape(column.name) != rows ||
        !file.is_floating(column.name)) {
      return {};
    }
    table.columns.push_back({column.name, file.text_attribute(column.name, "units").value_or("1"),
                             column.long_name, file.read_all<double>(column.name)});
    if (column.name == std::string_view(until)) table.end = table.columns.back().values;
  }
  if (reader.info().velocities > 1) {
    table.columns.push_back(profile_column());
    EnvironmentSeries& own = table.columns.back();
    own.values.assign(table.end.size(), std::numeric_limits<double>::quiet_NaN());
    if (file.has(own.name) && file.shape(own.name) == rows && file.is_floating(own.name)) {
      own.values = file.read_all<double>(own.name);
    }
  }
  return table;
}

void write_observation_table(EnvironmentWriter& writer, const ObservationTable& earlier,
                             const std::vector<LegVerdict>& legs, const std::string& unit,
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
    for (const LegVerdict& leg : legs) columns.back().values.push_back(column.value(leg));
  }
  if (info.profiles.size() > 1) {
    columns.push_back(earlier.columns.empty() ? profile_column() : earlier.columns.back());
    for (const LegVerdict& leg : legs) {
      columns.back().values.push_back(find_profile(info, leg.profile).value_or(0));
    }
  }
  writer.write_table(observation_dimension, columns);
}

}  // namespace tidewise
