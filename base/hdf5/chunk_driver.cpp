#include "base/hdf5/chunk_driver.h"

#include <fcntl.h>
#include <hdf5.h>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <tuple>

namespace tidewise {
namespace {

/// The write of this thread that is to be noted.
thread_local ChunkWrite* noting = nullptr;

bool write_all(int file, std::uint64_t place, std::size_t size, const void* bytes) {
  const auto* from = static_cast<const std::uint8_t*>(bytes);
  while (size > 0) {
    const ssize_t written = ::pwrite(file, from, size, static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    from += written;
    place += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

/// HDF5 knows it by its first member.
struct ChunkFile {
  H5FD_t known;
  int descriptor;
  haddr_t end_of_allocated;
  haddr_t end_of_file;
  struct stat is;
};

ChunkFile& of(H5FD_t* file) { return *reinterpret_cast<ChunkFile*>(file); }
const ChunkFile& of(const H5FD_t* file) { return *reinterpret_cast<const ChunkFile*>(file); }

H5FD_t* open_file(const char* name, unsigned flags, hid_t /*access*/, haddr_t /*most*/) {
  int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
  if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
  constexpr mode_t usual = 0666;
  const int descriptor = ::open(name, mode | O_CLOEXEC, usual);
  if (descriptor < 0) return nullptr;
  auto* file = new (std::nothrow) ChunkFile{};
  if (file == nullptr || ::fstat(descriptor, &file->is) != 0) {
    ::close(descriptor);
    delete file;
    return nullptr;
  }
  file->descriptor = descriptor;
  file->end_of_file = static_cast<haddr_t>(file->is.st_size);
  return &file->known;
}

herr_t close_file(H5FD_t* file) {
  const int status = ::close(of(file).descriptor);
  delete &of(file);
  return status;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const auto key = [](const H5FD_t* file) {
    return std::tuple(of(file).is.st_dev, of(file).is.st_ino);
  };
  return key(a) < key(b) ? -1 : key(b) < key(a) ? 1 : 0;
}

herr_t say_features(const H5FD_t* /*file*/, unsigned long* features) {
  if (features == nullptr) return 0;
  // Those of sec2, so that the same calls give the same bytes.
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE |
              H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_allocated(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return of(file).end_of_allocated;
}
herr_t set_end_of_allocated(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  of(file).end_of_allocated = end;
  return 0;
}
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t /*type*/) { return of(file).end_of_file; }

herr_t give_handle(H5FD_t* file, hid_t /*access*/, void** handle) {
  if (handle == nullptr) return -1;
  *handle = &of(file).descriptor;
  return 0;
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t place,
                  std::size_t size, void* out) {
  auto* to = static_cast<std::uint8_t*>(out);
  while (size > 0) {
    const ssize_t got = ::pread(of(file).descriptor, to, size, static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) {  // zeros are allocated beyond the end
      std::memset(to, 0, size);
      return 0;
    }
    to += got;
    place += static_cast<haddr_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t place,
                   std::size_t size, const void* bytes) {
  ChunkFile& it = of(file);
  if (!ChunkWrite::note(bytes, it.descriptor, place, size) &&
      !write_all(it.descriptor, place, size, bytes)) {
    return -1;
  }
  it.end_of_file = std::max(it.end_of_file, place + size);
  return 0;
}

herr_t cut_off(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  ChunkFile& it = of(file);
  if (it.end_of_allocated == it.end_of_file) return 0;
  if (::ftruncate(it.descriptor, static_cast<off_t>(it.end_of_allocated)) != 0) return -1;
  it.end_of_file = it.end_of_allocated;
  return 0;
}

/// Newer versions of HDF5 ask which version of the class this is, and for a number of its own.
template <class Class>
void number(Class& driver) {
  if constexpr (requires { driver.version; }) {
    constexpr int not_registered = 511;  // the last of those that are for such use
    driver.version = 1;
    driver.value = not_registered;
  }
}

hid_t register_driver() {
  static H5FD_class_t driver = {};
  constexpr H5FD_mem_t places[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  number(driver);
  driver.name = "chunk_driver";
  driver.maxaddr = (haddr_t{1} << 63) - 1;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.open = open_file;
  driver.close = close_file;
  driver.cmp = compare;
  driver.query = say_features;
  driver.get_eoa = end_of_allocated;
  driver.set_eoa = set_end_of_allocated;
  driver.get_eof = end_of_file;
  driver.get_handle = give_handle;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = cut_off;
  std::copy(std::begin(places), std::end(places), std::begin(driver.fl_map));
  return H5FDregister(&driver);
}

}  // namespace

void use_chunk_driver(const Hdf5Handle& access) {
  static const hid_t driver = register_driver();
  H5Pset_driver(access.id(), driver, nullptr);
}

ChunkWrite::ChunkWrite(const void* bytes) : bytes_(bytes) { noting = this; }

ChunkWrite::~ChunkWrite() { end(); }

void ChunkWrite::end() {
  if (noting == this) noting = nullptr;
}

bool ChunkWrite::note(const void* bytes, int file, std::uint64_t place, std::size_t size) {
  if (noting == nullptr || noting->bytes_ != bytes) return false;
  noting->file_ = file;
  noting->place_ = place;
  noting->size_ = size;
  return true;
}

bool ChunkWrite::write() const { return file_ < 0 || write_all(file_, place_, size_, bytes_); }

}  // namespace tidewise
