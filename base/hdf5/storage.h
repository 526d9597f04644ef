#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "base/hdf5/handle.h"

namespace tidewise {

// Shared by the parts of Hdf5File; only for base/hdf5.

/// End of messages about damaged files.
constexpr const char* hdf5_damaged =
    "cannot be read (the file is cut short or damaged); make it again";

/// The type of such numbers in memory.
hid_t native_type(NumberType type);
/// Size of an element [B].
std::size_t size_of(NumberType type);
/// Size of all elements of a box [B].
std::uint64_t size_of(const Extents& box, NumberType type);
/// The extents in HDF5's type.
std::vector<hsize_t> to_hsize(const Extents& extents);
/// A dataspace of these extents; a scalar for none.
Hdf5Handle dataspace(const Extents& extents);
/// The shape of the chunks of a dataset with these creation properties; empty if not chunked.
Extents chunk_of(const Hdf5Handle& creation);
/// Properties of a new dataset: creation order, as NetCDF-4 requires, and no time stamps, so that
/// equal content gives equal bytes.
Hdf5Handle dataset_properties();
/// Sets the shape and the filters of chunks, each with a checksum. Does nothing for a scalar or if
/// there are no values.
void set_storage(const Hdf5Handle& properties, const Extents& extents, std::size_t element_size,
                 const Hdf5Storage& storage);
/// Splits `bytes` into texts of one length, and appends them.
void cut_texts(const std::string& bytes, std::size_t length, std::vector<std::string>& texts);
/// Reads an attribute of `count` strings of one length. False if they cannot be read.
bool read_fixed_attribute(const Hdf5Handle& attribute, const Hdf5Handle& type, std::size_t count,
                          std::vector<std::string>& texts);

}  // namespace tidewise
