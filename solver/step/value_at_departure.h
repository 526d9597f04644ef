#pragma once

#include "solver/step/mission.h"

namespace tidewise {

/// The model's value at departure, at one level or between two (docs/model.md, 4.4). `value(k)`:
/// value of the start at level k.
template <class Value>
double value_at_departure(const Mission& mission, const Value& value) {
  const double first_value = value(mission.departure);
  const double next_weight = weight_of_next_level(mission);
  return next_weight > 0
             ? first_value +
                   next_weight * (value(TimeLevel(mission.departure.value + 1)) - first_value)
             : first_value;
}

}  // namespace tidewise
