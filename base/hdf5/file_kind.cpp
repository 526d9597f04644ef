#include "base/hdf5/file_kind.h"

#include <utility>

#include "base/error.h"
#include "base/hdf5/file.h"

namespace tidewise {
namespace {

template <class Has>
FileKind kind_of(std::string name, Has has) {
  return {std::move(name), [has = std::move(has)](const std::filesystem::path& path) {
            try {
              return has(Hdf5File::open(path));
            } catch (const InputError&) {  // not HDF5, or damaged
              return false;
            }
          }};
}

}  // namespace

FileKind hdf5_kind(std::string name, std::string mark) {
  return kind_of(std::move(name), [mark = std::move(mark)](const Hdf5File& file) {
    return file.number_attribute("/", mark).has_value();
  });
}

FileKind hdf5_kind_by_variable(std::string name, std::string variable) {
  return kind_of(std::move(name), [variable = std::move(variable)](const Hdf5File& file) {
    return file.has(variable);
  });
}

}  // namespace tidewise
