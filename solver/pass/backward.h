#pragma once

#include <string_view>

#include "base/progress.h"
#include "base/stopwatch.h"
#include "env/levels/level_stream.h"

namespace tidewise {

/// Walks over the levels of a file backward in time, from `last` to 0. step(k, fields), which may
/// exchange the fields for others of the same sizes, says whether another level follows. `doing`:
/// in the progress bar. Gives the seconds that it has waited for levels. Errors: those of reading
/// and of `step`.
template <class Step>
double walk_backward(const EnvironmentReader& environment, TimeLevel last, std::string_view doing,
                     Progress& progress, const Step& step) {
  LevelStream levels(environment, levels_between(last, TimeLevel(0)));
  double waited = 0;
  bool goes_on = true;
  progress.begin(doing, last.value, "levels");
  for (TimeLevel k = last; k.value >= 0 && goes_on; --k.value) {
    const Stopwatch reading;
    LevelFields<>& fields = levels.next();
    waited += reading.seconds();
    goes_on = step(k, fields);
    progress.advance_to(last.value - k.value);
  }
  progress.end();
  return waited;
}

}  // namespace tidewise
