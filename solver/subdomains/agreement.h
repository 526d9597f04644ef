#pragma once

#include <cstdint>
#include <exception>

#include "base/parallel/communicator.h"

namespace tidewise {

/// A step leads farther than a halo: thrown by all bands at the same level. The pass is to be
/// repeated with `needed` rows, which gives the same bits as if it had begun so.
class HaloTooShort final : public std::exception {
 public:
  explicit HaloTooShort(std::int32_t needed) : needed_(needed) {}
  std::int32_t needed() const { return needed_; }
  const char* what() const noexcept override { return "a step leads beyond the halo of a band"; }

 private:
  std::int32_t needed_;
};

/// What became of one level in one band.
struct SubdomainLevelOutcome {
  std::int32_t needed_halo = 0;  ///< where the halo was too short [rows]; else 0
  std::exception_ptr failure = {};
};

/// Lets all ranks know what became of a level, so that none waits for one that has given up:
/// returns where it went well in all bands, else throws the same in all of them, a failure rather
/// than HaloTooShort, and of several failures that of the lowest rank. A failure comes out of the
/// ranks that did not have it as an InputError, a RunError or std::bad_alloc with the same text,
/// and disbands them.
void agree(Communicator& communicator, const SubdomainLevelOutcome& outcome);
/// The last time that ranks with a band agree.
void agree_at_end(Communicator& communicator, const std::exception_ptr& failure);
/// What a rank without a band does meanwhile: agrees with the others to their end.
void follow(Communicator& communicator);

/// What ends `work`; null where nothing does.
template <class Work>
std::exception_ptr failure_of(const Work& work) {
  try {
    work();
  } catch (...) {
    return std::current_exception();
  }
  return {};
}

/// Each rank's part of some work, on which they agree.
template <class Work>
void work_and_agree(Communicator& communicator, const Work& work) {
  agree(communicator, {0, failure_of(work)});
}

}  // namespace tidewise
