#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel/strand.h"
#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "planner/backend/backend.h"
#include "planner/backend/planner_backend.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Shared state of missions on one environment with one set of actions, opened once: the
/// environment, the backend, and the planner with the levels that it keeps.
class PlanningContext {
 public:
  /// Takes [environment], [vehicle], [planner] and mission.no_go of `request`, and opens the
  /// environment. Errors: those of open_environment().
  explicit PlanningContext(RunRequest request);
  /// Selects the constructor that starts a GPU while the environment is opened, and computes the
  /// fingerprint while the GPU starts. Use it if both will be needed.
  struct AtOnce {};
  PlanningContext(AtOnce at_once, RunRequest request);
  PlanningContext(const PlanningContext&) = delete;
  PlanningContext& operator=(const PlanningContext&) = delete;

  const EnvironmentReader& environment() const { return environment_; }
  /// file_fingerprint() of the environment, computed at the first call, with the same errors.
  const std::string& environment_fingerprint();
  /// The backend, chosen at the first call. Errors: those of take_backend().
  const Backend& backend();
  /// Errors: those of backend() and make_planner_backend(), InputError for a vehicle that is too
  /// fast for the grid.
  PlannerBackend& planner();

 private:
  EnvironmentReader open_while_gpus_start();

  RunRequest request_;
  std::optional<Strand> starting_;
  EnvironmentReader environment_;
  std::string fingerprint_;
  std::optional<Backend> backend_;
  std::vector<Action> actions_;
  std::unique_ptr<PlannerBackend> planner_;  // refers to the members above
  std::optional<Strand> fingerprinting_;
};

}  // namespace tidewise
