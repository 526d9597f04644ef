#include "output/score/window_calibration.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "output/error/codes.h"

namespace tidewise {
namespace {

constexpr std::int64_t fewest_missions = 9;  // ⌈1 / 0.1⌉ − 1

/// Equal for predictions of one mission. A line without a target is of a mission of its own.
std::string mission_of(const Prediction& prediction, std::size_t number) {
  const auto& line = prediction.line;
  if (!line.contains("target")) return std::to_string(number);
  return line["target"].dump() + line.value("vehicle", nlohmann::ordered_json()).dump() +
         std::to_string(prediction.deadline);
}

double score_of(const ArrivalTimes& times, double arrived) {
  const double median = at(times, ArrivalShare::p50);
  const double side = arrived < median ? median - at(times, ArrivalShare::p05)
                                       : at(times, ArrivalShare::p95) - median;
  return std::abs(arrived - median) / std::max(side, shortest_window_side);
}

}  // namespace

WindowCalibration calibrate_windows(const std::vector<Prediction>& predictions,
                                    const std::string& place) {
  std::set<std::string> missions;
  std::vector<double> scores;
  for (std::size_t n = 0; n < predictions.size(); ++n) {
    const Prediction& one = predictions[n];
    if (!one.outcome || !one.arrival || !(one.arrival->probability > 0)) continue;
    if (!missions.insert(mission_of(one, n)).second || !one.outcome->arrived) continue;
    scores.push_back(score_of(one.arrival->arriving, *one.outcome->arrived));
  }
  const auto count = static_cast<std::int64_t>(scores.size());
  if (count < fewest_missions) {
    throw input_error(errors::calibration_missions_too_few, place, count, fewest_missions);
  }
  std::sort(scores.begin(), scores.end());
  const std::int64_t rank = (9 * (count + 1) + 9) / 10;
  return {scores[static_cast<std::size_t>(rank - 1)], count};
}

}  // namespace tidewise
