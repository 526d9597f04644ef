#include <cuda_runtime.h>

#include <string>

#include "base/memory/device_report.h"

namespace tidewise {
namespace {

__global__ void do_nothing() {}

/// Clears an error and returns CUDA's message for it.
std::string words_for(cudaError_t status) {
  (void)cudaGetLastError();
  return std::string(cudaGetErrorName(status)) + ", " + cudaGetErrorString(status);
}

DeviceStanding standing_of(cudaError_t status, const DeviceReport& report) {
  if (status == cudaSuccess) {
    return report.count > 0 ? DeviceStanding::usable : DeviceStanding::no_device;
  }
  // CUDA also reports a missing driver as too old.
  if (report.driver_version == 0) return DeviceStanding::no_driver;
  if (status == cudaErrorInsufficientDriver) return DeviceStanding::driver_too_old;
  if (status == cudaErrorNoDevice) return DeviceStanding::no_device;
  return DeviceStanding::failed;
}

}  // namespace

DeviceReport report_devices() {
  DeviceReport report;
  (void)cudaDriverGetVersion(&report.driver_version);
  (void)cudaRuntimeGetVersion(&report.runtime_version);
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess) report.count = count;
  report.standing = standing_of(status, report);
  report.detail = status == cudaSuccess ? "" : words_for(status);
  return report;
}

KernelReport start_device(int device) {
  KernelReport report;
  (void)cudaDeviceGetAttribute(&report.capability_major, cudaDevAttrComputeCapabilityMajor, device);
  (void)cudaDeviceGetAttribute(&report.capability_minor, cudaDevAttrComputeCapabilityMinor, device);
  cudaError_t status = cudaSetDevice(device);
  if (status == cudaSuccess) status = cudaFree(nullptr);  // starts the device
  if (status != cudaSuccess) {
    report.detail = words_for(status);
    return report;
  }
  cudaFuncAttributes attributes{};
  status = cudaFuncGetAttributes(&attributes, do_nothing);
  if (status == cudaSuccess) {
    report.standing = KernelReport::Standing::run;
    return report;
  }
  // The build has code only for newer devices, or PTX that needs a newer driver.
  const bool none_fits = status == cudaErrorNoKernelImageForDevice ||
                         status == cudaErrorUnsupportedPtxVersion ||
                         status == cudaErrorInvalidDeviceFunction;
  report.standing =
      none_fits ? KernelReport::Standing::not_compiled : KernelReport::Standing::failed;
  report.detail = words_for(status);
  return report;
}

}  // namespace tidewise
