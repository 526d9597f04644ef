# tidewise_layer(NAME [SOURCES ...] [CUDA_SOURCES ...] [CUDA_ABSENT x] [LINK ...])
#
# One layer of the house. Each layer is found by the compiler through an include root of its own
# (build/layers/NAME/NAME -> source/NAME), which reaches other targets only through their links:
# a header of a layer above cannot be included by mistake, because no path leads to it.
#
# CUDA_SOURCES are compiled with a CUDA toolkit, and CUDA_ABSENT, which defines what the rest of the
# layer calls of them, without one.
function(tidewise_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;CUDA_SOURCES;CUDA_ABSENT;LINK" ${ARGN})
  set(include_root ${CMAKE_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${include_root})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${name} ${include_root}/${name} SYMBOLIC)
  if(TIDEWISE_CUDA)
    list(APPEND LAYER_SOURCES ${LAYER_CUDA_SOURCES})
  else()
    list(APPEND LAYER_SOURCES ${LAYER_CUDA_ABSENT})
  endif()
  add_library(tidewise_${name} STATIC ${LAYER_SOURCES})
  # Eight files are compiled together: the same eight with a CUDA toolkit and without, so that ccache
  # knows them again. What stands in for something absent is by itself.
  set_target_properties(tidewise_${name} PROPERTIES UNITY_BUILD_MODE GROUP)
  set(count 0)
  foreach(source IN LISTS LAYER_SOURCES)
    if(source IN_LIST LAYER_CUDA_ABSENT OR source MATCHES "_(absent|nonccl)\\.cpp$")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP absent)
    elseif(source MATCHES "\\.cpp$")
      math(EXPR group "${count} / 8")
      math(EXPR count "${count} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  # Kernels are compiled one file at a time, whatever CMake could do.
  set(kernels ${LAYER_SOURCES})
  list(FILTER kernels INCLUDE REGEX "\\.cu$")
  set_source_files_properties(${kernels} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(tidewise_${name} PUBLIC $<BUILD_INTERFACE:${include_root}>)
  target_link_libraries(tidewise_${name} PUBLIC ${LAYER_LINK}
                                         PRIVATE $<BUILD_INTERFACE:tidewise_options>)
  if(TIDEWISE_CUDA)
    target_link_libraries(tidewise_${name} PUBLIC CUDA::cudart_static)
  endif()
endfunction()
