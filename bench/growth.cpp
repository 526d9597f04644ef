#include "bench/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/report.h"

namespace tidewise {
namespace {

double slope_from(const std::vector<GrowthPoint>& points, std::size_t first) {
  if (points.size() < first + 2) throw std::logic_error("a slope needs two sizes");
  const auto count = static_cast<double>(points.size() - first);
  double x_mean = 0;
  double y_mean = 0;
  for (std::size_t n = first; n < points.size(); ++n) {
    x_mean += std::log(points[n].size) / count;
    y_mean += std::log(median(points[n].samples)) / count;
  }
  double products = 0;
  double squares = 0;
  for (std::size_t n = first; n < points.size(); ++n) {
    const double x = std::log(points[n].size) - x_mean;
    products += x * (std::log(median(points[n].samples)) - y_mean);
    squares += x * x;
  }
  return products / squares;
}

}  // namespace

double Growth::slope() const { return slope_from(points, 0); }

double Growth::last_slope() const {
  return slope_from(points, std::max<std::size_t>(points.size(), 2) - 2);
}

std::string Growth::to_text() const {
  std::string text = fmt::format("{} ({}), {}\n{:<34} {:>10} {:>10} {:>10} {:>10}\n", along,
                                 constants, unit, "", "median", "min", "max", "memory/MB");
  for (const auto& point : points) {
    const auto [min, max] = std::minmax_element(point.samples.begin(), point.samples.end());
    text += fmt::format("{:>34.0f} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.0f}\n", point.size,
                        median(point.samples), *min, *max, 1e-6 * point.memory);
  }
  return text + fmt::format("slope of log time against log size: {:.2f}, of the last two {:.2f}\n",
                            slope(), last_slope());
}

nlohmann::ordered_json Growth::to_json() const {
  nlohmann::ordered_json json{{"along", along}, {"held", constants}, {"unit", unit}};
  for (const auto& point : points) {
    json["points"].push_back({{"size", point.size},
                              {"median", median(point.samples)},
                              {"samples", point.samples},
                              {"device_memory_bytes", point.memory}});
  }
  json["slope"] = slope();
  json["last_slope"] = last_slope();
  return json;
}

}  // namespace tidewise
