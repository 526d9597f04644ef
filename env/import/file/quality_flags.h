#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "env/import/file/netcdf/netcdf_file.h"

namespace tidewise::ingest {

/// A variable whose values grade the quality of another variable's values.
///
/// The meaning of a flag comes from flag_meanings with flag_values or flag_masks (CF). Without them
/// bad_flags are bad. A flag whose meaning is unknown is not bad.
class QualityFlag {
 public:
  QualityFlag(const NetcdfFile& file, std::string variable);

  const std::string& variable() const { return variable_; }
  /// True if `flag` means bad data. `flag`: a number; for characters, the value of a digit or the
  /// code of another character.
  bool is_bad(double flag) const;
  /// The bad flags as text: "3 (probably_bad), 4 (bad)".
  const std::string& bad_values() const { return bad_values_; }
  /// Unknown meanings, which are treated as good, such as "wind_from_model"; empty for none.
  const std::string& unknown_meanings() const { return unknown_meanings_; }

 private:
  struct Grade {
    std::uint64_t mask = 0;  ///< bits to compare; 0: compare the number itself
    double value = 0;
    bool is_bad = false;
  };

  std::string variable_;
  std::vector<Grade> grades_;
  std::string bad_values_;
  std::string unknown_meanings_;
};

/// The quality flags of `variable`: those among its ancillary_variables, those with its name (u_qc,
/// flag_u, …) or with its standard_name and "status_flag", and one for the whole field (QCflag,
/// quality_flag, …). Errors: InputError for a flag with other dimensions.
std::vector<QualityFlag> find_quality_flags(const NetcdfFile& file, const std::string& variable);

/// Sets values of a box of `variable`, [start, start + count), to NaN where `flag` is bad. The flag
/// may lack dimensions of the variable, and have them in another order.
void remove_bad_values(const NetcdfFile& file, const std::string& variable, const QualityFlag& flag,
                       const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
                       std::vector<double>& values);

}  // namespace tidewise::ingest
