#pragma once

#include "base/progress.h"
#include "base/stopwatch.h"
#include "mdp/process/solution.h"
#include "mdp/stop/convergence_monitor.h"

namespace tidewise::mdp {

/// Calls `step`, which sweeps and returns the verdict of `monitor`, until it is not go_on; then
/// ends `progress` and stores the result in `solution`.
template <class Real, class Step>
void run_until_verdict(const ConvergenceMonitor& monitor, Progress& progress,
                       ProcessSolution<Real>& solution, const Step& step) {
  const Stopwatch sweeping;
  Verdict verdict = Verdict::go_on;
  while (verdict == Verdict::go_on) {
    verdict = step();
    progress.advance_to(monitor.sweeps());
  }
  solution.sweep_seconds = sweeping.seconds();
  progress.end();
  solution.converged = verdict == Verdict::converged;
  solution.sweeps = monitor.sweeps();
}

}  // namespace tidewise::mdp
