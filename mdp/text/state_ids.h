#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tidewise::mdp {

/// The names of states in a text: their own where all are different and none has white space at its
/// ends or control characters, else their numbers.
class StateIds {
 public:
  /// `names`: (state) or empty; must outlive it.
  StateIds(const std::vector<std::string>& names, std::int32_t state_count);

  std::string id(std::int32_t state) const {
    return by_name_ ? (*names_)[static_cast<std::size_t>(state)] : std::to_string(state);
  }

 private:
  const std::vector<std::string>* names_;
  bool by_name_;
};

}  // namespace tidewise::mdp
