#pragma once

#include <cstdint>
#include <string_view>

#include "base/progress.h"
#include "env/level_fields.h"

namespace tidewise {

/// Walks over levels forward in time, from `first` to `last` at most. work.arrive(k, level): the
/// walk has come to k; work.goes_on(k): whether a step is made from there; work.step(k, now, next):
/// makes it. advanced(steps behind us): after each. `Levels`: a LevelPair or DeviceLevelPair that
/// is at `first`.
template <class Levels, class Work, class Advanced>
void walk_forward(Levels& levels, TimeLevel first, TimeLevel last, Work& work,
                  const Advanced& advanced) {
  for (TimeLevel k = first;; ++k.value) {
    work.arrive(k, levels.next());
    if (!(k < last && work.goes_on(k))) return;
    levels.advance();
    work.step(k, levels.now(), levels.next());
    levels.leave();
    advanced(k.value + 1 - first.value);
  }
}

/// The same for work that says of each step, step(k, now, next), whether another one follows;
/// `goes_on`: whether the first does. `doing`: in the progress bar.
template <class Levels, class Step>
void walk_forward(Levels& levels, TimeLevel first, TimeLevel last, std::string_view doing,
                  Progress& progress, bool goes_on, const Step& step) {
  struct Work {
    const Step& make;
    bool under_way;
    void arrive(TimeLevel, const LevelView&) {}
    bool goes_on(TimeLevel) const { return under_way; }
    void step(TimeLevel k, const LevelView& now, const LevelView& next) {
      under_way = make(k, now, next);
    }
  } work{step, goes_on};
  progress.begin(doing, last.value - first.value, "levels");
  walk_forward(levels, first, last, work, [&](std::int32_t steps) { progress.advance_to(steps); });
  progress.end();
}

}  // namespace tidewise
