// Text and JSON of the gyre's benchmark.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/gyre/benchmark.h"

namespace tidewise {

std::string GyreBenchmarkReport::to_text() const {
  std::string text = fmt::format("{}\n\n{:<34} {:>12} {:>12} {:>12} {:>10} {:>10} {:>9} {:>12}\n",
                                 comparison, "", "realizations", "mean energy", "variance",
                                 "mean off", "var. off", "s", "ms/realiz.");
  for (const GyreSide& side : sides) {
    text +=
        fmt::format("{:<34} {:>12} {:>12.4f} {:>12.4f} {:>10.2f} {:>10.2f} {:>9.3f} {:>12.3f}\n",
                    side.name, side.realizations, side.mean_energy, side.variance, side.mean_error,
                    side.variance_error, side.seconds, 1e3 * side.seconds / side.realizations);
  }
  text += fmt::format(
      "\noff: from the Monte Carlo, in sampling errors. The DO modes do not span {:.2f} % of the "
      "Monte "
      "Carlo's variance.\n\n",
      100 * variance_outside);
  return text + stage.to_text();
}

nlohmann::ordered_json GyreBenchmarkReport::to_json() const {
  nlohmann::ordered_json json{{"comparison", comparison}};
  for (const GyreSide& side : sides) {
    json["compared"].push_back({{"name", side.name},
                                {"realizations", side.realizations},
                                {"mean_energy", side.mean_energy},
                                {"variance", side.variance},
                                {"mean_error_in_sampling_errors", side.mean_error},
                                {"variance_error_in_sampling_errors", side.variance_error},
                                {"seconds", side.seconds},
                                {"seconds_per_realization", side.seconds / side.realizations}});
  }
  json["variance_outside_the_modes"] = variance_outside;
  json["stage"] = stage.to_json();
  return json;
}

}  // namespace tidewise
