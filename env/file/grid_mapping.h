#pragma once

#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/file/writer.h"

namespace tidewise {

/// Returns the CF grid mapping that a variable names, else the one named "crs"; empty if the file
/// has neither.
GridMapping read_grid_mapping(const Hdf5File& file, const std::string& variable);

/// Writes `mapping` as the scalar variable "crs" and names it in the attribute grid_mapping of
/// `variables`. Does nothing if `mapping` is empty.
void write_grid_mapping(Hdf5File& file, const GridMapping& mapping,
                        const std::vector<std::string>& variables);

/// True for attributes that the HDF5 and NetCDF libraries themselves write.
bool is_housekeeping(std::string_view attribute);

/// Calls `take` with an attribute's text or numbers; skips attributes of other types.
template <class Take>
void read_attribute(const Hdf5File& file, const std::string& variable, const std::string& name,
                    const Take& take) {
  if (const auto text = file.text_attribute(variable, name)) {
    take(*text);
  } else if (auto numbers = file.number_attributes(variable, name); !numbers.empty()) {
    take(std::move(numbers));
  }
}

}  // namespace tidewise
