#pragma once

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
#include "solver/subdomains/gather.h"

namespace tidewise {

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
