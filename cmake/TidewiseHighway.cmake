# Tidewise::highway, for Tidewise's own build and for projects that link its installed libraries. Highway's
# library chooses among processors at run time. With only its headers, code is compiled for the
# minimum processor.
find_path(HIGHWAY_INCLUDE_DIR hwy/highway.h REQUIRED)
find_library(HIGHWAY_LIBRARY hwy)
if(NOT TARGET Tidewise::highway)
  add_library(Tidewise::highway INTERFACE IMPORTED GLOBAL)
  target_include_directories(Tidewise::highway SYSTEM INTERFACE ${HIGHWAY_INCLUDE_DIR})
  if(HIGHWAY_LIBRARY)
    target_link_libraries(Tidewise::highway INTERFACE ${HIGHWAY_LIBRARY})
  else()
    target_compile_definitions(Tidewise::highway INTERFACE HWY_COMPILE_ONLY_STATIC)
  endif()
endif()
