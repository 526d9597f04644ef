#pragma once

#include <string>

namespace tidewise {

/// Availability of GPUs.
enum class DeviceStanding {
  usable,          ///< at least one GPU can be used
  not_compiled,    ///< this build holds no CUDA
  no_driver,       ///< no driver is installed
  driver_too_old,  ///< the driver is older than the CUDA version of this build
  no_device,       ///< the driver finds no GPU
  failed           ///< another error: `detail` has CUDA's message
};

/// GPUs of this machine and CUDA versions.
struct DeviceReport {
  DeviceStanding standing = DeviceStanding::not_compiled;
  int count = 0;           ///< number of GPUs, 0 unless usable
  int driver_version = 0;  ///< CUDA version of the driver, 1000 · major + 10 · minor; 0: no driver
  int runtime_version = 0;  ///< CUDA version of this build; 0: none
  std::string detail = {};
};

/// Determines the report. Throws nothing and starts no device.
DeviceReport report_devices();

/// Result of starting this build's kernels on a device.
struct KernelReport {
  enum class Standing {
    run,           ///< the kernels run
    not_compiled,  ///< this build has no code for the device's compute capability
    failed         ///< the device cannot be started: `detail` has CUDA's message
  };
  Standing standing = Standing::failed;
  int capability_major = 0;  ///< compute capability of the device, e.g. 9 and 0 for a Hopper GPU
  int capability_minor = 0;
  std::string detail = {};
};

/// Starts `device`, which takes some tenths of a second, makes it the current one of this thread,
/// and loads an empty kernel. Throws nothing. Requires 0 <= device < device_count().
KernelReport start_device(int device);

}  // namespace tidewise
