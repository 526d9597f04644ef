#pragma once

#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/file/writer.h"

namespace tidewise {

/// The CF grid mapping that a variable names, else that of the name "crs"; empty where the file has
/// neither.
GridMapping read_grid_mapping(const Hdf5File& file, const std::string& variable);

/// Writes it as the scalar variable "crs", which `variables` name then; nothing where it is empty.
void write_grid_mapping(Hdf5File& file, const GridMapping& mapping,
                        const std::vector<std::string>& variables);

/// Attributes by which HDF5 and NetCDF keep house; CF's own begin with a letter, too, but not
/// these.
bool is_housekeeping(std::string_view attribute);

/// An attribute's text or numbers, given to `take`; others are left out.
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
