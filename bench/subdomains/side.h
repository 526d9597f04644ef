#pragma once

#include <memory>
#include <vector>

#include "base/memory/array.h"
#include "base/parallel/communicator.h"
#include "bench/planner/problem.h"
#include "bench/subdomains/run.h"
#include "env/row_window.h"
#include "solver/subdomains/device_subdomains.h"

namespace tidewise {

/// A grid that is divided between devices, with the levels of each band on its device.
class SubdomainSide {
 public:
  /// levels: (place) of `problem`, on the host. devices: (band).
  SubdomainSide(const PlannerCase& problem, const std::vector<LevelFields<>>& levels,
                const std::vector<RowWindow>& subdomains, const std::vector<int>& devices);

  /// Runs one pass with one thread for each band; returns the runs, (band). Errors: RunError of the
  /// first band that failed.
  std::vector<SubdomainRun> run(const std::vector<Action>& actions, const Mission& mission,
                                SumUp sum_up);

  const std::vector<RowWindow>& subdomains() const { return subdomains_; }

 private:
  // A band's window and levels.
  struct Subdomain {
    EnvironmentInfo info;  ///< info of the window
    std::vector<LevelFields<MemorySpace::device>> levels;
  };

  const PlannerCase& problem_;
  std::vector<RowWindow> subdomains_;
  std::vector<int> devices_;
  std::vector<Subdomain> work_;  ///< (band)
  ThreadCommunicators ranks_;
  std::vector<std::shared_ptr<DeviceHaloExchange>> halos_;  ///< (band)
};

}  // namespace tidewise
