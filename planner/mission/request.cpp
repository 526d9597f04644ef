#include "planner/mission/request.h"

namespace tidewise {

const std::string& RunRequest::place(std::string_view key) const {
  const auto known = places.find(key);
  return known == places.end() ? name : known->second;
}

std::string_view to_string(BackendChoice choice) {
  switch (choice) {
    case BackendChoice::automatic:
      return "auto";
    case BackendChoice::cpu:
      return "cpu";
    case BackendChoice::cuda:
      return "cuda";
  }
  return "";
}

std::string_view to_string(RolloutChoice choice) {
  switch (choice) {
    case RolloutChoice::none:
      return "none";
    case RolloutChoice::continuous:
      return "continuous";
    case RolloutChoice::chain:
      return "chain";
  }
  return "";
}

std::string_view to_string(BaselineChoice choice) {
  return choice == BaselineChoice::none ? "none" : "all";
}

}  // namespace tidewise
