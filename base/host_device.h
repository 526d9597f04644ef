#pragma once

/// Marks a function that must compile, and mean the same, on the host and on a device.
#if defined(__CUDACC__)
#define TIDEWISE_HOST_DEVICE __host__ __device__
#else
#define TIDEWISE_HOST_DEVICE
#endif
