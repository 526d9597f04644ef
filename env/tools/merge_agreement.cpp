#include "env/tools/merge_agreement.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace tidewise {
namespace {

constexpr double degree_slack = 1e-5;  // [degrees] about a metre

class Agreement {
 public:
  Agreement(const MergeCandidate& first, const MergeCandidate& second)
      : first_(first), second_(second), a_(first.reader.info()), b_(second.reader.info()) {}

  void require() const {
    require_units();
    require_axis(first_.reader.names().x, {a_.grid.nx, a_.grid.x_first, a_.grid.dx},
                 {b_.grid.nx, b_.grid.x_first, b_.grid.dx});
    require_axis(first_.reader.names().y, {a_.grid.ny, a_.grid.y_first, a_.grid.dy},
                 {b_.grid.ny, b_.grid.y_first, b_.grid.dy});
    require_projection();
    require_step();
    require_ensemble();
    require_profiles();
    require_scalar();
  }

 private:
  struct Axis {
    std::int32_t count;
    double first;
    double step;
  };

  [[noreturn]] void refuse(const std::string& variable, const std::string& why) const {
    refuse_merge(first_.reader, second_.reader, variable, why);
  }

  void require_units() const {
    if (a_.units == b_.units) return;
    refuse(first_.reader.names().x,
           "one is in metres and seconds, the other non-dimensional; bring both into one system");
  }

  void require_axis(const std::string& variable, const Axis& a, const Axis& b) const {
    const bool same = a.count == b.count && std::abs(a.first - b.first) < axis_tolerance * a.step &&
                      std::abs(a.step - b.step) * a.count < axis_tolerance * a.step;
    if (same) return;
    refuse(variable,
           fmt::format("{} cells of {:.6g} from {:.10g} on in one, {} of {:.6g} from {:.10g} on in "
                       "the other; cut both to one box with 'tidewise env split', or bring them in "
                       "with the same --bbox and --spacing",
                       a.count, a.step, a.first, b.count, b.step, b.first));
  }

  void require_projection() const {
    if (a_.projection != b_.projection) {
      refuse(first_.reader.names().x,
             "the projections (the attribute projection) differ; bring both in with the same "
             "--bbox");
    }
    if (a_.coordinates != b_.coordinates) {
      refuse(
          first_.reader.names().lon,
          "is there in one and not in the other; give both longitudes and latitudes, or neither");
    }
    if (a_.coordinates == Coordinates::plane) return;
    require_degrees(first_.reader.names().lon, first_.reader.read_longitude(),
                    second_.reader.read_longitude());
    require_degrees(first_.reader.names().lat, first_.reader.read_latitude(),
                    second_.reader.read_latitude());
  }

  void require_degrees(const std::string& variable, const std::vector<double>& a,
                       const std::vector<double>& b) const {
    for (std::size_t n = 0; n < a.size(); ++n) {
      const double apart = std::abs(std::remainder(a[n] - b[n], 360.0));
      const bool both_missing = std::isnan(a[n]) && std::isnan(b[n]);
      if (apart < degree_slack || both_missing) continue;
      refuse(variable, fmt::format("is {:.6f} in one and {:.6f} in the other at row {}, column {}; "
                                   "bring both in with the same --bbox",
                                   a[n], b[n], n / static_cast<std::size_t>(a_.grid.nx),
                                   n % static_cast<std::size_t>(a_.grid.nx)));
    }
  }

  void require_step() const {
    const std::int32_t count = std::max(a_.time.level_count, b_.time.level_count);
    if (std::abs(a_.time.step - b_.time.step) * count < axis_tolerance * a_.time.step) return;
    refuse(
        first_.reader.names().time,
        fmt::format("steps of {:.10g} in one and of {:.10g} in the other; bring both in with the "
                    "same --step",
                    a_.time.step, b_.time.step));
  }

  void require_ensemble() const {
    const std::string& variable = first_.reader.names().coefficient;
    if (a_.mode_count != b_.mode_count) {
      refuse(variable,
             fmt::format("{} modes in one and {} in the other; keep {} of the one that "
                         "has more with 'tidewise env select --modes {}'",
                         a_.mode_count, b_.mode_count, std::min(a_.mode_count, b_.mode_count),
                         std::min(a_.mode_count, b_.mode_count)));
    }
    if (a_.realization_count != b_.realization_count) {
      refuse(variable,
             fmt::format("{} realizations in one and {} in the other; keep {} of the one that has "
                         "more with 'tidewise env select --realizations {}'",
                         a_.realization_count, b_.realization_count,
                         std::min(a_.realization_count, b_.realization_count),
                         std::min(a_.realization_count, b_.realization_count)));
    }
    if (a_.realization_weight != b_.realization_weight) {
      refuse(first_.reader.names().realization_weight,
             "the weights differ, and a realization has one for all levels; give both the same");
    }
    const auto name = [](const MergeCandidate& c, const char* variable_name) {
      return description_of(c.extras, variable_name, "standard_name");
    };
    const EnvironmentNames& names = first_.reader.names();
    for (const auto& [velocity, own_name] :
         {std::pair("u_mean", names.u_mean), std::pair("v_mean", names.v_mean)}) {
      if (name(first_, velocity) == name(second_, velocity)) continue;
      refuse(own_name, fmt::format("its standard_name is \"{}\" in one and \"{}\" in the other; "
                                   "join forecasts of the same velocity",
                                   name(first_, velocity), name(second_, velocity)));
    }
  }

  void require_profiles() const {
    if (a_.profiles == b_.profiles) return;
    const auto text = [](const EnvironmentInfo& info) {
      std::string words;
      for (const auto& [name, depths] : info.profiles) {
        words += fmt::format("{}{}={}", words.empty() ? "" : ", ", name, depths);
      }
      return words.empty() ? std::string("none") : words;
    };
    refuse(
        first_.reader.names().u_mean,
        fmt::format("is of the profiles {} in one and of {} in the other; bring both in with the "
                    "same --profile",
                    text(a_), text(b_)));
  }

  void require_scalar() const {
    const std::string& variable = first_.reader.names().scalar_mean;
    if (a_.has_scalar != b_.has_scalar) {
      refuse(variable,
             "is there in one and not in the other; bring both in with --scalar, or neither");
    }
    if (a_.has_scalar && a_.scalar_units != b_.scalar_units) {
      refuse(variable, fmt::format("is in \"{}\" in one and in \"{}\" in the other; bring both in "
                                   "with one unit",
                                   a_.scalar_units, b_.scalar_units));
    }
  }

  const MergeCandidate& first_;
  const MergeCandidate& second_;
  const EnvironmentInfo& a_;
  const EnvironmentInfo& b_;
};

}  // namespace

void require_agreement(const MergeCandidate& first, const MergeCandidate& second) {
  Agreement(first, second).require();
}

void refuse_merge(const EnvironmentReader& first, const EnvironmentReader& second,
                  const std::string& variable, const std::string& why) {
  throw InputError(fmt::format("{} and {}: variable {}: {}", first.path().string(),
                               second.path().string(), variable, why));
}

}  // namespace tidewise
