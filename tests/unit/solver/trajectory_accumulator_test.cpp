// Logs of several rollouts that are appended at once, with flights that end within them.

#include "solver/fly/trajectory_accumulator.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tidewise {
namespace {

constexpr std::size_t steps = 5;
const std::vector<Action> actions{{1, 0.5, {}}, {2, 1.5, {}}};

// Number of steps of flight n.
std::size_t steps_of(std::size_t n) { return n % (steps + 1); }

// Fills a log with values that identify flight, step and rollout.
void fill(const FlightLogView& log, std::size_t flights, double rollout) {
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t n = 0; n < flights; ++n) {
      const std::size_t at = log.at(step, n);
      log.x[at] = rollout + 10.0 * static_cast<double>(n) + static_cast<double>(step);
      log.y[at] = -log.x[at];
      log.energy[at] = static_cast<float>(step);
      log.harvested[at] = static_cast<float>(n);
      log.action[at] =
          step < steps_of(n) ? static_cast<std::int16_t>((n + step) % actions.size()) : no_action;
    }
  }
}

void expect_flights(const RolloutResult& result, std::size_t flights, double rollout) {
  ASSERT_EQ(result.trajectories.size(), flights);
  for (std::size_t n = 0; n < flights; ++n) {
    const auto& points = result.trajectories[n].points;
    ASSERT_EQ(points.size(), steps_of(n) + 1) << n;
    for (std::size_t step = 0; step < steps_of(n); ++step) {
      EXPECT_EQ(points[step].speed, actions[(n + step) % actions.size()].speed);
      EXPECT_EQ(points[step + 1].x,
                rollout + 10.0 * static_cast<double>(n) + static_cast<double>(step));
      EXPECT_EQ(points[step + 1].y, -points[step + 1].x);
      EXPECT_EQ(points[step + 1].energy, static_cast<float>(step));
      EXPECT_EQ(points[step + 1].harvested, static_cast<float>(n));
    }
    EXPECT_TRUE(std::isnan(points.back().speed));
  }
}

TEST(TrajectoryAccumulator, AppendsSeveralRolloutsAtOnce) {
  const std::vector<std::size_t> flights{200, 1, 0, 129};
  for (const std::int32_t threads : {1, 3}) {
    std::vector<Ensemble<>> ensembles;
    std::vector<FlightLog<>> logs;
    std::vector<TrajectoryAccumulator> accumulators;
    ensembles.reserve(flights.size());
    std::vector<TrajectoryAccumulator::Part> parts;
    for (std::size_t r = 0; r < flights.size(); ++r) {
      ensembles.emplace_back(flights[r]);
      for (std::size_t n = 0; n < flights[r]; ++n) {
        ensembles.back().number[n] = static_cast<std::int32_t>(n);
        ensembles.back().vehicle[n] = Vehicle{};
        ensembles.back().vehicle[n].steps = static_cast<std::int32_t>(steps_of(n));
        ensembles.back().state[n] = StepOutcome::arrived;
      }
      logs.emplace_back(steps, flights[r]);
      fill(logs.back().view(), flights[r], 1000.0 * static_cast<double>(r));
      accumulators.emplace_back(actions, ensembles.back(), tracked_flights(flights[r], flights[r]),
                                threads);
    }
    for (std::size_t r = 0; r < flights.size(); ++r) {
      parts.push_back({&accumulators[r], logs[r].view(), steps});
    }
    TrajectoryAccumulator::append(parts, threads);
    for (std::size_t r = 0; r < flights.size(); ++r) {
      expect_flights(accumulators[r].close(ensembles[r], RolloutMode::continuous, Mission()),
                     flights[r], 1000.0 * static_cast<double>(r));
    }
  }
}

TEST(TrajectoryAccumulator, KeepsOnlyTheEndsOfFlightsThatAreNotTracked) {
  constexpr std::size_t flights = 9;
  const std::vector<std::size_t> tracked = tracked_flights(flights, 3);
  ASSERT_EQ(tracked, (std::vector<std::size_t>{0, 3, 6}));
  Ensemble<> ensemble(flights);
  for (std::size_t n = 0; n < flights; ++n) {
    ensemble.number[n] = static_cast<std::int32_t>(n);
    ensemble.vehicle[n] = Vehicle{};
    ensemble.state[n] = StepOutcome::arrived;
  }
  TrajectoryAccumulator accumulator(actions, ensemble, tracked, 1);
  FlightLog<> log(steps, tracked.size());
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t column = 0; column < tracked.size(); ++column) {
      const std::size_t at = log.view().at(step, column);
      log.x[at] = static_cast<double>(10 * tracked[column] + step + 1);
      log.y[at] = log.energy[at] = log.harvested[at] = 0;
      log.action[at] = 0;
    }
  }
  accumulator.append(log.view(), steps);
  for (std::size_t n = 0; n < flights; ++n) {
    ensemble.vehicle[n].x = static_cast<double>(10 * n + steps);
    ensemble.vehicle[n].steps = static_cast<std::int32_t>(steps);
    ensemble.vehicle[n].last_step = 0.5F;
  }
  const RolloutResult result = accumulator.close(ensemble, RolloutMode::continuous, Mission());
  for (std::size_t n = 0; n < flights; ++n) {
    const Trajectory& flight = result.trajectories[n];
    const bool has_track = n % 3 == 0;
    EXPECT_EQ(flight.points.size(), has_track ? steps + 1 : 2) << n;
    EXPECT_EQ(flight.skipped, has_track ? 0 : static_cast<std::int32_t>(steps) - 1) << n;
    EXPECT_EQ(flight.points.back().x, static_cast<double>(10 * n + steps)) << n;
    EXPECT_EQ(flight.whole_steps(), static_cast<std::int32_t>(steps)) << n;
    EXPECT_EQ(flight.steps(), static_cast<double>(steps) - 0.5) << n;
  }
}

}  // namespace
}  // namespace tidewise
