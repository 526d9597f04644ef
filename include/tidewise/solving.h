#pragma once

#include <cstdint>

/// Choices of those who solve decision processes (process.h).
namespace tidewise::mdp {

/// Whether rewards are to be made as large as possible or, being costs, as small.
enum class Direction { greatest, least };

/// When iteration ends.
enum class StoppingRule {
  error,  ///< the value is known to be within `tolerance` of the optimum
  change  ///< a sweep changes no value by `tolerance` or more: the literature's max |ΔV| < θ
};

/// What the error that StoppingRule::error allows is measured by.
enum class ErrorMeasure {
  automatic,  ///< with γ = 1 both, the finer one in each state; else absolute
  absolute,   ///< `tolerance`
  relative    ///< `tolerance` of each state's value
};

/// With γ = 1: which policies are compared. States from which none of them is are worth −∞, costs
/// ∞, as the literature has it.
enum class Endings {
  automatic,  ///< as free, but where none surely comes to an end the model is refused: that is more
              ///< often a mistake in it than meant. Of a process with a target as sure, refused
              ///< likewise unless the least costs are wanted
  free,       ///< also those that go round for ever in a loop without rewards, which is worth 0
  sure        ///< those that surely come to an end
};

/// What came of solving.
enum class Outcome {
  /// The value is as near to the optimum as was asked, which its bounds prove; with
  /// StoppingRule::change a sweep changes it by less than the tolerance.
  within_tolerance,
  /// Bounds are known, and wider than was asked by what rounding does: more sweeps would not help,
  /// another precision or a larger tolerance would.
  limited_by_rounding,
  gave_up,  ///< more sweeps may help
  endless   ///< γ = 1: rewards are gained without end, so that there is no optimum
};
/// Whether there is a value to go by, if not as near as was asked.
constexpr bool is_answer(Outcome outcome) {
  return outcome == Outcome::within_tolerance || outcome == Outcome::limited_by_rounding;
}

/// A look at a sweep while a process is solved.
struct SweepRecord {
  std::int64_t sweeps = 0;  ///< done by then
  double seconds = 0;       ///< since the method began to iterate
  double residual = 0;      ///< the most that the sweep changed a value by
  /// The most that values are off the optimum then, but for rounding; infinite with γ = 1.
  double error = 0;
};

}  // namespace tidewise::mdp
