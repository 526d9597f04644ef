#include "mdp/file/json_model_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

/// Destination of the current value.
enum class Slot {
  none,
  states,
  actions,
  discount,
  format,
  initial_state,
  probabilities,
  rewards,
  labels,
  indptr,
  indices,
  data,
  initial_values,
  row_rewards,
  state_names,
  action_names,
  label
};

struct KnownKey {
  std::string_view name;
  Slot slot;
};
constexpr KnownKey keys_of_model[] = {
    {"S", Slot::states},
    {"A", Slot::actions},
    {"gamma", Slot::discount},
    {"format", Slot::format},
    {"P", Slot::probabilities},
    {"R", Slot::rewards},
    {"initial_state", Slot::initial_state},
    {"initial_values", Slot::initial_values},
    {"row_rewards", Slot::row_rewards},
    {"state_names", Slot::state_names},
    {"action_names", Slot::action_names},
    {"labels", Slot::labels},
};
constexpr KnownKey keys_of_matrix[] = {
    {"indptr", Slot::indptr}, {"indices", Slot::indices}, {"data", Slot::data}};

bool is_array(Slot slot) { return slot >= Slot::indptr; }
bool is_object(Slot slot) {
  return slot == Slot::probabilities || slot == Slot::rewards || slot == Slot::labels;
}

/// Handles nlohmann-json's events. The keys limit the depth: an array or object in a wrong place is
/// refused at its beginning.
template <class Real>
class ModelEvents {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  explicit ModelEvents(std::string file) : file_(std::move(file)) {}

  JsonModel<Real> take() { return std::move(model_); }

  [[noreturn]] bool null() { refuse_kind("null"); }
  [[noreturn]] bool boolean(bool) { refuse_kind("true or false"); }
  [[noreturn]] bool binary(binary_t&) { refuse_kind("binary data"); }
  bool number_integer(number_integer_t number) { return take_integer(number); }
  bool number_unsigned(number_unsigned_t number) {
    constexpr auto max = number_unsigned_t(std::numeric_limits<std::int64_t>::max());
    return number > max ? take_real(double(number)) : take_integer(std::int64_t(number));
  }
  bool number_float(number_float_t number, const string_t&) { return take_real(number); }

  bool string(string_t& text) {
    if (in_array_ && array_ == Slot::state_names) {
      model_.state_names.push_back(std::move(text));
    } else if (in_array_ && array_ == Slot::action_names) {
      model_.action_names.push_back(std::move(text));
    } else if (slot_ == Slot::format && !in_array_) {
      if (text != "CSR") refuse(error_text(errors::json_form_unknown, in_quotes(text)));
      slot_ = Slot::none;
    } else {
      refuse_kind("a text");
    }
    ++index_;
    return true;
  }

  bool start_object(std::size_t) {
    if (depth_ == 0) {
      depth_ = 1;
      return true;
    }
    if (in_array_ || !is_object(slot_)) refuse_kind("an object");
    object_ = slot_;
    slot_ = Slot::none;
    seen_inner_keys_.clear();
    if (object_ == Slot::probabilities) model_.probabilities.emplace();
    if (object_ == Slot::rewards) model_.rewards.emplace();
    depth_ = 2;
    return true;
  }

  bool end_object() {
    if (depth_ == 2 && object_ != Slot::labels) {
      for (const KnownKey& key : keys_of_matrix) {
        if (!seen_inner_keys_.contains(std::string(key.name))) {
          fail(outer_key_, error_text(errors::json_member_missing, key.name));
        }
      }
    }
    --depth_;
    object_ = Slot::none;
    slot_ = Slot::none;
    inner_key_.clear();
    return true;
  }

  bool key(string_t& name) {
    const bool is_outer = depth_ == 1;
    (is_outer ? outer_key_ : inner_key_) = printable(name);
    if (is_outer) inner_key_.clear();
    if (!(is_outer ? seen_keys_ : seen_inner_keys_).insert(name).second)
      refuse(error_text(errors::json_member_twice));
    if (is_outer) {
      slot_ = find(keys_of_model, name);
    } else if (object_ == Slot::labels) {
      slot_ = Slot::label;
      model_.labels.push_back({name, {}});
    } else {
      slot_ = find(keys_of_matrix, name);
    }
    return true;
  }

  bool start_array(std::size_t) {
    if (depth_ == 0 || in_array_ || !is_array(slot_)) refuse_kind("an array");
    array_ = slot_;
    in_array_ = true;
    index_ = 0;
    if (array_ == Slot::row_rewards) model_.row_rewards.emplace();
    return true;
  }

  bool end_array() {
    in_array_ = false;
    slot_ = Slot::none;
    return true;
  }

  [[noreturn]] bool parse_error(std::size_t, const std::string&,
                                const nlohmann::detail::exception& error) {
    // Example: "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    std::string_view words = error.what();
    if (const auto at = words.find("] "); at != std::string_view::npos) words.remove_prefix(at + 2);
    if (words.starts_with("number overflow"))
      refuse(error_text(errors::json_number_too_large_for_any));
    for (const std::string_view prefix : {"parse error at ", "parse error: "}) {
      if (words.starts_with(prefix)) words.remove_prefix(prefix.size());
    }
    throw input_error(errors::json_not_parsed, file_, shortened(printable(words)));
  }

 private:
  static std::string printable(std::string_view text) {
    std::string shown(text);
    std::replace_if(
        shown.begin(), shown.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    return shown;
  }
  static std::string shortened(const std::string& text) {
    constexpr std::size_t max = 200;
    return text.size() > max ? text.substr(0, max) + "…" : text;
  }

  std::string path() const {
    if (outer_key_.empty()) return "the model";
    std::string path = shortened(outer_key_);
    if (!inner_key_.empty()) path += "." + shortened(inner_key_);
    if (in_array_) path += fmt::format("[{}]", index_);
    return path;
  }
  [[noreturn]] void fail(const std::string& path, const std::string& why) const {
    throw InputError(fmt::format("{}: {}: {}", file_, path, why));
  }
  [[noreturn]] void refuse(const std::string& why) const { fail(path(), why); }
  [[noreturn]] void refuse_kind(const char* what) const {
    const char* wanted = "a number";
    if (depth_ == 0) {
      wanted = "an object {…}";
    } else if (in_array_) {
      wanted = array_ == Slot::state_names || array_ == Slot::action_names ? "a text" : wanted;
    } else if (is_object(slot_)) {
      wanted = "an object {…}";
    } else if (is_array(slot_)) {
      wanted = "an array […]";
    } else if (slot_ == Slot::format) {
      wanted = "\"CSR\"";
    }
    refuse(error_text(errors::json_kind_differs, what, wanted));
  }

  template <std::size_t n>
  Slot find(const KnownKey (&known)[n], std::string_view name) const {
    for (const KnownKey& key : known) {
      if (key.name == name) return key.slot;
    }
    std::string names;
    for (const KnownKey& key : known)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", key.name);
    refuse(error_text(errors::json_key_unknown, names));
  }

  JsonMatrix<Real>& matrix() {
    return object_ == Slot::probabilities ? *model_.probabilities : *model_.rewards;
  }

  std::int32_t index(std::int64_t number, std::int64_t min) const {
    constexpr std::int64_t max = std::numeric_limits<std::int32_t>::max() - 1;
    if (number < min || number > max) {
      refuse(error_text(errors::json_integer_outside_range, number, min, max));
    }
    return static_cast<std::int32_t>(number);
  }

  bool take_integer(std::int64_t number) {
    const Slot slot = in_array_ ? array_ : slot_;
    switch (slot) {
      case Slot::indices:
        matrix().indices.push_back(index(number, 0));
        break;
      case Slot::indptr:
        take_row_start(number);
        break;
      case Slot::states:
        model_.states = index(number, 1);
        break;
      case Slot::actions:
        model_.actions = index(number, 1);
        break;
      case Slot::initial_state:
        model_.initial_state = index(number, 0);
        break;
      case Slot::label:
        if (!in_array_) refuse_kind("a number");
        model_.labels.back().states.push_back(index(number, 0));
        break;
      default:
        return take_number(slot, double(number));
    }
    return end_value(slot);
  }

  bool take_real(double number) {
    const Slot slot = in_array_ ? array_ : slot_;
    const bool is_integer = slot == Slot::indices || slot == Slot::indptr || slot == Slot::states ||
                            slot == Slot::actions || slot == Slot::initial_state ||
                            slot == Slot::label;
    if (!is_integer) return take_number(slot, number);
    // Some programs write integers as 1e6 or 4.0.
    constexpr double max = 1e15;
    if (!(std::abs(number) <= max) || number != std::floor(number)) {
      refuse(error_text(errors::json_not_integer, number));
    }
    return take_integer(static_cast<std::int64_t>(number));
  }

  bool take_number(Slot slot, double number) {
    const bool is_expected =
        in_array_ ? slot == Slot::data || slot == Slot::initial_values || slot == Slot::row_rewards
                  : slot == Slot::discount;
    if (!is_expected) refuse_kind("a number");
    const Real real = static_cast<Real>(number);
    if (!std::isfinite(real)) refuse(error_text(errors::json_number_too_large, number));
    if (slot == Slot::discount) {
      if (!(number >= 0 && number <= 1)) refuse(error_text(errors::json_discount_invalid, number));
      model_.discount = number;
    } else if (slot == Slot::initial_values) {
      model_.initial_values.push_back(real);
    } else if (slot == Slot::row_rewards) {
      model_.row_rewards->push_back(real);
    } else {
      if (object_ == Slot::probabilities && !(number >= 0 && number <= 1 + probability_tolerance)) {
        refuse(error_text(errors::probability_invalid, number));
      }
      matrix().data.push_back(real);
    }
    return end_value(slot);
  }

  void take_row_start(std::int64_t number) {
    if (!in_array_) refuse_kind("a number");
    ChunkedVector<std::int64_t>& indptr = matrix().indptr;
    if (indptr.empty() && number != 0) refuse(error_text(errors::json_row_starts_first, number));
    if (!indptr.empty() && number < indptr.back()) {
      refuse(error_text(errors::json_row_starts_descend, number, indptr.back()));
    }
    indptr.push_back(number);
  }

  bool end_value(Slot slot) {
    if (in_array_) {
      ++index_;
    } else if (is_array(slot)) {
      refuse_kind("a number");
    } else {
      slot_ = Slot::none;
    }
    return true;
  }

  std::string file_;
  JsonModel<Real> model_;
  Slot slot_ = Slot::none;    // slot of the current key
  Slot object_ = Slot::none;  // the enclosing object at depth 2
  Slot array_ = Slot::none;
  bool in_array_ = false;
  int depth_ = 0;  // number of nested objects
  std::size_t index_ = 0;
  std::string outer_key_;
  std::string inner_key_;
  std::set<std::string> seen_keys_;
  std::set<std::string> seen_inner_keys_;
};

}  // namespace

template <class Real>
JsonModel<Real> parse_json_model(ByteStream& bytes) {
  ModelEvents<Real> events(bytes.name());
  nlohmann::json::sax_parse(ByteIterator(bytes), ByteIterator(), &events);
  return events.take();
}

template JsonModel<float> parse_json_model(ByteStream&);
template JsonModel<double> parse_json_model(ByteStream&);

}  // namespace tidewise::mdp
