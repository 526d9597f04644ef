#pragma once

#include "solver/step/mission.h"

namespace tidewise {

/// The model's value at departure, at one level or between two (docs/model.md, 4.4). `value(k)`:
/// value of the start at level k.
template <class Value>
double value_at_departure(const Mission& mission, const Value& value) {
  const double early = value(mission.departure);
  const double late = weight_of_next_level(mission);
  return late > 0 ? early + late * (value(TimeLevel(mission.departure.value + 1)) - early) : early;
}

}  // namespace tidewise
