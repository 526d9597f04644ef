#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tidewise::mdp {

/// The equations x(s) · (leaves(s) + Σ share(s, t)) = b(s) + Σ share(s, t) x(t) of a Markov chain
/// within some states, solved directly in double precision: by a sparse LU factorisation (Eigen's
/// SparseLU, in an approximate minimum-degree order), or for a small chain by a dense elimination
/// without subtractions, which is accurate even if the chain is rarely left. Source of the latter:
/// Grassmann, Taksar, Heyman, "Regenerative analysis and steady state distributions for Markov
/// chains", Operations Research 33, 1985.
class SparseChain {
 public:
  explicit SparseChain(std::size_t state_count);
  ~SparseChain();
  SparseChain(const SparseChain&) = delete;
  SparseChain& operator=(const SparseChain&) = delete;

  /// Adds a share from a state to another one of the chain; a share that stays is ignored.
  void add(std::int32_t from, std::int32_t to, double share);
  /// Adds a share that leaves the chain.
  void add_leaving(std::int32_t from, double share);

  /// Multiplications of a factorisation, estimated from the pattern; infinite if they exceed
  /// `max_work`, the chain has more than 4 · 10^6 entries or its factors would have more than 10^7.
  double estimate_work(double max_work);

  /// Sparse factorisation. False if estimate_work() is infinite or the matrix is singular in double
  /// precision.
  bool factorise(double max_work);
  /// Dense factorisation. False for more than 1024 states or if some state is never left.
  bool factorise_densely();
  /// x for b = `right_side`, (state), by the last factorisation.
  std::vector<double> solve(const std::vector<double>& right_side) const;

 private:
  struct Entry {
    std::int32_t from;
    std::int32_t to;
    double share;
  };
  struct Factors;

  std::vector<double> solve_densely(std::vector<double> right_side) const;

  std::vector<Entry> entries_;
  std::vector<double> leaving_;      // (state)
  std::vector<std::int32_t> order_;  // (place): the state; empty before estimate_work()
  std::unique_ptr<Factors> factors_;
  std::vector<double> dense_;  // (state, state): empty without dense factors
  std::vector<double> pivot_;  // (state): of the dense factors
};

}  // namespace tidewise::mdp
