#include "output/score/window_calibration.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "output/error/codes.h"

namespace tidewise {
namespace {

constexpr std::int64_t min_missions = 9;  // ⌈1 / 0.1⌉ − 1

/// Key of a mission, equal for all its predictions. A line without a target has a unique key.
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
    const Prediction& prediction = predictions[n];
    if (!prediction.outcome || !prediction.arrival || !(prediction.arrival->probability > 0))
      continue;
    if (!missions.insert(mission_of(prediction, n)).second || !prediction.outcome->arrived)
      continue;
    scores.push_back(score_of(prediction.arrival->arriving, *prediction.outcome->arrived));
  }
  const auto count = static_cast<std::int64_t>(scores.size());
  if (count < min_missions) {
    throw input_error(errors::calibration_missions_too_few, place, count, min_missions);
  }
  std::sort(scores.begin(), scores.end());
  const std::int64_t rank = (9 * (count + 1) + 9) / 10;
  return {scores[static_cast<std::size_t>(rank - 1)], count};
}

}  // namespace tidewise
