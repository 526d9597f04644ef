#pragma once

#include "base/memory/view.h"
#include "env/grid.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Values of held actions, (action, y, x). `next` is read at the level after the one that is backed
/// up, if that level does not decide. `now` is written at the current level, if it does not decide.
/// Either may be empty. All values that are read must be finite.
struct HeldActions {
  View<const float> next;
  View<float> now;
};

/// HeldActions of the step from level k. `next`, `now`: values of level k + 1 and of level k. Both
/// views of the result are empty if every step decides.
inline HeldActions held_actions(const Mission& mission, TimeLevel k, View<const float> next,
                                View<float> now) {
  const TimeLevel to(k.value + 1);
  HeldActions held;
  if (to < mission.last && mission.decisions.since(to) > 0) held.next = next;
  if (mission.decisions.since(k) > 0) held.now = now;
  return held;
}

}  // namespace tidewise
