#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidewise::mdp {

/// A Markov chain of the labour productivity ε; make_productivity() gives it the mean 1.
struct Productivity {
  std::vector<double> level;       ///< (state), > 0
  std::vector<double> transition;  ///< Π, (from, to); rows sum to 1 within 1e-9

  std::size_t count() const { return level.size(); }
};

/// Discretization methods of make_productivity().
enum class ProductivityMethod { rouwenhorst, tauchen };

/// Discretizes ln ε' = ρ ln ε + σ η, η standard normal, to `count` states: Rouwenhorst's method
/// (1995) keeps the exact variance and persistence; Tauchen's (1986) has a uniform grid of three
/// standard deviations to either side. Errors: InputError for no states, ρ outside [0, 1) or a
/// negative σ.
Productivity make_productivity(ProductivityMethod method, std::int32_t count, double persistence,
                               double volatility);

/// A utility function as a table, interpolated by a monotone cubic; empty: ln c.
struct UtilityTable {
  std::vector<double> consumption;  ///< ascending; consumption below the first is not allowed
  std::vector<double> utility;      ///< rising and concave, (consumption)

  /// monotone_slope() at each point.
  std::vector<double> slopes() const;
};

/// The household's choice between consumption and saving:
///   V(a, ε) = max over a' of u(c) + β E[V(a', ε') | ε],  c = (1 + r) a + w ε − a',
/// with a' from the borrowing limit to the end of the grid. Units of money and time are arbitrary.
struct SavingsProblem {
  std::vector<double> assets;  ///< a, ascending from the borrowing limit
  Productivity productivity;
  double wage = 1;         ///< w
  double interest = 0.03;  ///< r
  double discount = 0.96;  ///< β
  UtilityTable utility;    ///< u

  std::size_t state_count() const { return assets.size() * productivity.count(); }
};

/// `count` assets from `low` to `high`, the n-th at low + (high − low) (n/(count − 1))²: densest
/// where the value has most curvature.
std::vector<double> make_assets(std::int32_t count, double low, double high);

/// Refuses a problem without a solution: a discount outside (0, 1), an interest of −1 or less, a
/// negative wage, fewer than 4 assets, assets that do not ascend, more than 2^31 states, a
/// borrowing limit that the lowest income cannot serve, rows of Π that are not probabilities, and a
/// utility that does not rise, is not concave or does not cover a possible consumption. Errors:
/// InputError.
void validate_savings(const SavingsProblem& problem);

}  // namespace tidewise::mdp
