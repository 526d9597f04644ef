#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// What the leg that begins at a place to pass does there, and what that is worth, at every level:
/// the leg that ends in that place takes it over (docs/model.md, 3.7).
class NextLeg {
 public:
  /// Levels 0 … last; `cells`: of the place, ascending.
  NextLeg(std::vector<std::int32_t> cells, TimeLevel last);

  /// Keeps a level of the next leg: (y, x).
  void keep(TimeLevel k, View<const std::int16_t> action, View<const float> value);
  /// Puts what was kept in place of a leg's own: (y, x).
  void take_over(TimeLevel k, View<std::int16_t> action, View<float> value) const;

  /// Of the cells from `begin` to before `end`, which are counted from `begin` on there.
  NextLeg within(std::int32_t begin, std::int32_t end) const;
  /// All that is kept, for another process, and what another has packed of the same leg.
  std::vector<std::byte> pack() const;
  void unpack(const std::vector<std::byte>& bytes);

  const std::vector<std::int32_t>& cells() const { return cells_; }
  // (level, cell of the place)
  const std::vector<std::int16_t>& action() const { return action_; }
  const std::vector<float>& value() const { return value_; }
  /// Where a level's begin in them.
  std::size_t begin(TimeLevel k) const { return static_cast<std::size_t>(k.value) * cells_.size(); }

 private:
  std::vector<std::int32_t> cells_;
  std::vector<std::int16_t> action_;
  std::vector<float> value_;
};

/// Passes the policy of a mission that is one leg of another on as that leg's, and keeps of it what
/// the leg before is to know.
class NextLegSink final : public PolicySink {
 public:
  /// Both must outlive it.
  NextLegSink(PolicySink& sink, std::size_t leg, NextLeg& next)
      : sink_(sink), leg_(leg), next_(next) {}
  void accept(std::size_t /*leg*/, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override {
    next_.keep(k, action, value);
    sink_.accept(leg_, k, action, value);
  }

 private:
  PolicySink& sink_;
  std::size_t leg_;
  NextLeg& next_;
};

}  // namespace tidewise
