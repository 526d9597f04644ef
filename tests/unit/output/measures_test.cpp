#include "output/score/measures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "base/standard_normal.h"
#include "output/score/window_calibration.h"
#include "support/error_code.h"

namespace tidewise {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double day = 86400;

ArrivalTimes all_at(double time) {
  ArrivalTimes times;
  times.fill(time);
  return times;
}

Prediction prediction(double probability, const ArrivalTimes& all, const ArrivalTimes& arriving,
                      std::optional<double> arrived, double departure_day = 0,
                      double horizon = 100) {
  Prediction result;
  result.line = nlohmann::ordered_json::object();
  result.departure = departure_day * day;
  result.deadline = result.departure + horizon;
  result.arrival = {probability, all, arriving};
  result.outcome = {arrived, {}};
  return result;
}

TEST(ArrivalCrps, OfOneTimeIsTheDistance) {
  EXPECT_DOUBLE_EQ(arrival_crps({1, all_at(10), all_at(10)}, 14, 100), 4);
  EXPECT_DOUBLE_EQ(arrival_crps({1, all_at(10), all_at(10)}, 4, 100), 6);
  EXPECT_DOUBLE_EQ(arrival_crps({1, all_at(10), all_at(10)}, never, 100), 90) << "capped";
}

TEST(ArrivalCrps, OfNoArrivalIsTheTimeLeft) {
  EXPECT_DOUBLE_EQ(arrival_crps({0, all_at(never), all_at(unknown)}, never, 20), 0);
  EXPECT_DOUBLE_EQ(arrival_crps({0, all_at(never), all_at(unknown)}, 12, 20), 8);
}

TEST(ArrivalCrps, OfAnEvenChance) {
  const ArrivalQuantiles half{0.5, all_at(10), all_at(10)};
  EXPECT_DOUBLE_EQ(arrival_crps(half, never, 20), 10 * 0.25);
  EXPECT_DOUBLE_EQ(arrival_crps(half, 12, 20), 2 * 0.25 + 8 * 0.25);
  EXPECT_DOUBLE_EQ(arrival_crps(half, 4, 20), 6 * 1 + 10 * 0.25);
}

TEST(ArrivalCrps, OfAnEvenDistribution) {
  const ArrivalTimes even{5, 10, 25, 50, 75, 90, 95};
  // ∫ (t/100)² from 5 to 50, and the same mirrored.
  EXPECT_NEAR(arrival_crps({1, even, even}, 50, 100), 2 * (125000.0 - 125) / 30000, 1e-12);
}

/// Four missions on two dates, with measures that were calculated by hand.
std::vector<Prediction> four_missions() {
  const ArrivalTimes early{10, 11, 12, 14, 16, 18, 20};
  const ArrivalTimes likely{10, 11, 12, 14, 16, never, never};
  const ArrivalTimes rare{30, never, never, never, never, never, never};
  return {prediction(1, early, early, 15, 0), prediction(0.8, likely, early, std::nullopt, 0),
          prediction(0.6, likely, early, 19, 3), prediction(0.05, rare, early, std::nullopt, 3)};
}

TEST(PredictionMeasures, MatchAHandCalculation) {
  const PredictionMeasures found = measure(four_missions());
  EXPECT_EQ(found.scored, 4);
  EXPECT_EQ(found.arrived, 2);
  EXPECT_EQ(found.dates, 2);
  EXPECT_DOUBLE_EQ(found.base_rate.value, 0.5);
  EXPECT_DOUBLE_EQ(found.brier.value, (0 + 0.64 + 0.16 + 0.0025) / 4);
  EXPECT_DOUBLE_EQ(found.brier_of_base_rate.value, 0.25);
  EXPECT_DOUBLE_EQ(found.brier_skill.value, 1 - found.brier.value / 0.25);
  // 1 for 15 in [12, 16]; 0 for ranks from 0.8, above 0.75; 0 for 19; 0.5 of ranks from 0.05 to 1.
  EXPECT_DOUBLE_EQ(found.windows[0].value, (1 + 0 + 0 + 0.5 / 0.95) / 4);
  // 1 for 15 in [10, 20]; 0.15 of ranks from 0.8 to 1; 1 for 19 in [10, ∞]; 0.9 of those from 0.05.
  EXPECT_DOUBLE_EQ(found.windows[1].value, (1 + 0.15 / 0.2 + 1 + 0.9 / 0.95) / 4);
  EXPECT_DOUBLE_EQ(found.windows_of_arrivals[0].value, 0.5);
  EXPECT_EQ(found.windows_of_arrivals[1].count, 2);
  EXPECT_DOUBLE_EQ(found.windows_of_arrivals[1].value, 1);
  EXPECT_EQ(found.above_95.count, 1);
  EXPECT_DOUBLE_EQ(found.above_95.value, 1);
  EXPECT_EQ(found.reliability[9].observed.count, 1);
  EXPECT_DOUBLE_EQ(found.reliability[8].predicted.value, 0.8);
  EXPECT_DOUBLE_EQ(found.reliability[8].observed.value, 0);
  EXPECT_EQ(found.reliability[3].observed.count, 0);
  EXPECT_EQ(to_json(found)["is_descriptive"], true);
  EXPECT_TRUE(to_json(found)["reliability"][3]["predicted"].is_null());
}

TEST(PredictionMeasures, ResamplesDatesForIntervals) {
  const PredictionMeasures found = measure(four_missions());
  // A sample of two dates is one of them twice, or both.
  const double first = (0 + 0.64) / 2;
  const double second = (0.16 + 0.0025) / 2;
  EXPECT_DOUBLE_EQ(found.brier.low, second);
  EXPECT_DOUBLE_EQ(found.brier.high, first);
  const std::vector<Prediction> one_date{four_missions()[0], four_missions()[1]};
  EXPECT_TRUE(std::isnan(measure(one_date).brier.low));
}

TEST(PredictionMeasures, SkipsPredictionsWithoutProbabilityOrOutcome) {
  auto predictions = four_missions();
  predictions.push_back(predictions.front());
  predictions.back().outcome.reset();
  predictions.push_back(predictions.front());
  predictions.back().arrival.reset();
  predictions.back().outcome->surfaced = {false, true};
  const PredictionMeasures found = measure(predictions);
  EXPECT_EQ(found.scored, 4);
  EXPECT_EQ(found.without_probability, 1);
  EXPECT_EQ(found.surfacing[0].value, 0);
  EXPECT_EQ(found.surfacing[1].value, 1);
  EXPECT_EQ(found.surfacing[1].count, 1);
}

/// Missions whose arrival times have normal distributions, which are predicted with `scale` times
/// the true standard deviation.
std::vector<Prediction> normal_missions(std::uint32_t count, double scale, std::uint32_t stream) {
  constexpr std::array<double, 7> deviates{-1.6449, -1.2816, -0.6745, 0, 0.6745, 1.2816, 1.6449};
  constexpr double deviation = 7200;
  const Philox random(7);
  std::vector<Prediction> missions;
  for (std::uint32_t n = 0; n < count; ++n) {
    const double mean = 36000 + 3600 * standard_normal(random, n, stream, 1);
    ArrivalTimes times;
    for (std::size_t q = 0; q < times.size(); ++q) {
      times[q] = mean + scale * deviation * deviates[q];
    }
    missions.push_back(prediction(
        1, times, times, mean + deviation * standard_normal(random, n, stream, 2), n, 10 * day));
  }
  return missions;
}

/// Returns three standard deviations of a share of `count`.
double three_errors(double share, double count) {
  return 3 * std::sqrt(share * (1 - share) / count);
}

TEST(PredictionMeasures, CalibratedWindowsHoldTheirShare) {
  const PredictionMeasures found = measure(normal_missions(400, 1, 0));
  EXPECT_NEAR(found.windows[0].value, 0.5, three_errors(0.5, 400));
  EXPECT_NEAR(found.windows[1].value, 0.9, three_errors(0.9, 400));
  EXPECT_LT(found.windows[1].low, 0.9);
  EXPECT_GT(found.windows[1].high, 0.9);
  EXPECT_FALSE(to_json(found)["is_descriptive"].get<bool>());
}

TEST(PredictionMeasures, WindowsHoldTheirShareWhereSomeNeverArrive) {
  const Philox random(3);
  std::vector<Prediction> missions;
  for (std::uint32_t n = 0; n < 2000; ++n) {
    const auto words = random(n, 0);
    const double probability = to_unit(words.word[0]);
    const double rank = to_unit(words.word[1]);  // the arrival time equals its rank
    Prediction mission = prediction(probability, all_at(never), all_at(0), std::nullopt, n, 2);
    for (std::size_t q = 0; q < arrival_percents.size(); ++q) {
      const double share = static_cast<double>(arrival_percents[q]) / 100;
      if (share <= probability) mission.arrival->all[q] = share;
      mission.arrival->arriving[q] = share * probability;
    }
    if (rank <= probability) mission.outcome->arrived = rank;
    missions.push_back(mission);
  }
  const PredictionMeasures found = measure(missions);
  EXPECT_NEAR(found.windows[0].value, 0.5, three_errors(0.5, 2000));
  EXPECT_NEAR(found.windows[1].value, 0.9, three_errors(0.9, 2000));
}

/// The share of arrivals in windows that are stretched by a factor.
double coverage(const std::vector<Prediction>& missions, double factor) {
  double inside = 0;
  for (const Prediction& mission : missions) {
    const ArrivalTimes& times = mission.arrival->arriving;
    const double median = at(times, ArrivalShare::p50);
    const double time = *mission.outcome->arrived;
    const bool is_inside = time >= median - factor * (median - at(times, ArrivalShare::p05)) &&
                           time <= median + factor * (at(times, ArrivalShare::p95) - median);
    inside += is_inside ? 1 : 0;
  }
  return inside / static_cast<double>(missions.size());
}

TEST(WindowCalibration, RestoresTheCoverageOfOtherMissions) {
  for (const double scale : {0.4, 1.0, 2.5}) {
    const WindowCalibration found = calibrate_windows(normal_missions(400, scale, 0), "log");
    EXPECT_EQ(found.missions, 400);
    EXPECT_NEAR(found.factor, 1 / scale, 0.15 / scale);
    const auto others = normal_missions(2000, scale, 1);
    EXPECT_EQ(coverage(others, 1) < 0.6, scale < 1) << "too sure";
    EXPECT_EQ(coverage(others, 1) > 0.99, scale > 1) << "not sure enough";
    // The share of 400 scores below the factor has an error, too.
    EXPECT_NEAR(coverage(others, found.factor), 0.9,
                three_errors(0.9, 400) + three_errors(0.9, 2000));
  }
}

TEST(WindowCalibration, TakesTheScoreOfItsRank) {
  const ArrivalTimes window{100, 120, 150, 200, 260, 380, 400};  // sides of 100 and 200
  std::vector<Prediction> missions;
  const auto add = [&](double arrived) {
    missions.push_back(prediction(1, window, window, arrived));
  };
  for (const double arrived : {150.0, 220.0, 240.0, 260.0, 280.0, 300.0, 320.0, 340.0})
    add(arrived);
  EXPECT_THAT([&] { (void)calibrate_windows(missions, "log"); },
              testing::ThrowsMessage<InputError>(
                  test::has_code("calibration_missions_too_few", "holds 8")));
  add(0.0);
  // ⌈0.9 · 10⌉ = 9 of nine scores: the greatest, (200 − 0) / 100.
  EXPECT_DOUBLE_EQ(calibrate_windows(missions, "log").factor, 2);
  for (int n = 0; n < 10; ++n) add(210);
  // ⌈0.9 · 20⌉ = 18 of 19: the second greatest, (340 − 200) / 200.
  EXPECT_DOUBLE_EQ(calibrate_windows(missions, "log").factor, 0.7);
}

TEST(WindowCalibration, CountsAMissionOnce) {
  auto missions = normal_missions(9, 1, 0);
  for (std::size_t n = 0; n < missions.size(); ++n) missions[n].line["target"] = n;
  auto twice = missions;
  twice.insert(twice.end(), missions.begin(), missions.end());
  EXPECT_EQ(calibrate_windows(twice, "log").missions, 9);
}

}  // namespace
}  // namespace tidewise
