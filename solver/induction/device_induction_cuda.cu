#include "base/stopwatch.h"
#include "env/file/blame.h"
#include "env/file/level_stream.h"
#include "solver/induction/device_induction.h"
#include "solver/induction/device_level_solver.h"
#include "solver/induction/refused_flow.h"
#include "solver/induction/value_overflow.h"

namespace tidewise {
namespace {

/// The pass over the levels, some of them in flight at a time.
class DevicePass {
 public:
  DevicePass(DeviceEnvironment& environment, const std::vector<Action>& actions,
             const Mission& mission, Engine engine, PolicySink& sink, Progress& progress)
      : environment_(environment),
        actions_(actions),
        mission_(mission),
        sink_(sink),
        progress_(progress),
        solver_(environment.info(), actions, mission, engine) {}

  SolveReport run() {
    const Stopwatch total;
    const EnvironmentInfo& info = environment_.info();
    report_.states = static_cast<std::int64_t>(info.grid.cell_count()) * (mission_.last.value + 1);
    environment_.begin(levels_between(mission_.last, TimeLevel(0)));
    progress_.begin("planning", mission_.last.value, "levels");
    for (TimeLevel k = mission_.last; k.value >= 0 && failure_ == nullptr; --k.value) {
      if (solver_.in_flight() == DeviceLevelSolver::depth()) collect();
      solver_.submit(k, environment_.next(solver_.preparation_stream()));
      if (k != mission_.last) environment_.release(solver_.solving_stream());
    }
    while (solver_.in_flight() > 0 && failure_ == nullptr) collect();
    if (failure_ != nullptr) return report_;
    progress_.end();
    environment_.finish();
    environment_.release(solver_.solving_stream());
    report_.transitions = report_.rows * info.realization_count;
    report_.read_seconds = environment_.waited_seconds();
    report_.solve_seconds = total.seconds() - report_.read_seconds;
    return report_;
  }

  /// What ended the mission alone.
  std::exception_ptr failure() const { return failure_; }

 private:
  void collect() {
    const SolvedLevel solved = solver_.collect();
    if (solved.flow_refused) {
      environment_.finish();  // a level that could not be read is the better reason
      explain_refused_flow(environment_.reader(), actions_, {&mission_}, solved.level);
    }
    report_.rows += solved.decided * static_cast<std::int64_t>(actions_.size());
    try {
      blaming(environment_.reader(),
              [&] { refuse_overflow(environment_.info().grid, solved.level, solved.value); });
      sink_.accept(solved.level, solved.action, solved.value);
    } catch (...) {
      failure_ = std::current_exception();
    }
    progress_.advance_to(mission_.last.value - solved.level.value);
  }

  DeviceEnvironment& environment_;
  const std::vector<Action>& actions_;
  const Mission& mission_;
  PolicySink& sink_;
  Progress& progress_;
  DeviceLevelSolver solver_;
  SolveReport report_;
  std::exception_ptr failure_;
};

}  // namespace

SolveReport solve_mission_on_device(DeviceEnvironment& environment,
                                    const std::vector<Action>& actions, const Mission& mission,
                                    const PlannerOptions& options, PolicySink& sink,
                                    Progress& progress, std::exception_ptr& failure) {
  DevicePass pass(environment, actions, mission, options.engine, sink, progress);
  const SolveReport report = pass.run();
  failure = pass.failure();
  return report;
}

SolveReport solve_mission_on_device(DeviceEnvironment& environment,
                                    const std::vector<Action>& actions, const Mission& mission,
                                    const PlannerOptions& options, PolicySink& sink,
                                    Progress& progress) {
  std::exception_ptr failure;
  const SolveReport report =
      solve_mission_on_device(environment, actions, mission, options, sink, progress, failure);
  if (failure != nullptr) std::rethrow_exception(failure);
  return report;
}

}  // namespace tidewise
