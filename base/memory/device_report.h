#pragma once

#include <string>

namespace tidewise {

/// What lies between this program and a GPU.
enum class DeviceStanding {
  usable,          ///< there is one at least
  not_compiled,    ///< this build holds no CUDA
  no_driver,       ///< none is installed
  driver_too_old,  ///< for the CUDA that this build was made with
  no_device,       ///< the driver sees none
  failed           ///< anything else: `detail` has CUDA's words
};

/// What this machine and this build have to say about GPUs.
struct DeviceReport {
  DeviceStanding standing = DeviceStanding::not_compiled;
  int count = 0;           ///< GPUs, 0 unless usable
  int driver_version = 0;  ///< CUDA that the driver serves, 1000 · major + 10 · minor; 0: no driver
  int runtime_version = 0;  ///< CUDA that this build was made with; 0: none
  std::string detail = {};
};

/// Looks, and throws nothing. Starts no device.
DeviceReport report_devices();

/// Whether the kernels of this build run on a device.
struct KernelReport {
  enum class Standing {
    run,           ///< they do
    not_compiled,  ///< this build holds none for the device's compute capability
    failed         ///< the device cannot be started: `detail` has CUDA's words
  };
  Standing standing = Standing::failed;
  int capability_major = 0;  ///< of the device, e.g. 9 and 0 of a Hopper GPU
  int capability_minor = 0;
  std::string detail = {};
};

/// Starts `device`, which takes some tenths of a second, makes it the current one of this thread,
/// and loads a kernel that does nothing. Throws nothing. Requires 0 <= device < device_count().
KernelReport start_device(int device);

}  // namespace tidewise
