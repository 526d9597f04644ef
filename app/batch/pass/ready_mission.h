#pragma once

#include <exception>
#include <memory>
#include <vector>

#include "app/batch/pass/request.h"
#include "app/batch/pass/solve_sink.h"
#include "planner/folder/run_folder.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {

/// A mission that is ready to run.
struct ReadyMission {
  const PassMission* pass_mission;
  std::unique_ptr<MissionProblem> problem;
  std::unique_ptr<RunFolder> folder;
  RunSummary summary;
  enum class State { open, flown, ended } state = State::open;  ///< ended: its row is written
  // Set by MissionWriter, before it completes the policy.
  double write_seconds = 0;               ///< time for writing flights [s]
  std::exception_ptr write_failure = {};  ///< why the flights were not written
};

/// Missions that share a policy. The folder of the first mission holds the policy.
struct ReadySolve {
  std::vector<ReadyMission> missions;
  std::unique_ptr<SolveSink> sink;
};

}  // namespace tidewise
