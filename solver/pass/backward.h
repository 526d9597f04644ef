#pragma once

#include <string_view>

#include "base/progress.h"
#include "base/stopwatch.h"
#include "env/levels/level_stream.h"

namespace tidewise {

/// Walks over levels backward in time, from `last` to `first`. step(k) returns true if another
/// level follows. `progress_text`: text of the progress bar. Errors: those of `step`.
template <class Step>
void walk_backward(TimeLevel last, TimeLevel first, std::string_view progress_text,
                   Progress& progress, const Step& step) {
  progress.begin(progress_text, last.value - first.value, "levels");
  bool has_next = true;
  for (TimeLevel k = last; k >= first && has_next; --k.value) {
    has_next = step(k);
    progress.advance_to(last.value - k.value);
  }
  progress.end();
}

/// walk_backward() over the levels of a file, to level 0. step(k, fields) may swap the fields with
/// others of the same sizes. Returns the time spent waiting for levels [s]. Errors: those of
/// reading and of `step`.
template <class Step>
double walk_backward(const EnvironmentReader& environment, TimeLevel last,
                     std::string_view progress_text, Progress& progress, const Step& step) {
  LevelStream levels(environment, levels_between(last, TimeLevel(0)));
  double waited = 0;
  walk_backward(last, TimeLevel(0), progress_text, progress, [&](TimeLevel k) {
    const Stopwatch reading;
    LevelFields<>& fields = levels.next();
    waited += reading.seconds();
    return step(k, fields);
  });
  return waited;
}

}  // namespace tidewise
