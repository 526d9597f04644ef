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

/// Brings the bands of each level together in rank 0, which alone has a sink for them.
class SubdomainGather {
 public:
  /// `communicator` must outlive this object. windows: (rank), of the ranks that have a band.
  SubdomainGather(Communicator& communicator, std::vector<RowWindow> windows, std::int32_t nx);

  /// By all ranks, with what each has solved of a level, in the order of levels: its own rows;
  /// rank 0 waits for the others'. action, value: (row of the band, x).
  void bring(View<const std::int16_t> action, View<const float> value);
  /// Rank 0, then: hands the level, which is k, to `sink`.
  void hand_over(std::size_t leg, TimeLevel k, PolicySink& sink) const;

 private:
  /// Puts a rank's rows into a plane.
  template <class T>
  void place(int rank, View<const std::byte> rows, std::vector<T>& plane) const;

  Communicator& communicator_;
  std::vector<RowWindow> windows_;
  std::size_t nx_;
  std::vector<std::int16_t> action_;  ///< (y, x), at rank 0
  std::vector<float> value_;          ///< (y, x), at rank 0
};

/// A mission that the ranks of a communicator solve together. All of it outlives who works on it.
struct SharedMission {
  const EnvironmentReader& whole;  ///< without a window
  PlanningProblem problem;
  const PlannerOptions& options;
  Communicator& communicator;
  PolicySink* sink;  ///< rank 0's, which gets the whole levels; null at the others
  Progress& progress;
};

/// One rank's pass over the levels of its band, L to 0, on whatever it computes. Every level goes
/// three steps: solved by each rank by itself, agreed on, brought together; so that who fails,
/// fails where nobody waits for it yet.
class SubdomainPass {
 public:
  /// Requires a window for this rank. Errors: those of EnvironmentReader.
  SubdomainPass(const SharedMission& shared, const std::vector<RowWindow>& subdomains);
  SubdomainPass(const SubdomainPass&) = delete;
  SubdomainPass& operator=(const SubdomainPass&) = delete;
  virtual ~SubdomainPass() = default;

  /// Called by all ranks that have a band. The report's rows are this band's. Errors: what went
  /// wrong in any rank, in all of them the same, and HaloTooShort.
  virtual SolveReport run() = 0;

 protected:
  /// Unless something has failed; what fails now, the others learn when they agree.
  template <class Work>
  void attempt(const Work& work) {
    if (!failure_) failure_ = failure_of(work);
  }
  void agree(std::int32_t needed_halo) { tidewise::agree(communicator_, {needed_halo, failure_}); }
  void agree_at_end() { tidewise::agree_at_end(communicator_, failure_); }
  /// The band's own rows of a level, with the others'. action, value: (row of the band, x).
  void bring_together(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                      View<const float> value);

  const PlannerOptions& options_;
  Communicator& communicator_;
  Progress& progress_;
  const RowWindow window_;
  const EnvironmentReader reader_;  ///< the window's
  const std::vector<Action>& actions_;
  const PositionRule rule_;
  const Mission mission_;  ///< the window's

 private:
  PolicySink* sink_;
  SubdomainGather gather_;
  std::exception_ptr failure_;
};

/// Makes the pass of a rank that has a band.
using MakeSubdomainPass = std::function<std::unique_ptr<SubdomainPass>(
    const SharedMission& shared, const std::vector<RowWindow>& subdomains)>;

/// One rank's part in solving a mission: the rows of subdomains[rank] (nothing where there are
/// fewer bands than ranks), as a smaller problem of its own. Called by all ranks. `pass` is made,
/// and left to the caller, as other ranks' devices may look at what it holds. The report's rows and
/// transitions are those of all bands, its seconds this one's. Errors: those of solve_mission(), in
/// every rank the same, and HaloTooShort.
SolveReport solve_by_pass(const SharedMission& shared, const std::vector<RowWindow>& subdomains,
                          const MakeSubdomainPass& make, std::unique_ptr<SubdomainPass>& pass);

/// The same with bands of its own choice.
SolveReport solve_by_passes(const SharedMission& shared, const MakeSubdomainPass& make);

}  // namespace tidewise
