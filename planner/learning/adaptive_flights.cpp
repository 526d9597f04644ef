#include "planner/learning/adaptive_flights.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/parallel/first_error.h"
#include "base/random.h"
#include "base/standard_normal.h"
#include "env/weights.h"
#include "planner/learning/shared_progress.h"

namespace tidewise {
namespace {

/// A vehicle that learns from its observations.
struct Learner {
  explicit Learner(OceanFlight&& departing) : flight(std::move(departing)) {}
  OceanFlight flight;
  std::vector<FlowObservation> observations;
  std::int64_t beyond_plan = 0;
  double consistency = std::numeric_limits<double>::quiet_NaN();
};

class AdaptiveFleet {
 public:
  AdaptiveFleet(const OceanToFly& truth, TruthIs truth_is, const ForecastToLearn& forecast,
                const LearningOptions& options)
      : truth_(truth),
        truth_is_(truth_is),
        forecast_(forecast),
        options_(options),
        random_(options.seed),
        coefficient_(forecast_coefficients()),
        open_(open_policy()) {}

  void depart(const std::vector<std::int32_t>& realizations) {
    for (const std::int32_t r : realizations) learners_.emplace_back(OceanFlight(truth_, r));
  }

  /// Flies the first steps by the open policy.
  void fly_open(std::int32_t threads, SharedProgress& progress) {
    FirstError error;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t n = 0; n < learners_.size(); ++n) {
      error.run([&] {
        const auto by_plan = [&](TimeLevel k) { return open_action(learners_[n].flight.leg(), k); };
        progress.advance(fly_on(learners_[n], by_plan));
      });
    }
    error.rethrow();
  }

  /// Plans, flies K steps and observes, once for each flight under way. Returns false if there is
  /// no such flight.
  bool advance(ManySolver& solver, SharedProgress& progress) {
    std::vector<std::size_t> active;
    for (std::size_t n = 0; n < learners_.size(); ++n) {
      if (learners_[n].flight.under_way()) active.push_back(n);
    }
    if (active.empty()) return false;
    solver.solve(
        active.size(), [&](std::size_t n, SolveTask& task) { pose(learners_[active[n]], task); },
        [&](std::size_t n, const std::vector<ReachablePolicy>& policies) {
          Learner& learner = learners_[active[n]];
          const std::size_t first_leg = learner.flight.leg();
          std::vector<std::int16_t> action(cells());
          const auto by_plan = [&](TimeLevel k) -> View<const std::int16_t> {
            const std::size_t leg = learner.flight.leg();
            policies[leg - first_leg].read_action(k, action);
            const auto cell = static_cast<std::size_t>(learner.flight.cell().value);
            if (action[cell] == no_action && !holds_at(truth_.problem.mission, k)) {
              action[cell] = open_action(leg, k)[cell];
              ++learner.beyond_plan;
            }
            return action;
          };
          progress.advance(fly_on(learner, by_plan));
        });
    replans_ += static_cast<std::int64_t>(active.size());
    return true;
  }

  AdaptiveFlights close() {
    AdaptiveFlights flown;
    flown.rollout.mode = RolloutMode::continuous;
    flown.rollout.departure = truth_.problem.mission.departure;
    flown.replans = replans_;
    for (Learner& learner : learners_) {
      flown.rollout.trajectories.push_back(learner.flight.close());
      flown.consistency.push_back(learner.consistency);
      flown.steps_beyond_plan += learner.beyond_plan;
    }
    return flown;
  }

 private:
  std::size_t cells() const { return static_cast<std::size_t>(truth_.info.grid.cell_count()); }

  /// Number of levels with decisions.
  std::size_t levels() const {
    const Mission& mission = truth_.problem.mission;
    return static_cast<std::size_t>(mission.last.value - mission.departure.value);
  }
  /// Returns the actions of the open policy at these levels (leg, level − departure, y, x).
  std::vector<std::int16_t> open_policy() const {
    const TimeLevel departure = truth_.problem.mission.departure;
    std::vector<std::int16_t> action(cells() * levels() * truth_.legs.size());
    for (std::size_t n = 0; n < levels() * truth_.legs.size(); ++n) {
      read_policy(forecast_.policy.leg(n / levels()),
                  TimeLevel(departure.value + static_cast<int>(n % levels())),
                  truth_.problem.actions.size(),
                  View<std::int16_t>(action).part(n * cells(), cells()));
    }
    return action;
  }
  View<const std::int16_t> open_action(std::size_t leg, TimeLevel k) const {
    const auto level = static_cast<std::size_t>(k.value - truth_.problem.mission.departure.value);
    return View<const std::int16_t>(open_).part((leg * levels() + level) * cells(), cells());
  }

  /// Returns the forecast's coefficients (level from 0 on, mode, realization), 0 before the
  /// departure.
  std::vector<float> forecast_coefficients() const {
    const std::size_t level = static_cast<std::size_t>(forecast_.info.mode_count) *
                              static_cast<std::size_t>(forecast_.info.realization_count);
    const TimeLevel last = truth_.problem.mission.last;
    std::vector<float> all(level * static_cast<std::size_t>(last.value + 1), 0.0F);
    for (TimeLevel k = forecast_.levels.first(); k <= last; ++k.value) {
      const View<const float> at_level = forecast_.levels.level(k).coefficient;
      std::copy(at_level.begin(), at_level.end(),
                all.begin() + static_cast<std::ptrdiff_t>(level) * k.value);
    }
    return all;
  }
  CoefficientView forecast_view() const {
    return {coefficient_.data(), truth_.problem.mission.last.value + 1, forecast_.info.mode_count,
            forecast_.info.realization_count};
  }

  /// Flies a step by `policy` and records the observed flow.
  void step(Learner& learner, View<const std::int16_t> policy) const {
    const TimeLevel k = learner.flight.level();
    const Vehicle before = learner.flight.vehicle();
    const std::int16_t action = learner.flight.step(policy);
    if (!learner.flight.under_way()) return;  // no decision follows that could use an observation
    const Vehicle& after = learner.flight.vehicle();
    const ActionEffect& motion = truth_.effects[static_cast<std::size_t>(action)];
    // If a step began before the departure, only its remainder is flown.
    const Mission& mission = truth_.problem.mission;
    const double begun = k == mission.departure ? mission.begun : 0;
    const double flown = (1 - begun) * truth_.info.time.step;
    const auto number = static_cast<std::uint32_t>(learner.flight.realization());
    const auto error = [&](std::uint32_t component) {
      return options_.observation_error *
             standard_normal(random_, number, static_cast<std::uint32_t>(k.value), component);
    };
    const double u = (after.x - before.x) / flown - motion.u + error(0);
    const double v = (after.y - before.y) / flown - motion.v + error(1);
    const double end = forecast_.info.time.at(TimeLevel(k.value + 1));
    FlowOperator flow(sample_leg(forecast_.info.grid, forecast_.info.time,
                                 {{{before.x, before.y}, {after.x, after.y}}, {end - flown, end}}),
                      forecast_.info.mode_count);
    flow.add(k, forecast_.levels.level(k).profile(motion.profile));
    const double assumed =
        options_.assumed_error > 0 ? options_.assumed_error : options_.observation_error;
    learner.observations.push_back(flow.observe_u(u, assumed));
    learner.observations.push_back(flow.observe_v(v, assumed));
  }

  /// Returns the ensemble for learning: all realizations of the forecast except the truth.
  LearningEnsemble ensemble_of(const Learner& learner) const {
    LearningEnsemble ensemble;
    for (std::int32_t r = 0; r < forecast_.info.realization_count; ++r) {
      if (truth_is_ == TruthIs::another || r != learner.flight.realization()) {
        ensemble.members.push_back(r);
      }
    }
    ensemble.weights = forecast_.info.realization_weight;
    return ensemble;
  }

  /// Sets the next problem: it starts at the vehicle's cell and uses the corrected flow.
  void pose(Learner& learner, SolveTask& task) const {
    const LearningEnsemble ensemble = ensemble_of(learner);
    const CoefficientView before = forecast_view();
    const EnsembleSmoother smoother(learner.observations, before, ensemble, options_.smoother);
    learner.consistency =
        smoother.consistency().chi_square / std::max(smoother.consistency().degrees_of_freedom, 1);
    task.from = {learner.flight.cell(), learner.flight.level()};
    task.leg = learner.flight.leg();
    task.realization_count = static_cast<std::int32_t>(ensemble.members.size());
    task.realization_weight = member_weights(ensemble);
    const std::size_t level =
        static_cast<std::size_t>(forecast_.info.mode_count) * ensemble.members.size();
    const TimeLevel first = forecast_.levels.first();
    const TimeLevel last = truth_.problem.mission.last;
    task.coefficient.resize(level * static_cast<std::size_t>(last.value - first.value + 1));
    std::vector<double> after(level);
    for (TimeLevel k = task.from.level; k <= last; ++k.value) {
      smoother.update_level(k, before.level(k.value), after);
      float* to = task.coefficient.data() + level * static_cast<std::size_t>(k.value - first.value);
      for (std::size_t n = 0; n < level; ++n) to[n] = static_cast<float>(after[n]);
    }
  }

  static std::vector<std::uint32_t> member_weights(const LearningEnsemble& ensemble) {
    if (ensemble.weights.empty()) return {};
    std::vector<double> weights;
    for (const std::int32_t r : ensemble.members) {
      weights.push_back(ensemble.weights[static_cast<std::size_t>(r)]);
    }
    return to_integer_weights(weights);
  }

  /// Flies K steps, or fewer if the flight ends before, and returns their number. by_plan(k)
  /// returns actions (y, x), which must be valid at least in the vehicle's cell.
  template <class ByPlan>
  std::int64_t fly_on(Learner& learner, const ByPlan& by_plan) const {
    std::int32_t steps = 0;
    for (; steps < options_.replan_every && learner.flight.under_way(); ++steps) {
      step(learner, by_plan(learner.flight.level()));
    }
    return steps;
  }

  const OceanToFly& truth_;
  TruthIs truth_is_;
  const ForecastToLearn& forecast_;
  const LearningOptions& options_;
  Philox random_;
  std::vector<float> coefficient_;  // (level, mode, realization)
  std::vector<std::int16_t> open_;  // (leg, level − departure, y, x)
  std::deque<Learner> learners_;
  std::int64_t replans_ = 0;
};

}  // namespace

AdaptiveFlights fly_adaptive(const OceanToFly& truth, TruthIs truth_is,
                             const std::vector<std::int32_t>& realizations,
                             const ForecastToLearn& forecast, const LearningOptions& options,
                             ManySolver& solver, std::int32_t threads, std::int64_t expected_steps,
                             Progress& progress) {
  SharedProgress shared(progress, "learning", expected_steps, "steps");
  AdaptiveFleet fleet(truth, truth_is, forecast, options);
  fleet.depart(realizations);
  fleet.fly_open(threads, shared);
  while (fleet.advance(solver, shared)) {
  }
  shared.end();
  return fleet.close();
}

}  // namespace tidewise
