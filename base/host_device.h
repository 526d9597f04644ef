#pragma once

/// Marks a function that must compile, and mean the same, on the host and on a device.
#if defined(__CUDACC__)
#define TIDEWISE_HOST_DEVICE __host__ __device__
#else
#define TIDEWISE_HOST_DEVICE
#endif

/// Keeps a rare path out of its caller: a kernel's registers are those of its largest piece.
#if defined(__CUDACC__)
#define TIDEWISE_NO_INLINE __noinline__
#else
#define TIDEWISE_NO_INLINE
#endif
