#include "solver/subdomains/agreement.h"

#include <cstring>
#include <new>
#include <string>

#include "base/error.h"

namespace tidewise {
namespace {

// Ranks compare numbers, of which the maximum counts. A number of 0 or more is the number of rows
// needed. A failure is larger than any of them, and larger for lower ranks.
constexpr std::int64_t no_band = -2;
constexpr std::int64_t at_end = -1;
constexpr std::int64_t failed = std::int64_t{1} << 40;

enum class Failure : char { input = 'i', memory = 'm', run = 'r' };

// The kind of failure in the first byte, then its text.
std::vector<std::byte> describe(const std::exception_ptr& failure) {
  Failure kind = Failure::run;
  std::string text;
  try {
    std::rethrow_exception(failure);
  } catch (const InputError& error) {
    kind = Failure::input;
    text = error.what();
  } catch (const std::bad_alloc&) {
    kind = Failure::memory;
  } catch (const std::exception& error) {
    text = error.what();
  } catch (...) {
    text = "a band failed for a reason unknown";
  }
  std::vector<std::byte> bytes(1 + text.size());
  bytes[0] = static_cast<std::byte>(kind);
  std::memcpy(bytes.data() + 1, text.data(), text.size());
  return bytes;
}

[[noreturn]] void fail_as_described(const std::vector<std::byte>& bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1);
  switch (static_cast<Failure>(bytes.at(0))) {
    case Failure::input:
      throw InputError(text);
    case Failure::memory:
      throw std::bad_alloc();
    case Failure::run:
      break;
  }
  throw RunError(text);
}

// Returns the maximum of all ranks' numbers, or throws the failure.
std::int64_t compare(Communicator& communicator, std::int64_t status,
                     const std::exception_ptr& failure) {
  const int rank = communicator.rank();
  const std::int64_t worst =
      communicator.all_max(failure ? failed + communicator.size() - rank : status);
  if (worst <= 0) return worst;
  if (worst < failed) throw HaloTooShort(static_cast<std::int32_t>(worst));
  const auto failing_rank = static_cast<int>(failed + communicator.size() - worst);
  std::vector<std::byte> description;
  if (rank == failing_rank) description = describe(failure);
  communicator.broadcast(description, failing_rank);
  communicator.disband();
  if (rank == failing_rank) std::rethrow_exception(failure);
  fail_as_described(description);
}

}  // namespace

void agree(Communicator& communicator, const SubdomainLevelOutcome& outcome) {
  compare(communicator, outcome.needed_halo, outcome.failure);
}

void agree_at_end(Communicator& communicator, const std::exception_ptr& failure) {
  compare(communicator, at_end, failure);
}

void follow(Communicator& communicator) {
  while (compare(communicator, no_band, {}) != at_end) {
  }
}

}  // namespace tidewise
