#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "env/import/file/netcdf/netcdf_file.h"

namespace tidewise::ingest {

/// A variable whose values grade those of another one.
///
/// The meaning of a value comes from flag_meanings with flag_values or flag_masks (CF). Without
/// them bad_flags are bad. A value without a meaning that is known here is not bad.
class QualityFlag {
 public:
  QualityFlag(const NetcdfFile& file, std::string variable);

  const std::string& variable() const { return variable_; }
  /// `flag`: a number, or of characters a digit's number and another character's code.
  bool is_bad(double flag) const;
  /// The values that are bad: "3 (probably_bad), 4 (bad)".
  const std::string& bad_values() const { return bad_values_; }
  /// Meanings that are neither good nor bad here: "wind_from_model"; empty for none.
  const std::string& unknown_meanings() const { return unknown_meanings_; }

 private:
  struct Grade {
    std::uint64_t mask = 0;  ///< bits that count; 0: the number as it is
    double value = 0;
    bool is_bad = false;
  };

  std::string variable_;
  std::vector<Grade> grades_;
  std::string bad_values_;
  std::string unknown_meanings_;
};

/// The flags of quality of `variable`: those among its ancillary_variables, those called by its
/// name (u_qc, flag_u, …) or by its standard_name with "status_flag", and one for the whole field
/// (QCflag, quality_flag, …). Errors: InputError for one that lies on other dimensions.
std::vector<QualityFlag> find_quality_flags(const NetcdfFile& file, const std::string& variable);

/// Makes values of a box of `variable`, [start, start + count), missing that `flag` grades as bad.
/// A flag may lack dimensions of the variable, and have them in another order.
void take_out_bad(const NetcdfFile& file, const std::string& variable, const QualityFlag& flag,
                  const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
                  std::vector<double>& values);

}  // namespace tidewise::ingest
