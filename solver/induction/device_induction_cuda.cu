#include "base/stopwatch.h"
#include "env/file/file_in_error.h"
#include "env/levels/level_stream.h"
#include "solver/induction/device_induction.h"
#include "solver/induction/device_level_solver.h"
#include "solver/induction/refused_flow.h"
#include "solver/induction/value_overflow.h"
#include "solver/pass/device_backward.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

// The pass over the levels, with several levels in flight.
class DevicePass {
 public:
  DevicePass(DeviceEnvironment& environment, const PlanningProblem& problem, Engine engine,
             PolicySink& sink, Progress& progress)
      : environment_(environment),
        problem_(problem),
        sink_(sink),
        progress_(progress),
        solver_(environment.info(), problem, engine) {}

  SolveReport run() {
    const Stopwatch total;
    const EnvironmentInfo& info = environment_.info();
    report_.states = static_cast<std::int64_t>(info.grid.cell_count()) *
                     (problem_.mission.last.value + 1) *
                     static_cast<std::int64_t>(problem_.mission.via.size() + 1);
    environment_.begin(levels_between(problem_.mission.last, TimeLevel(0)));
    progress_.begin("planning", problem_.mission.last.value, "levels");
    walk_backward_in_flight(solver_, problem_.mission.last, TimeLevel(0), *this);
    if (failure_ != nullptr) return report_;
    progress_.end();
    environment_.finish();
    environment_.release(solver_.solving_stream());
    report_.transitions = report_.rows * info.realization_count;
    report_.read_seconds = environment_.waited_seconds();
    report_.solve_seconds = total.seconds() - report_.read_seconds;
    return report_;
  }

  // The error that ends only this mission; null if none.
  std::exception_ptr failure() const { return failure_; }

  // walk_backward_in_flight() calls the following functions.
  bool goes_on() const { return failure_ == nullptr; }
  LevelView fields(TimeLevel) { return environment_.next(solver_.preparation_stream()); }
  void settle() {}
  void submitted(TimeLevel k) {
    if (k != problem_.mission.last) environment_.release(solver_.solving_stream());
  }
  void collect() {
    const SolvedLevel solved = solver_.collect();
    if (solved.flow_refused) {
      environment_.finish();  // an unreadable level is the more useful error
      explain_refused_flow(environment_.reader(), problem_.rule, problem_.actions,
                           {&problem_.mission}, solved.level);
    }
    report_.rows += solved.decided * static_cast<std::int64_t>(problem_.actions.size());
    try {
      for (std::size_t n = solved.leg.size(); n-- > 0;) {
        const SolvedLeg& leg = solved.leg[n];
        with_file_in_error(environment_.reader(), [&] {
          refuse_overflow(environment_.info().grid, solved.level, leg.value);
        });
        sink_.accept(n, solved.level, leg.action, leg.value);
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
    progress_.advance_to(problem_.mission.last.value - solved.level.value);
  }

 private:
  DeviceEnvironment& environment_;
  PlanningProblem problem_;
  PolicySink& sink_;
  Progress& progress_;
  DeviceLevelSolver solver_;
  SolveReport report_;
  std::exception_ptr failure_;
};

}  // namespace

SolveReport solve_mission_on_device(DeviceEnvironment& environment, const PlanningProblem& problem,
                                    const PlannerOptions& options, PolicySink& sink,
                                    Progress& progress, std::exception_ptr* failure) {
  DevicePass pass(environment, problem, options.engine, sink, progress);
  const SolveReport report = pass.run();
  if (failure != nullptr) {
    *failure = pass.failure();
  } else if (pass.failure() != nullptr) {
    std::rethrow_exception(pass.failure());
  }
  return report;
}

}  // namespace tidewise
