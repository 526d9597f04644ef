#pragma once

#include <cstdint>
#include <string_view>

#include "base/progress.h"
#include "env/level_fields.h"

namespace tidewise {

/// Walks over levels forward in time, from `first` to at most `last`. work.arrive(k, level): called
/// at each level. work.goes_on(k): returns true if a step from k follows. work.step(k, now, next):
/// makes the step. advanced(completed steps): called after each step. `Levels`: a LevelPair or
/// DeviceLevelPair at `first`.
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

/// walk_forward() with step(k, now, next), which returns true if another step follows. `goes_on`:
/// true if the first step is to be made. `progress_text`: text of the progress bar.
template <class Levels, class Step>
void walk_forward(Levels& levels, TimeLevel first, TimeLevel last, std::string_view progress_text,
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
  progress.begin(progress_text, last.value - first.value, "levels");
  walk_forward(levels, first, last, work, [&](std::int32_t steps) { progress.advance_to(steps); });
  progress.end();
}

}  // namespace tidewise
