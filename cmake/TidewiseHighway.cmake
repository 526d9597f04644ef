# Tidewise::highway, for Tidewise's own build and for those who link what it has installed. Highway's
# library chooses among processors at run time. With its headers alone there is one to choose from: the
# least processor.
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
