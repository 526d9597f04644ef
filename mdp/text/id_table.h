#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tidewise::mdp {

/// The ids that a file gives to states or actions, numbers or words, each with its place: the order
/// in which they first appear.
class IdTable {
 public:
  /// The place of `id`, the next one where it is new.
  std::int32_t place_of(std::string_view id);
  std::int32_t size() const { return static_cast<std::int32_t>(ids_.size()); }
  std::string id(std::int32_t place) const;
  /// Whether all ids are integers from 0 on, as programs write them.
  bool are_numbers() const { return words_.empty(); }
  /// The id as a number. Requires are_numbers().
  std::int64_t number(std::int32_t place) const { return ids_[static_cast<std::size_t>(place)]; }
  /// The greatest number among the ids; −1 without one.
  std::int64_t greatest() const { return greatest_; }

 private:
  std::vector<std::int64_t> ids_;  // (place): a number, or −1 − n of words_[n]
  std::vector<std::string> words_;
  std::unordered_map<std::int64_t, std::int32_t> place_of_number_;
  std::unordered_map<std::string, std::int32_t> place_of_word_;
  std::int64_t greatest_ = -1;
};

}  // namespace tidewise::mdp
