#include "planner/mission/request.h"

namespace tidewise {

const std::string& RunRequest::place(std::string_view key) const {
  const auto known = places.find(key);
  return known == places.end() ? name : known->second;
}

}  // namespace tidewise
