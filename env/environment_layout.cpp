#include "env/environment_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "base/error.h"
#include "env/weights.h"

namespace tidewise {
namespace {

constexpr std::uint64_t longest_axis = 1 << 24;
constexpr std::uint64_t longest_side = 1 << 15;  // [cells]
constexpr std::uint64_t most_modes = 4096;
constexpr std::uint64_t most_mode_values = std::uint64_t{1} << 32;  // nx · ny · modes of a level

/// Reads the parts of one file; every complaint begins with the file and the variable.
class LayoutReader {
 public:
  LayoutReader(const Hdf5File& file, const EnvironmentNames& names) : file_(file), names_(names) {}

  EnvironmentInfo read() {
    judge_mark();
    judge_names();
    EnvironmentInfo info;
    const Axis x = read_axis(names_.x, "x", "columns from west to east");
    const Axis y = read_axis(names_.y, "y", "rows from south to north");
    const Axis time = read_axis(names_.time, "time", "levels from the first to the last");
    info.grid = {x.count, y.count, x.first, y.first, x.step, y.step};
    info.time = {time.count, time.first, time.step};
    read_sizes(info);
    read_units(info);
    read_optional_fields(info);
    read_texts(info);
    return info;
  }

 private:
  struct Axis {
    std::int32_t count;
    double first;
    double step;
  };

  [[noreturn]] void refuse(const std::string& variable, const std::string& why) const {
    throw InputError(fmt::format("{}: variable {}: {}", file_.path().string(), variable, why));
  }

  /// Files made elsewhere carry no mark; one of another version may mean something else.
  void judge_mark() const {
    const auto mark = file_.number_attribute("/", "tidewise_environment");
    if (mark.value_or(1) == 1) return;
    throw InputError(
        fmt::format("{}: its attribute tidewise_environment is {}, and this version reads 1; use a "
                    "version that "
                    "knows it",
                    file_.path().string(), *mark));
  }

  void judge_names() const {
    std::set<std::string> seen;
    for (const std::string* name :
         {&names_.x, &names_.y, &names_.time, &names_.u_mean, &names_.v_mean, &names_.u_mode,
          &names_.v_mode, &names_.coefficient, &names_.scalar_mean, &names_.obstacle_mask,
          &names_.realization_weight, &names_.lon, &names_.lat}) {
      if (seen.insert(*name).second) continue;
      throw InputError(fmt::format(
          "{}: [environment.names] gives variable {} two roles; each role needs one of its own",
          file_.path().string(), *name));
    }
  }

  void require(const std::string& variable, const std::string& key) const {
    if (file_.has(variable)) return;
    throw InputError(
        fmt::format("{}: variable {} is missing; if the file calls it otherwise, say so with "
                    "[environment.names] {} = \"…\" in the mission (the file holds: {})",
                    file_.path().string(), variable, key, fmt::join(file_.variables(), ", ")));
  }

  void refuse_packed(const std::string& variable) const {
    if (file_.number_attribute(variable, "scale_factor") ||
        file_.number_attribute(variable, "add_offset")) {
      refuse(variable,
             "is packed (scale_factor, add_offset), which an environment never is; bring "
             "the file in with 'tidewise env import'");
    }
  }

  Axis read_axis(const std::string& variable, const std::string& key, const char* order) const {
    require(variable, key);
    refuse_packed(variable);
    const auto shape = file_.shape(variable);
    if (shape.size() != 1) {
      refuse(variable, fmt::format("has {} dimensions where an axis has one; store it as a vector",
                                   shape.size()));
    }
    if (shape[0] < 2) {
      refuse(variable,
             fmt::format("has {} value(s), and a spacing needs two at least; give the axis "
                         "two or more",
                         shape[0]));
    }
    if (shape[0] > longest_axis) {
      refuse(variable, fmt::format("has {} values and may have {} at most; use fewer", shape[0],
                                   longest_axis));
    }
    const auto values = file_.read_all<double>(variable);
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) {
      refuse(variable, "holds NaN or infinity; every point of an axis needs a number");
    }
    const auto count = static_cast<std::int32_t>(values.size());
    const double step = (values.back() - values.front()) / (count - 1);
    if (!(step > 0)) {
      refuse(variable, fmt::format("runs from {} to {} and must grow; sort it ({}), and the fields "
                                   "with it",
                                   values.front(), values.back(), order));
    }
    const double rounding = file_.is_single_precision(variable) ? 1.2e-7 : 1e-12;
    const double farthest = std::max(std::abs(values.front()), std::abs(values.back()));
    if (rounding * farthest > 0.1 * step) {
      refuse(variable,
             fmt::format("reaches {:.6g} in steps of {:.6g}, which its precision blurs; store "
                         "the axis as float64, or count from a nearer origin",
                         farthest, step));
    }
    for (std::int32_t i = 0; i < count; ++i) {
      const double expected = values.front() + i * step;
      // Allow a thousandth of a step and what the stored type rounds away.
      const double tolerance = 1e-3 * step + rounding * std::abs(expected);
      if (std::abs(values[static_cast<std::size_t>(i)] - expected) > tolerance) {
        refuse(
            variable,
            fmt::format("is not uniform (value {} is {}, an even spacing of {:.6g} gives {:.6g}); "
                        "regrid it, e.g. with 'tidewise env import'",
                        i, values[static_cast<std::size_t>(i)], step, expected));
      }
    }
    return {count, values.front(), step};
  }

  void require_shape(const std::string& variable, const std::string& key, const Extents& expected,
                     const char* dimensions) const {
    require(variable, key);
    refuse_packed(variable);
    const auto shape = file_.shape(variable);
    if (shape == expected) return;
    refuse(variable,
           fmt::format("has the shape ({}) and needs ({}), that is {}; check the order of "
                       "its dimensions",
                       fmt::join(shape, ", "), fmt::join(expected, ", "), dimensions));
  }

  void read_sizes(EnvironmentInfo& info) const {
    const auto ny = static_cast<std::uint64_t>(info.grid.ny);
    const auto nx = static_cast<std::uint64_t>(info.grid.nx);
    const auto nt = static_cast<std::uint64_t>(info.time.level_count);
    require_shape(names_.u_mean, "u_mean", {nt, ny, nx}, "(time, y, x)");
    require_shape(names_.v_mean, "v_mean", {nt, ny, nx}, "(time, y, x)");
    require(names_.coefficient, "coefficient");
    const auto shape = file_.shape(names_.coefficient);
    if (shape.size() != 3 || shape[0] != nt) {
      refuse(names_.coefficient,
             fmt::format(
                 "has the shape ({}) and needs ({}, modes, realizations), that is (time, mode, "
                 "realization); check the order of its dimensions",
                 fmt::join(shape, ", "), nt));
    }
    refuse_packed(names_.coefficient);
    if (shape[1] < 1 || shape[2] < 1) {
      refuse(names_.coefficient,
             "has no modes or no realizations; give one of each at least (a "
             "coefficient of 0 stands for a certain flow)");
    }
    if (shape[2] >= weight_total) {
      refuse(names_.coefficient,
             fmt::format("has {} realizations, and counts are exact below 2^24; "
                         "use fewer",
                         shape[2]));
    }
    if (shape[1] > most_modes) {
      refuse(names_.coefficient,
             fmt::format("has {} modes and may have {} at most; keep those that hold the variance, "
                         "and check the order of its dimensions",
                         shape[1], most_modes));
    }
    if (nx > longest_side || ny > longest_side) {
      refuse(names_.x, fmt::format("and {} make {} × {} cells; the longest side is {}", names_.y,
                                   nx, ny, longest_side));
    }
    if (nx * ny * shape[1] > most_mode_values) {
      refuse(names_.u_mode,
             fmt::format("has {} × {} cells in {} modes, and a level may have {} values at most; "
                         "use fewer modes or cells",
                         nx, ny, shape[1], most_mode_values));
    }
    info.mode_count = static_cast<std::int32_t>(shape[1]);
    info.realization_count = static_cast<std::int32_t>(shape[2]);
    require_shape(names_.u_mode, "u_mode", {nt, shape[1], ny, nx}, "(time, mode, y, x)");
    require_shape(names_.v_mode, "v_mode", {nt, shape[1], ny, nx}, "(time, mode, y, x)");
  }

  std::string units_of(const std::string& variable) const {
    return file_.text_attribute(variable, "units").value_or("1");
  }

  static bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
  }

  void read_units(EnvironmentInfo& info) const {
    const std::string x = units_of(names_.x);
    const std::string y = units_of(names_.y);
    const std::string u = units_of(names_.u_mean);
    const std::string v = units_of(names_.v_mean);
    info.time_units = units_of(names_.time);
    const auto metres = [](const std::string& t) {
      return is_one_of(t, {"m", "metre", "metres", "meter", "meters"});
    };
    const auto speed = [](const std::string& t) {
      return is_one_of(t, {"m s-1", "m/s", "m s^-1", "m s**-1", "meter second-1", "metre second-1",
                           "meters/second", "m.s-1"});
    };
    const auto seconds = [](const std::string& t) {
      return is_one_of(t, {"s", "second", "seconds", "sec"}) || t.starts_with("seconds since ") ||
             t.starts_with("second since ") || t.starts_with("s since ");
    };
    const auto one = [](const std::string& t) { return is_one_of(t, {"1", ""}); };
    if (metres(x) && metres(y) && speed(u) && speed(v) && seconds(info.time_units)) {
      info.units = Units::metric;
    } else if (one(x) && one(y) && one(u) && one(v) && one(info.time_units)) {
      info.units = Units::nondimensional;
    } else {
      throw InputError(
          fmt::format("{}: units are mixed ({}: \"{}\", {}: \"{}\", {}: \"{}\", {}: \"{}\", {}: "
                      "\"{}\"); use m, "
                      "m, s and m s-1, or \"1\" throughout",
                      file_.path().string(), names_.x, x, names_.y, y, names_.time, info.time_units,
                      names_.u_mean, u, names_.v_mean, v));
    }
  }

  void read_optional_fields(EnvironmentInfo& info) const {
    const auto ny = static_cast<std::uint64_t>(info.grid.ny);
    const auto nx = static_cast<std::uint64_t>(info.grid.nx);
    const auto nt = static_cast<std::uint64_t>(info.time.level_count);
    info.has_scalar = file_.has(names_.scalar_mean);
    if (info.has_scalar) {
      require_shape(names_.scalar_mean, "scalar_mean", {nt, ny, nx}, "(time, y, x)");
      info.scalar_units = units_of(names_.scalar_mean);
      info.scalar_long_name =
          file_.text_attribute(names_.scalar_mean, "long_name").value_or(info.scalar_long_name);
    }
    if (file_.has(names_.obstacle_mask)) {
      const bool fixed = file_.shape(names_.obstacle_mask).size() == 2;
      info.obstacles = fixed ? Obstacles::fixed : Obstacles::moving;
      require_shape(names_.obstacle_mask, "obstacle_mask",
                    fixed ? Extents{ny, nx} : Extents{nt, ny, nx},
                    fixed ? "(y, x)" : "(time, y, x) or (y, x)");
    }
    const bool has_lon = file_.has(names_.lon);
    if (has_lon != file_.has(names_.lat)) {
      refuse(has_lon ? names_.lat : names_.lon,
             fmt::format("is missing where {} is there; give both or neither",
                         has_lon ? names_.lon : names_.lat));
    }
    if (has_lon) {
      require_shape(names_.lon, "lon", {ny, nx}, "(y, x)");
      require_shape(names_.lat, "lat", {ny, nx}, "(y, x)");
      info.coordinates = Coordinates::geographic;
    }
    if (file_.has(names_.realization_weight)) {
      require_shape(names_.realization_weight, "realization_weight",
                    {static_cast<std::uint64_t>(info.realization_count)}, "(realization)");
      try {
        info.realization_weight =
            to_integer_weights(file_.read_all<double>(names_.realization_weight));
      } catch (const InputError& error) {
        refuse(names_.realization_weight, error.what());
      }
    }
  }

  void read_texts(EnvironmentInfo& info) const {
    const auto text = [&](const char* name) {
      return file_.text_attribute("/", name).value_or("");
    };
    info.title = text("title");
    info.history = text("history");
    info.source = text("source");
    info.comment = text("comment");
    info.projection = text("projection");
    info.variance_kept = file_.number_attribute("/", "variance_kept");
  }

  const Hdf5File& file_;
  const EnvironmentNames& names_;
};

}  // namespace

EnvironmentInfo read_environment_info(const Hdf5File& file, const EnvironmentNames& names) {
  return LayoutReader(file, names).read();
}

}  // namespace tidewise
