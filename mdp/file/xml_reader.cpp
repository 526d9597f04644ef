#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/file/process_listing.h"
#include "mdp/file/xml.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

/// The elements, with fixed nesting.
enum class Element {
  document,
  model,
  declared_actions,
  declared_action,
  states,
  state,
  available_actions,
  action,
  resulting_state,
  description
};

struct Nesting {
  Element outer;
  std::string_view name;
  Element inner;
};
constexpr Nesting nestings[] = {
    {Element::document, "MDP", Element::model},
    {Element::model, "Actions", Element::declared_actions},
    {Element::declared_actions, "Action", Element::declared_action},
    {Element::model, "States", Element::states},
    {Element::states, "State", Element::state},
    {Element::state, "AvailableActions", Element::available_actions},
    {Element::available_actions, "Action", Element::action},
    {Element::action, "ResultingState", Element::resulting_state},
    {Element::model, "Description", Element::description},
    {Element::declared_action, "Description", Element::description},
    {Element::state, "Description", Element::description},
    {Element::action, "Description", Element::description},
};

/// The attributes of an element, by name; those that are never requested are refused.
class Attributes {
 public:
  explicit Attributes(const char** pairs) {
    for (; *pairs != nullptr; pairs += 2) all_.push_back({pairs[0], pairs[1], false});
  }
  /// Returns an attribute's value; null if it is missing.
  const char* find(std::string_view name) {
    for (Attribute& attribute : all_) {
      if (attribute.name != name) continue;
      attribute.is_requested = true;
      return attribute.value;
    }
    return nullptr;
  }
  /// An attribute that was not requested, or null.
  const char* unknown() const {
    for (const Attribute& attribute : all_) {
      if (!attribute.is_requested) return attribute.name;
    }
    return nullptr;
  }

 private:
  struct Attribute {
    const char* name;
    const char* value;
    bool is_requested;
  };
  std::vector<Attribute> all_;
};

template <class Real>
class XmlProcessReader {
 public:
  XmlProcessReader(ByteStream& bytes, const ReadOptions& options)
      : bytes_(bytes),
        listing_(bytes.name(), options.transition_rewards == TransitionRewards::keep),
        parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
    if (!parser_) throw RunError("there is no memory for an XML parser");
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), on_start, on_end);
    XML_SetCharacterDataHandler(parser_.get(), on_text);
    XML_SetStartDoctypeDeclHandler(parser_.get(), on_document_type);
  }

  DecisionProcess<Real> read() {
    bool is_last = false;
    while (!is_last) {
      constexpr std::size_t max = 1 << 20;  // expat counts in int
      const std::string_view part = bytes_.at_hand().substr(0, max);
      is_last = part.empty();
      const auto status = XML_Parse(parser_.get(), part.data(), static_cast<int>(part.size()),
                                    is_last ? XML_TRUE : XML_FALSE);
      if (fault_) std::rethrow_exception(fault_);
      if (status != XML_STATUS_OK) {
        refuse(
            error_text(errors::xml_not_parsed, XML_ErrorString(XML_GetErrorCode(parser_.get()))));
      }
      bytes_.skip(part.size());
    }
    DecisionProcess<Real> process = listing_.finish();
    if (discount_) process.discount = *discount_;
    if (initial_state_ >= process.state_count) {
      throw input_error(errors::xml_initial_state_outside, bytes_.name(), initial_state_,
                        process.state_count);
    }
    process.initial_state = static_cast<std::int32_t>(initial_state_);
    return process;
  }

 private:
  // Exceptions must not pass through expat's C code; they are rethrown after it returns.
  template <class Work>
  void guard(const Work& work) {
    if (fault_) return;
    try {
      work();
    } catch (...) {
      fault_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }
  static XmlProcessReader& self(void* data) { return *static_cast<XmlProcessReader*>(data); }
  static void on_start(void* data, const char* name, const char** attributes) {
    self(data).guard([&] { self(data).start(name, attributes); });
  }
  static void on_end(void* data, const char*) {
    self(data).guard([&] { self(data).end(); });
  }
  static void on_text(void* data, const char* text, int length) {
    self(data).guard([&] { self(data).take_text({text, static_cast<std::size_t>(length)}); });
  }
  static void on_document_type(void* data, const char*, const char*, const char*, int) {
    self(data).guard([&] { self(data).refuse(error_text(errors::xml_document_type)); });
  }

  std::int64_t line() const {
    return static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser_.get()));
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: line {}: {}", bytes_.name(), line(), why));
  }

  void start(std::string_view name, const char** pairs) {
    const Nesting* match = nullptr;
    for (const Nesting& nesting : nestings) {
      if (nesting.outer == open_.back() && nesting.name == name) match = &nesting;
    }
    if (match == nullptr) refuse(error_text(errors::xml_element_unknown, in_quotes(name)));
    open_.push_back(match->inner);
    Attributes attributes(pairs);
    take(match->inner, name, attributes);
    if (const char* unknown = attributes.unknown()) {
      refuse(error_text(errors::xml_attribute_unknown, in_quotes(unknown), name));
    }
  }

  /// Expat may report one text in several parts.
  void take_text(std::string_view part) {
    if (open_.back() == Element::description) {
      description_ += part;
    } else if (!trimmed(part).empty()) {
      refuse(error_text(errors::xml_text_outside_element, in_quotes(part)));
    }
  }

  void end() {
    const Element closed = open_.back();
    open_.pop_back();
    if (closed != Element::description) return;
    if (open_.back() == Element::declared_action) listing_.describe_action(trimmed(description_));
    description_.clear();
  }

  void take(Element element, std::string_view name, Attributes& attributes) {
    switch (element) {
      case Element::model:
        take_model(name, attributes);
        break;
      case Element::declared_actions:
        if (has_states_) refuse(error_text(errors::xml_order_invalid));
        break;
      case Element::declared_action: {
        const std::string_view id = required(name, attributes, "id");
        const char* description = attributes.find("description");
        listing_.declare_action(id, description == nullptr ? "" : description, line());
        break;
      }
      case Element::states:
        has_states_ = true;
        break;
      case Element::state: {
        const std::string_view id = required(name, attributes, "id");
        const double value = attributes.find("value") ? number(name, attributes, "value") : 0;
        if (!std::isfinite(static_cast<Real>(value)))
          refuse(error_text(errors::xml_value_too_large));
        listing_.begin_state(id, value, line());
        break;
      }
      case Element::action:
        listing_.begin_action(required(name, attributes, "id"), line());
        break;
      case Element::resulting_state:
        listing_.add_transition(required(name, attributes, "id"),
                                number(name, attributes, "probability"),
                                number(name, attributes, "actionReward"), line());
        break;
      default:
        break;
    }
  }

  void take_model(std::string_view name, Attributes& attributes) {
    (void)attributes.find("domain");  // a title without effect
    if (attributes.find("gamma")) {
      discount_ = number(name, attributes, "gamma");
      if (!(*discount_ >= 0 && *discount_ <= 1)) refuse(error_text(errors::xml_gamma_invalid));
    }
    if (const char* text = attributes.find("initialState")) {
      if (!is_plain_index(text))
        refuse(error_text(errors::xml_initial_state_invalid, in_quotes(text)));
      initial_state_ = *to_integer(text);
    }
  }

  std::string_view required(std::string_view element, Attributes& attributes,
                            std::string_view name) const {
    const char* text = attributes.find(name);
    if (text == nullptr) refuse(error_text(errors::xml_attribute_missing, element, name));
    const std::string_view value = trimmed(text);
    if (value.empty()) refuse(error_text(errors::xml_attribute_empty, name, element));
    return value;
  }

  double number(std::string_view element, Attributes& attributes, std::string_view name) const {
    const std::string_view text = required(element, attributes, name);
    const auto value = to_number(text);
    if (!value) refuse(error_text(errors::xml_number_invalid, name, in_quotes(text), element));
    return *value;
  }

  ByteStream& bytes_;
  ProcessListing<Real> listing_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
  std::exception_ptr fault_;
  std::vector<Element> open_{Element::document};
  bool has_states_ = false;
  std::string description_;  // text of the open Description so far
  std::optional<double> discount_;
  std::int64_t initial_state_ = 0;
};

}  // namespace

template <class Real>
DecisionProcess<Real> read_xml_process(ByteStream& bytes, const ReadOptions& options) {
  DecisionProcess<Real> process = XmlProcessReader<Real>(bytes, options).read();
  apply_discount(options, process);
  return process;
}

bool reads_xml() { return true; }

template DecisionProcess<float> read_xml_process(ByteStream&, const ReadOptions&);
template DecisionProcess<double> read_xml_process(ByteStream&, const ReadOptions&);

}  // namespace tidewise::mdp
