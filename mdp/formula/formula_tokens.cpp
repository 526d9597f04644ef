#include "mdp/formula/formula_tokens.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

constexpr std::string_view white = " \t\r\n";
constexpr std::string_view no_name = " \t\r\n&|!(){}<>=\"";

FormulaSign sign_of(std::string_view word) {
  if (word == "U") return FormulaSign::until;
  if (word == "F") return FormulaSign::finally;
  if (word == "true") return FormulaSign::always;
  if (word == "false") return FormulaSign::never;
  return FormulaSign::name;
}

FormulaSign sign_of(char one) {
  switch (one) {
    case '&':
      return FormulaSign::all_hold;
    case '|':
      return FormulaSign::any_holds;
    case '!':
      return FormulaSign::negation;
    case '(':
      return FormulaSign::open;
    case ')':
      return FormulaSign::close;
    case '{':
      return FormulaSign::open_brace;
    case '}':
      return FormulaSign::close_brace;
    default:
      return FormulaSign::end;
  }
}

}  // namespace

std::string formula_fault(const std::string& place, std::string_view formula, std::size_t position,
                          const std::string& why) {
  const auto end = formula.begin() + static_cast<std::ptrdiff_t>(position);
  const auto characters = std::count_if(
      formula.begin(), end, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return fmt::format("{}: at character {} of {}: {}", place, characters + 1, in_quotes(formula),
                     why);
}

FormulaTokens::FormulaTokens(std::string_view text, const std::string& place)
    : text_(text), place_(place) {
  take();
}

void FormulaTokens::refuse(std::size_t position, const std::string& why) const {
  throw InputError(formula_fault(place_, text_, position, why));
}

void FormulaTokens::refuse_current(const std::string& why) const {
  refuse(current_.position,
         current_.sign == FormulaSign::end
             ? why + ", and it ends there"
             : fmt::format("{}, and {} stands there", why,
                           in_quotes(text_.substr(current_.position, next_ - current_.position))));
}

void FormulaTokens::take() {
  next_ = std::min(text_.find_first_not_of(white, next_), text_.size());
  const std::size_t begin = next_;
  current_ = {FormulaSign::end, {}, begin};
  if (begin == text_.size()) return;
  const char one = text_[begin];
  if (one == '"') {
    const std::size_t close = text_.find('"', begin + 1);
    if (close == std::string_view::npos)
      refuse(begin, "the quotation that begins there never ends");
    current_ = {FormulaSign::name, text_.substr(begin + 1, close - begin - 1), begin};
    next_ = close + 1;
    return;
  }
  if (text_.substr(begin).starts_with("<=")) {
    next_ = begin + 2;
    current_.sign = FormulaSign::at_most;
  } else if (one == '<' || one == '>' || one == '=') {
    refuse(begin, "of bounds there is <= alone, as in F<=5 and F{r<=5}");
  } else if (sign_of(one) != FormulaSign::end) {
    next_ = begin + 1;
    current_.sign = sign_of(one);
  } else {
    next_ = std::min(text_.find_first_of(no_name, begin), text_.size());
    current_.sign = sign_of(text_.substr(begin, next_ - begin));
  }
  current_.text = text_.substr(begin, next_ - begin);
}

}  // namespace tidewise::mdp
