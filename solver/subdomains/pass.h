#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "base/parallel/communicator.h"
#include "base/progress.h"
#include "env/file/reader.h"
#include "env/row_window.h"
#include "solver/induction/backward_induction.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/agreement.h"

namespace tidewise {

/// Gathers the bands of each level on rank 0, which has the sink.
class SubdomainGather {
 public:
  /// `communicator` must outlive this object. windows: (rank), of the ranks that have a band.
  SubdomainGather(Communicator& communicator, std::vector<RowWindow> windows, std::int32_t nx);

  /// Called by all ranks, level after level, with each rank's own rows; rank 0 waits for the
  /// others. action, value: (row of the band, x).
  void bring(View<const std::int16_t> action, View<const float> value);
  /// Called by rank 0 after bring(): passes level k to `sink`.
  void hand_over(std::size_t leg, TimeLevel k, PolicySink& sink) const;

 private:
  // Copies a rank's rows into a plane.
  template <class T>
  void place(int rank, View<const std::byte> rows, std::vector<T>& plane) const;

  Communicator& communicator_;
  std::vector<RowWindow> windows_;
  std::size_t nx_;
  std::vector<std::int16_t> action_;  ///< (y, x), at rank 0
  std::vector<float> value_;          ///< (y, x), at rank 0
};

/// A mission that the ranks of a communicator solve together. All members must outlive the solve.
struct SharedMission {
  const EnvironmentReader& whole;  ///< without a window
  PlanningProblem problem;
  const PlannerOptions& options;
  Communicator& communicator;
  PolicySink* sink;  ///< receives whole levels on rank 0; null on other ranks
  Progress& progress;
};

/// One rank's pass over the levels of its band, L to 0, on any backend. Each level has three
/// phases: each rank solves it, all agree on the result, rank 0 gathers it. Thus a rank that fails
/// does so before another waits for it.
class SubdomainPass {
 public:
  /// Requires a window for this rank. Errors: those of EnvironmentReader.
  SubdomainPass(const SharedMission& shared, const std::vector<RowWindow>& subdomains);
  SubdomainPass(const SubdomainPass&) = delete;
  SubdomainPass& operator=(const SubdomainPass&) = delete;
  virtual ~SubdomainPass() = default;

  /// Called by all ranks that have a band. The report's rows are those of this band. Errors: those
  /// of any rank, equal on all, and HaloTooShort.
  virtual SolveReport run() = 0;

 protected:
  /// Does `work` unless an earlier call failed. The other ranks get the error from agree().
  template <class Work>
  void attempt(const Work& work) {
    if (!failure_) failure_ = failure_of(work);
  }
  void agree(std::int32_t needed_halo) { tidewise::agree(communicator_, {needed_halo, failure_}); }
  void agree_at_end() { tidewise::agree_at_end(communicator_, failure_); }
  /// Gathers the band's own rows of a level on rank 0. action, value: (row of the band, x).
  void bring_together(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                      View<const float> value);

  const PlannerOptions& options_;
  Communicator& communicator_;
  Progress& progress_;
  const RowWindow window_;
  const EnvironmentReader reader_;  ///< reader of the window
  const std::vector<Action>& actions_;
  const PositionRule rule_;
  const Mission mission_;  ///< mission in the window

 private:
  PolicySink* sink_;
  SubdomainGather gather_;
  std::exception_ptr failure_;
};

/// Makes the pass of a rank that has a band.
using MakeSubdomainPass = std::function<std::unique_ptr<SubdomainPass>(
    const SharedMission& shared, const std::vector<RowWindow>& subdomains)>;

/// One rank's part of solving a mission: the rows of subdomains[rank], as a smaller problem (none
/// if there are fewer bands than ranks). Called by all ranks. Returns the pass in `pass`, because
/// devices of other ranks may still read its memory. The report's rows and transitions are those of
/// all bands, its seconds those of this rank. Errors: those of solve_mission(), equal on every
/// rank, and HaloTooShort.
SolveReport solve_by_pass(const SharedMission& shared, const std::vector<RowWindow>& subdomains,
                          const MakeSubdomainPass& make, std::unique_ptr<SubdomainPass>& pass);

/// solve_by_pass() that chooses halo and bands, and repeats the pass if a halo is too short.
SolveReport solve_by_passes(const SharedMission& shared, const MakeSubdomainPass& make);

}  // namespace tidewise
