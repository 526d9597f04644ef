#pragma once

#include "base/memory/view.h"
#include "env/grid.h"
#include "solver/step/mission.h"

namespace tidewise {

/// What each action is worth that is held on, (action, y, x): read at the level after the one that
/// is backed up, where that does not decide, and written at this one, where this one does not.
/// Either may be empty. All that is read must be finite.
struct HeldActions {
  View<const float> next;
  View<float> now;
};

/// Those of the step from level k, of what is held at the next level and at k. Empty where all
/// steps decide.
inline HeldActions held_actions(const Mission& mission, TimeLevel k, View<const float> next,
                                View<float> now) {
  const TimeLevel to(k.value + 1);
  HeldActions held;
  if (to < mission.last && mission.decisions.since(to) > 0) held.next = next;
  if (mission.decisions.since(k) > 0) held.now = now;
  return held;
}

}  // namespace tidewise
