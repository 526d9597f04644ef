#pragma once

#include <filesystem>
#include <string>

#include "base/file/atomic_file.h"
#include "base/hdf5/file.h"
#include "output/run/policy_difference.h"
#include "output/run/policy_file.h"

namespace tidewise {

/// Writes the differences of two policies as a NetCDF-4 compatible file with CF attributes, over
/// the cells and levels that both have: action_changed, heading_change and value_change (time, y,
/// x). Errors: RunError when writing fails.
class DifferenceWriter final : public DifferenceSink {
 public:
  /// `file`: the caller commits it. `b`: the policy whose cells and levels are the axes. `comment`:
  /// names of both policies. `value_units`: units of the values; empty if those of the policies
  /// differ. Requires a common level.
  DifferenceWriter(AtomicFile& file, const PolicyFile& b, const PolicyAlignment& alignment,
                   const std::string& comment, const std::string& value_units = {});
  void accept(std::int32_t n, View<const std::uint8_t> state, View<const float> heading,
              View<const float> value) override;
  /// Completes the file, which can then be committed.
  void finish();

 private:
  void define(const EnvironmentInfo& info, const PolicyFile& b, const PolicyAlignment& alignment,
              const std::string& value_units);
  void write_degrees(const PolicyFile& b, const PolicyAlignment& alignment);

  std::uint64_t ny_;
  std::uint64_t nx_;
  Hdf5File file_;
};

}  // namespace tidewise
