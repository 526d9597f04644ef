#include "mdp/text/state_ids.h"

#include <algorithm>
#include <unordered_set>

#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

bool is_fit(const std::string& name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return !name.empty() && trimmed(name) == name &&
         std::none_of(name.begin(), name.end(), is_control);
}

}  // namespace

StateIds::StateIds(const std::vector<std::string>& names, std::int32_t state_count)
    : names_(&names), by_name_(names.size() == static_cast<std::size_t>(state_count)) {
  std::unordered_set<std::string_view> seen;
  bool are_numbers = true;
  for (std::size_t s = 0; by_name_ && s < names.size(); ++s) {
    by_name_ = is_fit(names[s]) && seen.insert(names[s]).second;
    are_numbers = are_numbers && is_plain_index(names[s]);
  }
  // Numbers in another order than the states' own would be taken for these.
  by_name_ = by_name_ && !are_numbers;
}

}  // namespace tidewise::mdp
