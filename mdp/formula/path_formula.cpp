#include "mdp/formula/path_formula.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.h"
#include "mdp/formula/formula_tokens.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

constexpr int deepest = 64;
constexpr double most_steps = 9e15;  // whole numbers of a double end there

class FormulaParser {
 public:
  FormulaParser(std::string_view text, const std::string& place)
      : text_(text), tokens_(text, place) {}

  PathFormula parse() {
    PathFormula path;
    path.text = text_;
    if (sign() == FormulaSign::finally) {
      tokens_.take();
      path.form = PathFormula::Form::finally;
      take_bound(path);
      path.target = take_state();
    } else {
      path.target = take_state();
      if (sign() == FormulaSign::until) {
        tokens_.take();
        path.form = PathFormula::Form::until;
        take_bound(path);
        path.stay = std::exchange(path.target, {});
        path.target = take_state();
      }
    }
    if (sign() == FormulaSign::end) return path;
    if (sign() == FormulaSign::until || sign() == FormulaSign::finally) {
      tokens_.refuse_current("one U or F is all that a formula may have, outside of parentheses");
    }
    if (sign() == FormulaSign::close) tokens_.refuse_current("no parenthesis is open");
    tokens_.refuse(tokens_.current().position,
                   "&, | or U is missing between two labels; one of several words goes in "
                   "\"quotes\"");
  }

 private:
  FormulaSign sign() const { return tokens_.current().sign; }

  StateFormula take_state() {
    std::vector<StateFormula::Step> steps;
    take_any(steps, 0);
    return {std::move(steps), std::string(text_)};
  }

  void take_any(std::vector<StateFormula::Step>& steps, int depth) {
    take_all(steps, depth);
    while (sign() == FormulaSign::any_holds) {
      tokens_.take();
      take_all(steps, depth);
      steps.push_back({StateFormula::Kind::any_holds});
    }
  }

  void take_all(std::vector<StateFormula::Step>& steps, int depth) {
    take_one(steps, depth);
    while (sign() == FormulaSign::all_hold) {
      tokens_.take();
      take_one(steps, depth);
      steps.push_back({StateFormula::Kind::all_hold});
    }
  }

  void take_one(std::vector<StateFormula::Step>& steps, int depth) {
    const FormulaToken token = tokens_.current();
    if (depth > deepest) {
      tokens_.refuse(token.position, fmt::format("it is nested deeper than {}", deepest));
    }
    switch (token.sign) {
      case FormulaSign::negation:
        tokens_.take();
        take_one(steps, depth + 1);
        steps.push_back({StateFormula::Kind::negation});
        return;
      case FormulaSign::open:
        tokens_.take();
        take_any(steps, depth + 1);
        if (sign() != FormulaSign::close) {
          tokens_.refuse_current(
              fmt::format("& or | or the ) of the parenthesis at character {} is expected",
                          token.position + 1));
        }
        break;
      case FormulaSign::always:
        steps.push_back({StateFormula::Kind::always});
        break;
      case FormulaSign::never:
        steps.push_back({StateFormula::Kind::never});
        break;
      case FormulaSign::name:
        steps.push_back({StateFormula::Kind::label, std::string(token.text), token.position});
        break;
      case FormulaSign::until:
      case FormulaSign::finally:
        tokens_.refuse_current(
            "a label is expected (those called U, F, true or false go in \"quotes\")");
      default:
        tokens_.refuse_current("a label, true, false, ! or ( is expected");
    }
    tokens_.take();
  }

  void take_bound(PathFormula& path) {
    if (sign() == FormulaSign::at_most) {
      const double steps = take_number("steps");
      if (steps != static_cast<double>(static_cast<std::int64_t>(steps))) {
        tokens_.refuse(number_position_, "a number of steps is whole");
      }
      path.most_steps = static_cast<std::int64_t>(steps);
    } else if (sign() == FormulaSign::open_brace) {
      tokens_.take();
      if (sign() != FormulaSign::name || tokens_.current().text != "r") {
        tokens_.refuse_current("r is expected, as in F{r<=5} finished");
      }
      tokens_.take();
      if (sign() != FormulaSign::at_most) {
        tokens_.refuse_current("<= is expected, as in F{r<=5} finished");
      }
      path.most_reward = take_number("reward");
      if (sign() != FormulaSign::close_brace) tokens_.refuse_current("} is expected");
      tokens_.take();
    }
  }

  /// Behind <=.
  double take_number(const char* what) {
    tokens_.take();
    const FormulaToken token = tokens_.current();
    const auto number = token.sign == FormulaSign::name ? to_number(token.text) : std::nullopt;
    if (!number || !(*number >= 0 && *number <= most_steps)) {
      tokens_.refuse_current(fmt::format("a number from 0 on, of {}, is expected", what));
    }
    number_position_ = token.position;
    tokens_.take();
    return *number;
  }

  std::string_view text_;
  FormulaTokens tokens_;
  std::size_t number_position_ = 0;
};

}  // namespace

PathFormula parse_path_formula(std::string_view text, const std::string& place) {
  return FormulaParser(text, place).parse();
}

void require_for_reward(const PathFormula& formula, const std::string& place) {
  if (formula.is_bounded()) {
    throw InputError(fmt::format(
        "{}: {} has a bound, and is for --goal probability; what is collected in N steps is what "
        "--method backward --horizon N finds, with the target alone",
        place, in_quotes(formula.text)));
  }
  if (formula.form != PathFormula::Form::until) return;
  throw InputError(
      fmt::format("{}: {} is for --goal probability; for what is collected until A U B is decided "
                  "either way, give the target 'B | !A'",
                  place, in_quotes(formula.text)));
}

}  // namespace tidewise::mdp
