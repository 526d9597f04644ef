#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidewise::mdp {

/// A Markov chain of the labour productivity ε; that of make_productivity() has the mean 1.
struct Productivity {
  std::vector<double> level;       ///< (state), > 0
  std::vector<double> transition;  ///< Π, (from, to); rows sum to 1 within 1e-9

  std::size_t count() const { return level.size(); }
};

enum class ProductivityMethod { rouwenhorst, tauchen };

/// ln ε' = ρ ln ε + σ η, η standard normal, by `count` states: Rouwenhorst's (1995) keeps the
/// process's variance and persistence whatever they are; Tauchen's (1986) has an even grid of three
/// standard deviations to either side. Errors: InputError for no states, ρ outside [0, 1) or a
/// negative σ.
Productivity make_productivity(ProductivityMethod method, std::int32_t count, double persistence,
                               double volatility);

/// A utility function by its values; empty: ln c. Between them a monotone cubic is read.
struct UtilityTable {
  std::vector<double> consumption;  ///< ascending; below the first nothing is allowed
  std::vector<double> utility;      ///< rising and concave, (consumption)

  /// monotone_slope() at each of them.
  std::vector<double> slopes() const;
};

/// The household's choice between consumption and saving:
///   V(a, ε) = max over a' of u(c) + β E[V(a', ε') | ε],  c = (1 + r) a + w ε − a',
/// with a' from the borrowing limit to the grid's end. Units of money and of periods are the
/// user's.
struct SavingsProblem {
  std::vector<double> assets;  ///< a, ascending, from the borrowing limit on
  Productivity productivity;
  double wage = 1;         ///< w
  double interest = 0.03;  ///< r
  double discount = 0.96;  ///< β
  UtilityTable utility;    ///< u

  std::size_t state_count() const { return assets.size() * productivity.count(); }
};

/// `count` assets from `low` to `high`, the n-th at low + (high − low) (n/(count − 1))²: close
/// where the value bends most.
std::vector<double> make_assets(std::int32_t count, double low, double high);

/// Refuses what has no solution: a discount outside (0, 1), an interest of −1 or less, a negative
/// wage, fewer than 4 assets, assets that do not rise, more than 2^31 states, a borrowing limit
/// that the lowest income cannot serve, rows of Π that are no probabilities, and a utility that
/// does not rise, is not concave or lacks a consumption that can occur. Errors: InputError.
void validate_savings(const SavingsProblem& problem);

}  // namespace tidewise::mdp
