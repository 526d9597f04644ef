#pragma once

#include "env/grid.h"
#include "env/level_fields.h"

namespace tidewise {

/// Walks over levels backward in time, from `last` to `first`, with a solver that has several
/// levels in flight on a device. work.goes_on(): returns true if another level is to be submitted
/// or collected. work.fields(k): the level's fields in device memory. work.submitted(k): called
/// after the solver accepted the level. work.collect(): collects the oldest level in flight.
/// work.settle(): called before each submission, and after each collection once all levels are
/// submitted. Levels may remain in flight if goes_on() ended the walk. Errors: those of `work` and
/// of the solver.
template <class Solver, class Work>
void walk_backward_in_flight(Solver& solver, TimeLevel last, TimeLevel first, Work& work) {
  for (TimeLevel k = last; k >= first && work.goes_on(); --k.value) {
    if (solver.in_flight() == Solver::depth()) work.collect();
    const LevelView fields = work.fields(k);
    work.settle();
    solver.submit(k, fields);
    work.submitted(k);
  }
  while (solver.in_flight() > 0 && work.goes_on()) {
    work.collect();
    work.settle();
  }
}

}  // namespace tidewise
