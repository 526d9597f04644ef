// Plans the fastest route across a stochastic double gyre, and prints its prediction and 100
// simulated missions.
#include <tidewise/planner.h>

#include <cmath>
#include <cstdio>

int main() {
  try {
    const tidewise::Environment gyre = tidewise::Environment::double_gyre(
        {.nx = 50, .ny = 50, .levels = 60, .modes = 2, .realizations = 100});

    tidewise::MissionRequest mission;
    mission.vehicle.speeds = {1.5};  // cells a step; the flow reaches 2.5
    mission.goal.start = {.first = 25.5, .second = 10.5};
    mission.goal.target = {.first = 25.5, .second = 40.5};
    mission.goal.target_radius = 2;

    const tidewise::Plan plan = tidewise::plan(gyre, mission);
    for (const std::string& warning : plan.warnings())
      std::fprintf(stderr, "%s\n", warning.c_str());
    const tidewise::ExpectedOutcome& expected = plan.expected();
    std::printf("expected: %.2f %% arrive, after %.3f steps\n", 100 * expected.arrival_probability,
                expected.time);
    if (const auto first = plan.policy().at(0, 25.5, 10.5)) {
      std::printf("at first: heading %.1f degrees from +x, speed %g\n",
                  first->heading * 180 / std::acos(-1.0), first->speed);
    }

    const tidewise::Flights flights = tidewise::fly(plan);
    std::printf("flown:    %.2f %% of %zu arrive, after %.3f steps\n",
                100 * flights.statistics().arrival_rate, flights.trajectories().size(),
                flights.statistics().time.mean);
    plan.save("double_gyre", flights);  // opens in xarray, and in 'tidewise rollout'
  } catch (const std::exception& error) {
    std::fprintf(stderr, "plan: %s\n", error.what());
    return 1;
  }
}
