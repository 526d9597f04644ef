#pragma once

#include <cstddef>
#include <string>

namespace tidewise {

/// One of the parts that processes without a coordinator divide a batch into, for example the
/// third of eight.
struct BatchPart {
  std::size_t number = 1;  ///< 1 … count
  std::size_t count = 1;
};

/// Parses "3/8", or "slurm" for this process's task of a Slurm array. Errors: InputError.
BatchPart parse_part(const std::string& text);

/// Text of a part, such as "3 of 8".
std::string describe(const BatchPart& part);

}  // namespace tidewise
