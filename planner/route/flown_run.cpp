#include "planner/route/flown_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "base/error.h"
#include "env/environment_info.h"
#include "output/run/trajectory_reader.h"
#include "planner/error/codes.h"
#include "planner/mission/read/file.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"
#include "solver/step/mission.h"
#include "tidewise/rollout.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_flights(const TrajectoryReader& file, const std::string& what) {
  throw InputError(
      fmt::format("{}: {}", file.path().string(),
                  add_words(what, "; fly again with 'tidewise plan' or 'tidewise rollout'")));
}

/// The flights of a trajectories.nc of this mission. Errors: InputError for contents that no
/// rollout of the mission writes.
std::vector<Trajectory> read_flights(const TrajectoryReader& file, const EnvironmentInfo& info,
                                     const Mission& mission) {
  const auto x = file.read("x");
  const auto y = file.read("y");
  const auto time = file.read("time");
  const auto heading = file.read("heading");
  const auto speed = file.read("speed");
  const auto energy = file.read("energy");
  const auto harvested = file.read("harvested");
  const auto profile = file.read_profiles();
  if (profile.empty() && info.velocities > 1) {
    refuse_flights(file, error_text(errors::flights_profile_unknown));
  }
  if (file.via_count() != mission.via.size()) {
    refuse_flights(file,
                   error_text(errors::flights_via_count, file.via_count(), mission.via.size()));
  }
  const double departure = info.time.at(mission.departure);
  const auto max_points =
      static_cast<std::size_t>(mission.last.value - mission.departure.value) + 1;
  std::vector<Trajectory> flights(file.flight_count());
  for (std::size_t n = 0; n < flights.size(); ++n) {
    Trajectory& flight = flights[n];
    flight.realization = file.realization()[n];
    if (flight.realization < 0 || flight.realization >= info.realization_count) {
      refuse_flights(file, error_text(errors::flights_realization_unknown, n, flight.realization,
                                      info.realization_count - 1));
    }
    flight.outcome = file.outcome()[n];
    flight.total_reward = file.total_reward()[n];
    flight.begun = mission.begun;
    const std::size_t count = file.point_count()[n];
    if (count > max_points) {
      refuse_flights(file, error_text(errors::flights_point_count, n, count, max_points));
    }
    const std::size_t first = n * file.max_points();
    for (std::size_t m = first; m < first + count; ++m) {
      flight.points.push_back({x[m], y[m], static_cast<float>(heading[m]),
                               static_cast<float>(speed[m]), static_cast<float>(energy[m]),
                               static_cast<float>(harvested[m])});
      const double steps = (time[m] - departure) / info.time.step;
      const double step = m == first ? mission.begun : static_cast<double>(m - first);
      const bool is_last = m > first && m + 1 == first + count;
      if (info.velocities > 1 && m + 1 < first + count) {
        if (profile[m] >= info.velocities) {
          refuse_flights(file, error_text(errors::flights_profile_invalid, n, profile[m], m - first,
                                          info.velocities));
        }
        flight.profiles.push_back(profile[m]);
      }
      const bool on_time =
          is_last ? steps > step - 1 - 1e-6 && steps < step + 1e-6 : std::abs(steps - step) < 1e-6;
      if (!on_time) {
        refuse_flights(file, error_text(errors::flights_off_levels, n, m - first));
      }
      if (is_last) flight.last_step = std::clamp(steps - (step - 1), 0.0, 1.0);
    }
    for (std::size_t via = 0; via < file.via_count(); ++via) {
      const double steps =
          (file.passed_time()[n * file.via_count() + via] - departure) / info.time.step;
      if (!(steps >= 0 && steps < static_cast<double>(count))) break;  // NaN: not passed
      flight.passed.push_back(static_cast<std::int32_t>(std::floor(steps + 1e-6)));
    }
  }
  return flights;
}

/// The named folder, or the folder of the named policy.h5.
fs::path folder_of(const std::string& run) {
  std::error_code ignored;
  const fs::path named(run);
  if (run.empty() || !fs::exists(named, ignored)) {
    throw input_error(errors::run_missing, run.empty() ? "RUN" : run);
  }
  return fs::is_directory(named, ignored) ? named : fs::absolute(named).parent_path();
}

/// The request with the CPU as backend, because the run's GPUs may not be available here.
RunRequest on_cpu(RunRequest request, std::optional<std::int32_t> threads) {
  const PlanOptions defaults;
  request.planner.backend = BackendChoice::cpu;
  request.planner.devices = defaults.devices;
  request.planner.device_memory = defaults.device_memory;
  request.planner.threads = threads ? *threads : defaults.threads;
  if (threads) request.places["planner.threads"] = fmt::format("--threads {}", *threads);
  return request;
}

void start_from(MissionProblem& run, const PlanePoint& start) {
  const Grid& grid = run.info().grid;
  if (!grid.contains(grid.column_at(start.x), grid.row_at(start.y))) {
    throw input_error(errors::flights_start_outside, run.request.name, start.x, start.y);
  }
  run.start_from(grid, start);
}

}  // namespace

FlownRun::FlownRun(const std::string& run, std::optional<std::int32_t> threads, Progress& progress)
    : folder_(folder_of(run)) {
  const fs::path flights = folder_ / "trajectories.nc";
  std::error_code ignored;
  const bool recorded = fs::exists(flights, ignored);
  if (!recorded || fs::exists(folder_ / "policy.h5", ignored)) {
    policy_ = std::make_unique<PolicyFile>(policy_path(folder_.string()));
  }
  std::optional<RunRequest> planned;
  if (policy_) planned = mission_of(*policy_, {});
  RunRequest request =
      recorded ? mission_within(flights, TrajectoryReader::read_mission_text(flights)) : *planned;
  if (planned) require_one_mission(request, flights, *planned, policy_->path());
  request = on_cpu(std::move(request), threads);
  const bool must_fly = !recorded || request.rollout.mode != RolloutChoice::continuous;
  const fs::path parent_policy =
      folder_.parent_path() / "policy.h5";  // policy of the run that a rollout belongs to
  if (must_fly && !policy_ && fs::exists(parent_policy, ignored)) {
    policy_ = std::make_unique<PolicyFile>(parent_policy);
  }
  if (must_fly && !policy_) {
    throw input_error(errors::flights_without_policy_mode, flights.string(),
                      to_string(request.rollout.mode));
  }
  request.rollout.mode = RolloutChoice::continuous;
  const auto planning = std::make_shared<PlanningContext>(request);
  if (policy_) {
    const std::string warning = validate_own_environment(*policy_, *planning);
    if (!warning.empty()) warnings_.push_back(warning);
  }
  run_ = std::make_unique<MissionProblem>(std::move(request), planning);
  if (policy_) validate_policy(*policy_, *run_, PlannedHere::yes);
  if (policy_) run_->choose_start(*policy_);
  if (must_fly) {
    flights_ = run_->context->planner().fly(run_->mission, *policy_, run_->rollout, progress);
  } else {
    flights_.departure = run_->mission.departure;
    flights_.trajectories =
        read_flights({flights, info().grid, info().time}, info(), run_->mission);
    // Flights begin at the one of several starts that was chosen.
    const TrajectoryPoint& first = flights_.trajectories.front().points.front();
    if (run_->starts.size() > 1) start_from(*run_, {first.x, first.y});
  }
}

std::vector<std::int32_t> FlownRun::realizations() const {
  std::vector<std::int32_t> numbers;
  for (const Trajectory& flight : flights_.trajectories) numbers.push_back(flight.realization);
  return numbers;
}

const PolicyFile& FlownRun::policy() const {
  if (policy_) return *policy_;
  throw input_error(errors::flights_without_policy, folder_.string());
}

}  // namespace tidewise
