#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "mdp/policy/policy_rows.h"

namespace tidewise::mdp {

enum class ChangeMeasure;

/// Evaluates a policy by Krylov steps: BiCGSTAB on (I − γ P_π) d = r_π + γ P_π V − V, where V + d
/// is the solution. If the process has no end and a common offset of all values does not matter, γ
/// times the mean of d is added to the left side: the direction with eigenvalue 1 − γ would take
/// most of the steps, and the remaining error is then such an offset. Sums are made block by block
/// in double, so that the bits do not depend on the number of threads. Source: van der Vorst,
/// "Bi-CGSTAB", SIAM J. Sci. Stat. Comput. 13, 1992; for policies Gargiani, Liao-McPherson, Zanelli
/// and Lygeros, "Inexact GMRES policy iteration for large-scale Markov decision processes", 2023.
template <class Real>
class KrylovEvaluation {
 public:
  KrylovEvaluation(std::int32_t state_count, ChangeMeasure measure, std::int32_t threads);

  /// Improves V. `next` is r_π + γ P_π V on entry, and the improved V on return. Ends when the
  /// estimated residual is at most `goal`, after `max_products` products with P_π, or if a step
  /// vanishes. Returns the number of products. Both arrays are (state).
  std::int64_t improve(const PolicyRows<Real>& rows, double goal, std::int64_t max_products,
                       const Real* value, Real* next);

 private:
  double dot(const Array<Real>& a, const Array<Real>& b) const;
  void multiply(const PolicyRows<Real>& rows, const Array<Real>& from, Array<Real>& to) const;
  /// The two halves of a step; half_step() leaves s in residual_.
  void half_step(Real alpha);
  ValueChange full_step(Real alpha, Real omega, Real* next);
  void update_direction(Real beta, Real omega);

  ChangeMeasure measure_;
  std::int32_t threads_;
  std::int64_t states_;
  Array<Real> residual_;    // r, all (state)
  Array<Real> shadow_;      // r̂
  Array<Real> direction_;   // p
  Array<Real> image_;       // A p
  Array<Real> half_image_;  // A s
};

}  // namespace tidewise::mdp
