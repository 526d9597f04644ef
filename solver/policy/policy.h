#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"

namespace tidewise {

class PolicyRows;

/// Action of a cell in which no action is taken: target, obstacle, last level.
inline constexpr std::int16_t no_action = -1;

/// Receives a policy level by level, in the order of backward induction: L, L−1, … 0.
class PolicySink {
 public:
  virtual ~PolicySink() = default;
  /// Accepts level k of a leg of the mission (solver/legs/legs.h; 0 is the first). action: (y, x),
  /// no_action if a cell has none. value: (y, x).
  virtual void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                      View<const float> value) = 0;
  /// The object that receives the counts of the policy's actions from the solver; null if they are
  /// not kept.
  virtual PolicyRows* rows_to_keep() { return nullptr; }
};

/// A policy that is read level by level, in any order.
class PolicySource {
 public:
  virtual ~PolicySource() = default;
  /// Reads the actions of level k into `action`, (y, x).
  virtual void read_action(TimeLevel k, View<std::int16_t> action) const = 0;
  /// Reads the values of level k into `value`, (y, x).
  virtual void read_value(TimeLevel k, View<float> value) const = 0;
  /// The policy of a leg of the mission (solver/legs/legs.h). The object itself is the policy of
  /// the first leg.
  virtual const PolicySource& leg(std::size_t) const { return *this; }
  /// The counts of the policy's actions that the plan has kept; null if there are none.
  virtual const PolicyRows* rows() const { return nullptr; }
};

/// A policy of one leg in memory, sink and source. For tests and small problems.
class PolicyTable final : public PolicySink, public PolicySource {
 public:
  /// For levels 0 … last.
  PolicyTable(const Grid& grid, TimeLevel last);
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  void read_action(TimeLevel k, View<std::int16_t> action) const override;
  void read_value(TimeLevel k, View<float> value) const override;

  std::vector<std::int16_t> action;  ///< (time, y, x)
  std::vector<float> value;          ///< (time, y, x)

 private:
  std::size_t cells_;
};

/// Reads the actions of level k into `out`, (y, x). Errors: InputError for an action that does not
/// exist.
void read_policy(const PolicySource& policy, TimeLevel k, std::size_t action_count,
                 View<std::int16_t> out);

}  // namespace tidewise
