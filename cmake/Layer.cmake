# tidewise_precompile(NAME library|program HEADERS... LINK ...): a target whose precompiled headers are
# reused by targets with the same options.
function(tidewise_precompile name kind)
  cmake_parse_arguments(PARSE_ARGV 2 PRECOMPILE "" "" "HEADERS;LINK")
  if(kind STREQUAL "program")  # CMake compiles position-independent code of programs with other options
    add_executable(${name} ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
  else()
    add_library(${name} OBJECT ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
  endif()
  target_link_libraries(${name} PRIVATE tidewise_options fmt::fmt OpenMP::OpenMP_CXX Threads::Threads
                                        ${PRECOMPILE_LINK})
  target_precompile_headers(${name} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled.h ${PRECOMPILE_HEADERS})
endfunction()

# tidewise_layer(NAME [SOURCES ...] [QUICK_SOURCES ...] [CUDA_SOURCES ...] [CUDA_ABSENT x] [LINK ...])
#
# Adds one layer. The compiler finds each layer through an include root of its own
# (build/layers/NAME/NAME -> source/NAME), which reaches other targets only through their links:
# a header of a layer above cannot be included by mistake, because no path leads to it.
#
# QUICK_SOURCES need no optimization (tidewise_quick_build): the target tidewise_NAME_quick compiles them.
#
# CUDA_SOURCES are compiled if there is a CUDA toolkit. Otherwise CUDA_ABSENT defines the functions that
# the rest of the layer calls.
function(tidewise_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;QUICK_SOURCES;CUDA_SOURCES;CUDA_ABSENT;LINK" ${ARGN})
  set(include_root ${CMAKE_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${include_root})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${name} ${include_root}/${name} SYMBOLIC)
  if(TIDEWISE_CUDA)
    list(APPEND LAYER_SOURCES ${LAYER_CUDA_SOURCES})
  else()
    list(APPEND LAYER_SOURCES ${LAYER_CUDA_ABSENT})
  endif()
  add_library(tidewise_${name} STATIC ${LAYER_SOURCES})
  target_include_directories(tidewise_${name} PUBLIC $<BUILD_INTERFACE:${include_root}>)
  target_link_libraries(tidewise_${name} PUBLIC ${LAYER_LINK}
                                         PRIVATE $<BUILD_INTERFACE:tidewise_options>)
  target_precompile_headers(tidewise_${name} REUSE_FROM tidewise_precompiled)
  if(LAYER_QUICK_SOURCES)
    set(quick tidewise_${name}_quick)
    add_library(${quick} OBJECT ${LAYER_QUICK_SOURCES})
    target_include_directories(${quick} PRIVATE ${include_root})
    # Includes the libraries and definitions that the layer's CMakeLists.txt adds later.
    target_link_libraries(${quick} PRIVATE
      $<GENEX_EVAL:$<TARGET_PROPERTY:tidewise_${name},LINK_LIBRARIES>> tidewise_quick_build)
    target_compile_definitions(${quick} PRIVATE $<TARGET_PROPERTY:tidewise_${name},COMPILE_DEFINITIONS>)
    target_precompile_headers(${quick} REUSE_FROM tidewise_precompiled_quick)
    target_sources(tidewise_${name} PRIVATE $<TARGET_OBJECTS:${quick}>)
  endif()
  if(TIDEWISE_CUDA)
    # Links CUDA without its include folders (nvcc finds its headers itself), so that C++ is compiled with the
    # same options as without CUDA and a compiler cache can reuse the objects.
    target_link_libraries(tidewise_${name} PUBLIC $<LINK_ONLY:CUDA::cudart_static>)
  endif()
endfunction()
