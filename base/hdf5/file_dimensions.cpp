#include <cstdint>
#include <cstring>

#include "base/file/guarded/guarded.h"
#include "base/file/guarded/guarded_reader.h"
#include "base/hdf5/file.h"
#include "base/hdf5/storage.h"

namespace tidewise {
namespace {

/// A use of a dimension scale: an element of its attribute REFERENCE_LIST.
struct ScaleUse {
  hobj_ref_t dataset;
  std::int32_t dimension;
};

/// The memory type of a ScaleUse; an invalid handle if the type in the file does not match.
Hdf5Handle scale_use_type(const Hdf5Handle& stored) {
  if (H5Tget_class(stored.id()) != H5T_COMPOUND) return {};
  const int dataset = H5Tget_member_index(stored.id(), "dataset");
  const int dimension = H5Tget_member_index(stored.id(), "dimension");
  if (dataset < 0 || dimension < 0) return {};
  const Hdf5Handle reference(H5Tget_member_type(stored.id(), static_cast<unsigned>(dataset)),
                             H5Tclose);
  if (H5Tequal(reference.id(), H5T_STD_REF_OBJ) <= 0 ||
      H5Tget_member_class(stored.id(), static_cast<unsigned>(dimension)) != H5T_INTEGER) {
    return {};
  }
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(ScaleUse)), H5Tclose);
  H5Tinsert(type.id(), "dataset", HOFFSET(ScaleUse, dataset), H5T_STD_REF_OBJ);
  H5Tinsert(type.id(), "dimension", HOFFSET(ScaleUse, dimension), H5T_NATIVE_INT32);
  return type;
}

/// The uses of a dimension scale; empty if `scale` is not a dimension scale or not used.
std::vector<ScaleUse> uses_of(const Hdf5Handle& scale) {
  constexpr hssize_t max_count = 1 << 20;
  if (H5Aexists(scale.id(), "REFERENCE_LIST") <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(scale.id(), "REFERENCE_LIST", H5P_DEFAULT), H5Aclose);
  const Hdf5Handle stored(H5Aget_type(attribute.id()), H5Tclose);
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const Hdf5Handle type = scale_use_type(stored);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  if (!type.valid() || count < 1 || count > max_count) return {};
  std::vector<ScaleUse> uses(static_cast<std::size_t>(count));
  if (H5Aread(attribute.id(), type.id(), uses.data()) < 0) return {};
  return uses;
}

bool is_scale(const Hdf5Handle& dataset) {
  if (H5Aexists(dataset.id(), "CLASS") <= 0) return false;
  const Hdf5Handle attribute(H5Aopen(dataset.id(), "CLASS", H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 ||
      H5Sget_simple_extent_npoints(space.id()) != 1) {
    return false;
  }
  std::vector<std::string> texts;
  return read_fixed_attribute(attribute, type, 1, texts) && texts.size() == 1 &&
         texts.front() == "DIMENSION_SCALE";
}

}  // namespace

/// Uses the references of the scales to the variable, because those of the variable to its scales
/// are in HDF5's global heap, where a damaged file crashes the library.
std::vector<std::string> Hdf5File::dimensions(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::dimensions>(variable);
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  std::vector<std::string> names(shape(variable).size());
  if (is_scale(dataset)) {  // a scale has no scales of its own
    if (names.size() == 1) names.front() = variable;
    return names;
  }
  hobj_ref_t target{};
  if (H5Rcreate(&target, file_.id(), variable.c_str(), H5R_OBJECT, H5I_INVALID_HID) < 0)
    return names;
  for (const std::string& scale : variables()) {
    for (const ScaleUse& use : uses_of(open_object(scale))) {
      const auto axis = static_cast<std::size_t>(use.dimension);
      const bool is_target = std::memcmp(&use.dataset, &target, sizeof target) == 0;
      if (is_target && axis < names.size() && names[axis].empty()) names[axis] = scale;
    }
  }
  return names;
}

}  // namespace tidewise
