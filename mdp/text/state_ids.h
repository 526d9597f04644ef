#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidewise::mdp {

/// How texts call states: by their names where every one is a word that the form can hold and no
/// two are alike, else by numbers.
class StateIds {
 public:
  /// `names`: (state) or empty; must outlive it. `apart_from`: characters that a name may not hold,
  /// beside white space at its ends and what cannot be printed.
  StateIds(const std::vector<std::string>& names, std::int32_t state_count,
           std::string_view apart_from);

  std::string id(std::int32_t state) const {
    return by_name_ ? (*names_)[static_cast<std::size_t>(state)] : std::to_string(state);
  }

 private:
  const std::vector<std::string>* names_;
  bool by_name_;
};

}  // namespace tidewise::mdp
