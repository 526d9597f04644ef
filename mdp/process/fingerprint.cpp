#include "mdp/process/fingerprint.h"

#include <fmt/format.h>

#include <bit>
#include <cstddef>

namespace tidewise::mdp {
namespace {

/// A hash with the mixing function of splitmix64. Source: Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014.
class Mixture {
 public:
  void add(std::uint64_t word) {
    sum_ = (sum_ ^ word) * 0xBF58476D1CE4E5B9u;
    sum_ ^= sum_ >> 31;
    sum_ += 0x9E3779B97F4A7C15u;
  }
  void add(std::uint32_t high, double number) {
    add(std::uint64_t{high} << 32 | single_bits(number));
  }
  std::uint64_t value() const { return sum_; }

 private:
  /// Bits of the float, so that both precisions give the same; 0 and −0 are equal.
  static std::uint32_t single_bits(double number) {
    const auto single = static_cast<float>(number);
    return single == 0 ? 0u : std::bit_cast<std::uint32_t>(single);
  }

  std::uint64_t sum_ = 0;
};

}  // namespace

template <class Real>
std::string fingerprint(const DecisionProcess<Real>& process) {
  Mixture mixture;
  mixture.add(static_cast<std::uint64_t>(process.state_count));
  mixture.add(static_cast<std::uint64_t>(process.action_count));
  for (std::int64_t r = 0; r < process.row_count(); ++r) {
    const auto row = static_cast<std::size_t>(r);
    const auto begin = static_cast<std::size_t>(process.row_begin[row]);
    const auto end = static_cast<std::size_t>(process.row_begin[row + 1]);
    mixture.add(static_cast<std::uint32_t>(end - begin),
                end > begin ? static_cast<double>(process.reward[row]) : 0);
    for (std::size_t n = begin; n < end; ++n) {
      mixture.add(static_cast<std::uint32_t>(process.successor[n]),
                  static_cast<double>(process.probability[n]));
    }
  }
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (process.initial_value.empty()) break;
    const auto initial = static_cast<double>(process.initial_value[state]);
    if (initial != 0 && process.is_terminal(state))
      mixture.add(static_cast<std::uint32_t>(state), initial);
  }
  return fmt::format("{:016x}", mixture.value());
}

template std::string fingerprint(const DecisionProcess<float>&);
template std::string fingerprint(const DecisionProcess<double>&);

}  // namespace tidewise::mdp
