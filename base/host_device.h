#pragma once

/// Marks a function that must compile, and mean the same, on the host and on a device.
#if defined(__CUDACC__)
#define TIDEWISE_HOST_DEVICE __host__ __device__
/// Marks one that kernels seldom call, and whose registers they are not to pay for.
#define TIDEWISE_SELDOM __noinline__
#else
#define TIDEWISE_HOST_DEVICE
#define TIDEWISE_SELDOM
#endif
