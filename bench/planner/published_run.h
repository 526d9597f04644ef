#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "base/progress.h"
#include "bench/planner/problem.h"
#include "solver/policy/policy.h"
#include "solver/published/device_model.h"

namespace tidewise {

/// Times of one run of the published method [s].
struct PublishedTimes {
  double build = 0;
  double solve = 0;     ///< time of solving, on one host thread or with the kernel of this project
  double cusparse = 0;  ///< the solve by cuSPARSE; 0: not measured
  double entries = 0;   ///< number of entries of P
  double seconds() const { return build + solve; }
};

/// The published method in single precision (solver/published) for levels in device memory: P and R
/// of all levels, then sparse value iteration from the last level to the first.
class PublishedRun {
 public:
  /// `problem` must outlive the object. `threads`: for preparing the levels, which is not timed.
  PublishedRun(const PlannerProblem& problem, const std::vector<Action>& actions,
               const Mission& mission, std::int32_t threads);

  /// `sink`, if not null, receives the policy. Errors: those of DevicePublishedModel.
  PublishedTimes run(PublishedMemory memory, Progress& progress, PolicySink* sink = nullptr) const;
  /// Time to build the middle level in device memory with these block sizes [ms].
  double build_one_level(const PaperBlocks& blocks) const;

 private:
  double solve_on_host(const DevicePublishedModel& model, PolicySink* sink) const;
  double solve_on_device(DevicePublishedModel& model, PublishedProduct product,
                         PolicySink* sink) const;
  // The values of the last level, v(L, ·), (y, x).
  std::vector<float> last_values() const;

  const PlannerProblem& problem_;
  std::vector<Action> actions_;
  Mission mission_;
  PublishedProblem published_;
  std::vector<Array<std::uint8_t>> masked_;  // (level) of (y, x), on the host
  DeviceArray<std::uint8_t> target_;         // (y, x)
  std::vector<PublishedLevel> levels_;       // (level)
};

}  // namespace tidewise
