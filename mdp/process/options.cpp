#include "mdp/process/options.h"

namespace tidewise::mdp {

std::string_view name_of(Evaluator evaluator) {
  switch (evaluator) {
    case Evaluator::automatic:
      return "auto";
    case Evaluator::sweeps:
      return "sweeps";
    case Evaluator::krylov:
      return "krylov";
    case Evaluator::serial:
      return "serial";
    case Evaluator::cuda:
      return "cuda";
    case Evaluator::block:
      return "block";
    case Evaluator::cusparse:
      return "cusparse";
  }
  return "";
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::within_tolerance:
      return "within-tolerance";
    case Outcome::limited_by_rounding:
      return "limited-by-rounding";
    case Outcome::gave_up:
      return "gave-up";
    case Outcome::endless:
      return "endless";
  }
  return "";
}

}  // namespace tidewise::mdp
