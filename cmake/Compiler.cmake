# Compiler settings that every layer shares.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The libraries may become part of a loaded module, such as Python's, and must then hide their symbols.
# In a program the linker removes the indirect calls of such code.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

find_program(CCACHE ccache)
if(CCACHE)
  # ccache must be configured to ignore times and macros for precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(tidewise_options INTERFACE)

# Contraction is off: a fused multiply-add is only allowed as an explicit std::fma, because backends
# must agree to the last bit.
target_compile_options(tidewise_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -fno-math-errno -fno-trapping-math
  -Wall -Wextra -Wpedantic -Wshadow>)
# GCC 12 has false warnings about copies in strings (GCC bug 105651), and prints them for precompiled
# headers, though not for other system headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tidewise_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread>)
endif()
# A precompiled header exceeds the heap size from which GCC collects garbage, so that GCC would collect in every
# file. A higher threshold saves a tenth of a build's time.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  target_compile_options(tidewise_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)
endif()
if(TIDEWISE_WERROR)
  target_compile_options(tidewise_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

# Options of targets that read text, write reports or check results: they need no optimization and take most of
# a build's time. Such targets link this library after tidewise_options.
add_library(tidewise_quick_build INTERFACE)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(tidewise_quick_build INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
endif()

# Minimum processor: x86-64-v3 (AVX2 and FMA, 2013) or any AArch64. Wider vectors are selected at
# run time: base/simd, and for counting separate files (model_builder/CMakeLists.txt).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(TIDEWISE_X86_64 ON)
  target_compile_options(tidewise_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=x86-64-v3>)
endif()

if(TIDEWISE_SANITIZE)
  target_compile_options(tidewise_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer>)
  # GCC defines this macro under the sanitizer; clang 14 does not.
  target_compile_definitions(tidewise_options INTERFACE __SANITIZE_ADDRESS__=1)
  target_link_options(tidewise_options INTERFACE -fsanitize=address,undefined)
endif()
if(TIDEWISE_COVERAGE)
  target_compile_options(tidewise_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--coverage>)
  target_link_options(tidewise_options INTERFACE --coverage)
endif()

if(TIDEWISE_CUDA)
  # A preset or -D may name one architecture to save time; the default serves every card from
  # Turing (7.5) to Blackwell (12.0), and newer ones through PTX.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90-real 100-real 120)
  endif()
  enable_language(CUDA)
  # CMake 3.25 (Debian 12) has no C++20 flag for nvcc 12 and later.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  find_package(CUDAToolkit REQUIRED)
  # 554: View<const T>'s conversion to itself is never called, as intended.
  target_compile_options(tidewise_options INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false --diag-suppress=554 -Xcompiler=-ffp-contract=off,-Wall,-Wextra>)
endif()
