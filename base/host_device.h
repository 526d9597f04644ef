#pragma once

/// Marks a function that compiles, with the same meaning, for host and device.
#if defined(__CUDACC__)
#define TIDEWISE_HOST_DEVICE __host__ __device__
#else
#define TIDEWISE_HOST_DEVICE
#endif
