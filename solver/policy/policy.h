#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "env/grid.h"

namespace tidewise {

class PolicyRows;

/// The action of a cell where none is taken: target, obstacle, last level.
inline constexpr std::int16_t no_action = -1;

/// Takes a policy level by level, as backward induction finds it: L, L−1, … 0.
class PolicySink {
 public:
  virtual ~PolicySink() = default;
  /// A level of a leg of the mission (solver/legs/legs.h), 0 the first. action: (y, x), no_action
  /// where none. value: (y, x).
  virtual void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                      View<const float> value) = 0;
  /// Where the rows of the policy's actions are to be kept as they are counted; null: nowhere.
  virtual PolicyRows* rows_to_keep() { return nullptr; }
};

/// Gives a policy back, level by level, in any order.
class PolicySource {
 public:
  virtual ~PolicySource() = default;
  virtual void read_action(TimeLevel k, View<std::int16_t> action) const = 0;
  virtual void read_value(TimeLevel k, View<float> value) const = 0;
  /// The policy of a leg of the mission (solver/legs/legs.h); its own is the first leg's.
  virtual const PolicySource& leg(std::size_t) const { return *this; }
  /// What is still there of its plan's counts; null: nothing.
  virtual const PolicyRows* rows() const { return nullptr; }
};

/// A policy of one leg in memory: both of the above. For tests and small problems.
class PolicyTable final : public PolicySink, public PolicySource {
 public:
  /// Levels 0 … last.
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

/// The policy of level k, (y, x). Errors: InputError for an action that does not exist.
void read_policy(const PolicySource& policy, TimeLevel k, std::size_t action_count,
                 View<std::int16_t> out);

}  // namespace tidewise
