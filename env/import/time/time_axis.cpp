#include "env/import/time/time_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/file/cell_methods.h"
#include "env/import/time/hours_text.h"
#include "env/units/calendar_time.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

constexpr double rounding = 1;          // [s] rounding of a time
constexpr double share_outside = 0.05;  // of an interval, by which a rounded time may be outside

/// The interval of one field [s since 1970].
struct Interval {
  double begin = 0;
  double end = 0;

  double middle() const { return std::round(0.5 * (begin + end)); }
};

/// "24 h", "672 to 744 h".
std::string span_text(double min, double max) {
  if (min == max) return hours_text(min);
  return fmt::format("{} to {}", hours_text(min), hours_text(max));
}

class AxisReader {
 public:
  AxisReader(const NetcdfFile& file, const TimeNames& names) : file_(file), names_(names) {}

  TimeAxis read() {
    const std::string file_units = file_.units(names_.coordinate);
    if (!names_.units.empty()) {
      note(fmt::format("time: units \"{}\" by --time-units; the file has \"{}\"", names_.units,
                       file_units));
    }
    const TimeUnits units =
        units_of(names_.coordinate, names_.units.empty() ? file_units : names_.units);
    if (!units.note().empty()) {
      note(
          fmt::format("calendar: {}; {}", file_.text(names_.coordinate, "calendar"), units.note()));
    }
    axis_.seconds = read_seconds(names_.coordinate, units);
    shift_to_middles(units, file_units);
    return std::move(axis_);
  }

 private:
  void note(const std::string& text) { axis_.notes.push_back(text); }

  TimeUnits units_of(const std::string& variable, const std::string& units) const {
    const std::string calendar = file_.text(names_.coordinate, "calendar");
    try {
      (void)calendar_of(calendar);
    } catch (const InputError& error) {
      file_.refuse(variable, error.what());
    }
    try {
      return {units, calendar};
    } catch (const InputError& error) {
      file_.refuse(
          variable,
          add_words(error.what(),
                    names_.units.empty() ? ", or give the right units with --time-units" : ""));
    }
  }

  std::vector<double> read_seconds(const std::string& variable, const TimeUnits& units) const {
    std::vector<double> seconds;
    try {
      for (const double value : file_.read_all(variable)) {
        if (!std::isfinite(value)) throw input_error(errors::time_missing_value);
        seconds.push_back(units.to_seconds(value));
      }
    } catch (const InputError& error) {
      const std::string why = error.what();
      if (why.starts_with(file_.path().string())) throw;
      file_.refuse(variable, why);
    }
    return seconds;
  }

  std::optional<CellMethod> method() const {
    return cell_method_along(file_.text(names_.variable, "cell_methods"),
                             {"time", lower_case(names_.dimension), lower_case(names_.coordinate)});
  }

  /// Moves the times of means to the middles of their intervals.
  void shift_to_middles(const TimeUnits& units, const std::string& file_units) {
    const std::string climatology = file_.text(names_.coordinate, "climatology");
    const auto method = this->method();
    if (!climatology.empty() || (method && method->is_climatology)) {
      file_.refuse(names_.variable,
                   error_text(errors::time_is_climatology,
                              climatology.empty()
                                  ? fmt::format("cell_methods \"{}\"",
                                                file_.text(names_.variable, "cell_methods"))
                                  : fmt::format("attribute climatology of {}", names_.coordinate)));
    }
    const std::string bounds = file_.text(names_.coordinate, "bounds");
    if (method && method->name == "point") {
      if (!bounds.empty()) {
        note(fmt::format(
            "time: fields are instantaneous (cell_methods), so the bounds {} are not used",
            bounds));
      }
      return;
    }
    if (bounds.empty() || !file_.has(bounds)) {
      if (method) note_unknown_interval(method->name, bounds);
      return;
    }
    const std::string bounds_units = file_.units(bounds);
    const bool is_inherited = bounds_units.empty() || bounds_units == file_units;
    use_bounds(bounds, is_inherited ? units : units_of(bounds, bounds_units), method);
  }

  void note_unknown_interval(const std::string& method, const std::string& bounds) {
    note(fmt::format(
        "time: each field is a {} over time (cell_methods), but {}; its time is treated as the "
        "middle of the interval: if it is the beginning or the end, shift the times with "
        "--time-units",
        method,
        bounds.empty()
            ? fmt::format("{} has no bounds, so the interval is unknown", names_.coordinate)
            : fmt::format("the bounds {} are not in the file, so the interval is "
                          "unknown",
                          bounds)));
  }

  std::vector<Interval> read_intervals(const std::string& bounds, const TimeUnits& units) const {
    const auto dimensions = file_.dimensions(bounds);
    const std::size_t count = axis_.seconds.size();
    std::size_t size = 1;
    for (const NetcdfDimension& dimension : dimensions) size *= dimension.size;
    if (dimensions.empty() || dimensions.back().size != 2 || size != 2 * count) {
      std::string shape;
      for (const NetcdfDimension& dimension : dimensions) {
        shape +=
            fmt::format("{}{} = {}", shape.empty() ? "" : ", ", dimension.name, dimension.size);
      }
      file_.refuse(bounds, error_text(errors::time_bounds_shape, shape, names_.coordinate, count));
    }
    const std::vector<double> ends = read_seconds(bounds, units);
    std::vector<Interval> intervals;
    for (std::size_t n = 0; n < count; ++n) {
      intervals.push_back(
          {std::min(ends[2 * n], ends[2 * n + 1]), std::max(ends[2 * n], ends[2 * n + 1])});
      const double stamp = axis_.seconds[n];
      const double slack =
          std::max(rounding, share_outside * (intervals[n].end - intervals[n].begin));
      if (stamp >= intervals[n].begin - slack && stamp <= intervals[n].end + slack) continue;
      file_.refuse(
          bounds,
          error_text(errors::time_bounds_wrong, format_iso_time(intervals[n].begin),
                     format_iso_time(intervals[n].end), format_iso_time(stamp), names_.coordinate));
    }
    return intervals;
  }

  void use_bounds(const std::string& bounds, const TimeUnits& units,
                  const std::optional<CellMethod>& method) {
    const std::vector<Interval> intervals = read_intervals(bounds, units);
    if (intervals.empty()) return;
    std::vector<double> lengths;
    std::vector<double> shifts;
    for (std::size_t n = 0; n < intervals.size(); ++n) {
      lengths.push_back(intervals[n].end - intervals[n].begin);
      shifts.push_back(intervals[n].middle() - axis_.seconds[n]);
      axis_.seconds[n] = intervals[n].middle();
    }
    const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
    if (*longest == 0) return;  // instants
    const auto [min, max] = std::minmax_element(shifts.begin(), shifts.end());
    std::string shift = "where its time is";
    if (*min > rounding) {
      shift = span_text(*min, *max) + " after its time";
    } else if (*max < -rounding) {
      shift = span_text(-*max, -*min) + " before its time";
    } else if (*max - *min > 2 * rounding) {
      shift = fmt::format("up to {} from its time", hours_text(std::max(-*min, *max)));
    }
    note(
        fmt::format("time: each field is a {} over {} (bounds {}{}), placed at the middle of its "
                    "interval, {}",
                    method ? method->name : "mean", span_text(*shortest, *longest), bounds,
                    method ? "" : "; no cell_methods", shift));
  }

  const NetcdfFile& file_;
  const TimeNames& names_;
  TimeAxis axis_;
};

}  // namespace

TimeAxis read_time_axis(const NetcdfFile& file, const TimeNames& names) {
  return AxisReader(file, names).read();
}

}  // namespace tidewise::ingest
