#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tidewise::mdp {

enum class FormulaSign {
  end,
  name,  ///< a label, or a number behind a bound
  all_hold,
  any_holds,
  negation,
  open,
  close,
  open_brace,
  close_brace,
  at_most,
  until,    ///< U
  finally,  ///< F
  always,   ///< true
  never     ///< false
};

struct FormulaToken {
  FormulaSign sign = FormulaSign::end;
  std::string_view text;     ///< as it stands there, a label's without quotes
  std::size_t position = 0;  ///< byte of the formula that it begins with
};

/// The signs of a formula, one after the other: & | ! ( ) { } <= U F true false, and labels: any
/// others between them, or whatever stands in "quotes".
class FormulaTokens {
 public:
  /// `place`: what errors begin with, such as "--target". `text` must outlive it.
  FormulaTokens(std::string_view text, const std::string& place);

  const FormulaToken& current() const { return current_; }
  /// The next one; at the end for ever `end`. Errors: InputError for a quotation that does not
  /// close, and for < > = that make no <=.
  void take();
  /// Errors: InputError "PLACE: at character N of 'FORMULA': why".
  [[noreturn]] void refuse(std::size_t position, const std::string& why) const;
  /// The same of what is there now, "and 'x' stands there" or "and it ends there" behind `why`.
  [[noreturn]] void refuse_current(const std::string& why) const;

 private:
  std::string_view text_;
  const std::string& place_;
  std::size_t next_ = 0;
  FormulaToken current_;
};

/// "PLACE: at character N of 'FORMULA': why".
std::string formula_fault(const std::string& place, std::string_view formula, std::size_t position,
                          const std::string& why);

}  // namespace tidewise::mdp
