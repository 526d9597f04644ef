#pragma once

#include <cstdint>
#include <exception>

#include "base/parallel/communicator.h"

namespace tidewise {

/// Thrown by all bands at the same level if a step moves farther than the halo. The pass must be
/// repeated with `needed` rows; the result has the bits of a pass that began with them.
class HaloTooShort final : public std::exception {
 public:
  /// `needed`: rows that the halo needs.
  explicit HaloTooShort(std::int32_t needed) : needed_(needed) {}
  /// Rows that the halo needs.
  std::int32_t needed() const { return needed_; }
  const char* what() const noexcept override { return "a step moves beyond the halo of a band"; }

 private:
  std::int32_t needed_;
};

/// Result of one level in one band.
struct SubdomainLevelOutcome {
  std::int32_t needed_halo = 0;  ///< rows needed if the halo was too short; else 0
  std::exception_ptr failure = {};
};

/// Exchanges the results of a level between all ranks, so that no rank waits for one that has given
/// up. Returns if all bands succeeded, otherwise throws the same error in all. A failure takes
/// precedence over HaloTooShort, and the failure of the lowest rank over others. Ranks without the
/// failure throw an InputError, a RunError or std::bad_alloc with the same text, and disband.
void agree(Communicator& communicator, const SubdomainLevelOutcome& outcome);
/// agree() for the last time, called by ranks with a band.
void agree_at_end(Communicator& communicator, const std::exception_ptr& failure);
/// Called by a rank without a band: agrees with the others until they end.
void follow(Communicator& communicator);

/// The exception that `work` throws; null if none.
template <class Work>
std::exception_ptr failure_of(const Work& work) {
  try {
    work();
  } catch (...) {
    return std::current_exception();
  }
  return {};
}

/// Does each rank's part of some work, and agrees on the result.
template <class Work>
void work_and_agree(Communicator& communicator, const Work& work) {
  agree(communicator, {0, failure_of(work)});
}

}  // namespace tidewise
