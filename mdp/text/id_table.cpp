#include "mdp/text/id_table.h"

#include <algorithm>

#include "mdp/text/file_text.h"

namespace tidewise::mdp {

std::int32_t IdTable::place_of(std::string_view id) {
  const std::int32_t next = size();
  if (is_plain_index(id)) {
    const std::int64_t number = *to_integer(id);
    const auto [found, is_new] = place_of_number_.try_emplace(number, next);
    if (is_new) {
      ids_.push_back(number);
      greatest_ = std::max(greatest_, number);
    }
    return found->second;
  }
  const auto [found, is_new] = place_of_word_.try_emplace(std::string(id), next);
  if (is_new) {
    words_.emplace_back(id);
    ids_.push_back(-static_cast<std::int64_t>(words_.size()));
  }
  return found->second;
}

std::string IdTable::id(std::int32_t place) const {
  const std::int64_t id = ids_[static_cast<std::size_t>(place)];
  return id >= 0 ? std::to_string(id) : words_[static_cast<std::size_t>(-1 - id)];
}

}  // namespace tidewise::mdp
