#include "mdp/policy/krylov_evaluation.h"

#include <cmath>

#include "mdp/policy/policy_evaluation.h"
#include "mdp/process/state_blocks.h"

namespace tidewise::mdp {

template <class Real>
KrylovEvaluation<Real>::KrylovEvaluation(std::int32_t state_count, ChangeMeasure measure,
                                         std::int32_t threads)
    : measure_(measure),
      threads_(threads),
      states_(state_count),
      residual_(static_cast<std::size_t>(state_count)),
      shadow_(residual_.size()),
      direction_(residual_.size()),
      image_(residual_.size()),
      half_image_(residual_.size()) {}

template <class Real>
double KrylovEvaluation<Real>::dot(const Array<Real>& a, const Array<Real>& b) const {
  return sum_over_blocks(states_, threads_, [&](std::int64_t begin, std::int64_t end) {
    return dot_of(a.data() + begin, b.data() + begin, end - begin);
  });
}

template <class Real>
void KrylovEvaluation<Real>::multiply(const PolicyRows<Real>& rows, const Array<Real>& from,
                                      Array<Real>& to) const {
  rows.multiply(from.data(), to.data());
  if (rows.has_ends() || measure_ != ChangeMeasure::between_states) return;
  const double sum = sum_over_blocks(states_, threads_, [&](std::int64_t begin, std::int64_t end) {
    double part = 0;
    for (std::int64_t s = begin; s < end; ++s) part += static_cast<double>(from[s]);
    return part;
  });
  const auto shift = static_cast<Real>(rows.discount() * sum / static_cast<double>(states_));
  for_blocks(states_, threads_, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t s = begin; s < end; ++s) to[s] += shift;
  });
}

template <class Real>
void KrylovEvaluation<Real>::half_step(Real alpha) {
  for_blocks(states_, threads_, [&](std::int64_t begin, std::int64_t end) {
    for (auto s = static_cast<std::size_t>(begin); s < static_cast<std::size_t>(end); ++s) {
      residual_[s] -= alpha * image_[s];
    }
  });
}

template <class Real>
ValueChange KrylovEvaluation<Real>::full_step(Real alpha, Real omega, Real* next) {
  return gather_over_blocks(states_, threads_, [&](std::int64_t begin, std::int64_t end) {
    ValueChange remaining;
    for (auto s = static_cast<std::size_t>(begin); s < static_cast<std::size_t>(end); ++s) {
      next[s] += alpha * direction_[s] + omega * residual_[s];
      residual_[s] -= omega * half_image_[s];
      remaining.include(static_cast<double>(residual_[s]));
    }
    return remaining;
  });
}

template <class Real>
void KrylovEvaluation<Real>::update_direction(Real beta, Real omega) {
  for_blocks(states_, threads_, [&](std::int64_t begin, std::int64_t end) {
    for (auto s = static_cast<std::size_t>(begin); s < static_cast<std::size_t>(end); ++s) {
      direction_[s] = residual_[s] + beta * (direction_[s] - omega * image_[s]);
    }
  });
}

template <class Real>
std::int64_t KrylovEvaluation<Real>::improve(const PolicyRows<Real>& rows, double goal,
                                             std::int64_t max_products, const Real* value,
                                             Real* next) {
  for_blocks(states_, threads_, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t s = begin; s < end; ++s) {
      const Real difference = next[s] - value[s];
      residual_[s] = difference;
      shadow_[s] = difference;
      direction_[s] = difference;
      next[s] = value[s];
    }
  });
  double rho = dot(shadow_, residual_);
  std::int64_t products = 0;
  while (products + 2 <= max_products) {
    multiply(rows, direction_, image_);
    const double alpha = rho / dot(shadow_, image_);
    if (!std::isfinite(alpha)) return products + 1;
    half_step(static_cast<Real>(alpha));
    multiply(rows, residual_, half_image_);
    products += 2;
    double omega = dot(half_image_, residual_) / dot(half_image_, half_image_);
    const bool is_exact = !std::isfinite(omega);  // the residual is 0 after half a step
    if (is_exact) omega = 0;
    const ValueChange remaining =
        full_step(static_cast<Real>(alpha), static_cast<Real>(omega), next);
    if (is_exact || !(measure_of(remaining, measure_) > goal)) return products;
    const double rho_next = dot(shadow_, residual_);
    const double beta = rho_next / rho * (alpha / omega);
    if (!std::isfinite(beta) || beta == 0) return products;
    rho = rho_next;
    update_direction(static_cast<Real>(beta), static_cast<Real>(omega));
  }
  return products;
}

template class KrylovEvaluation<float>;
template class KrylovEvaluation<double>;

}  // namespace tidewise::mdp
