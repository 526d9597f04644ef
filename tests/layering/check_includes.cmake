# cmake -D SOURCE=<folder> -P check_includes.cmake
# Fails when a source file includes a header of a layer above its own, or reaches out of its folder
# with "..", whether by quotes or by angle brackets.

set(layers base env model_builder solver output bench app)  # from the ground up

set(breaches 0)
set(files_read 0)
foreach(layer IN LISTS layers)
  list(FIND layers ${layer} own_floor)
  file(GLOB_RECURSE sources RELATIVE ${SOURCE}
       ${SOURCE}/${layer}/*.h ${SOURCE}/${layer}/*.cpp ${SOURCE}/${layer}/*.cu
       ${SOURCE}/${layer}/*.cuh)
  foreach(source IN LISTS sources)
    math(EXPR files_read "${files_read} + 1")
    file(READ ${SOURCE}/${source} text)
    # Brackets and semicolons mean something to CMake's lists; no include needs them.
    string(REGEX REPLACE "[][;]" " " text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    set(number 0)
    foreach(line IN LISTS lines)
      math(EXPR number "${number} + 1")
      if(NOT line MATCHES "^[ \t]*#[ \t]*include[ \t]*[\"<]([^\">]+)[\">]")
        continue()
      endif()
      set(header ${CMAKE_MATCH_1})
      string(REGEX MATCH "^[^/]+" first ${header})
      list(FIND layers "${first}" floor)
      if(header MATCHES "(^|/)\\.\\.(/|$)" OR (header MATCHES "/" AND floor GREATER own_floor))
        math(EXPR breaches "${breaches} + 1")
        message("${source}:${number}: ${layer} includes '${header}'; a layer may include "
                "only itself and those before it: ${layers}")
      endif()
    endforeach()
  endforeach()
endforeach()

if(files_read EQUAL 0)
  message(FATAL_ERROR "no sources under ${SOURCE}: nothing was checked")
elseif(breaches GREATER 0)
  message(FATAL_ERROR "${breaches} includes point upwards")
endif()
message("${files_read} files, no include points upwards")
