# cmake -D OUT=FILE -D FOLDER=DIR -D SCRIPTS=NAME,NAME… -D DATA=DIR -P EmbedPage.cmake
#
# Writes a C++ file that holds the parts of a page as text (output/view/page_parts.h), with the hashes
# that its Content-Security-Policy names.
include(${CMAKE_CURRENT_LIST_DIR}/ByteLiterals.cmake)
file(READ ${FOLDER}/page.html html)
file(READ ${FOLDER}/page.css css)
string(REPLACE "," ";" SCRIPTS ${SCRIPTS})
set(script "(() => {\n\"use strict\";\n")
foreach(name IN LISTS SCRIPTS)
  file(READ ${FOLDER}/${name} part)
  string(APPEND script "${part}")
endforeach()
string(APPEND script "})();\n")
string(REGEX REPLACE "\n *//[^\n]*" "" script "${script}")  # comments of whole lines
string(REGEX REPLACE "\n\n+" "\n" script "${script}")
string(SHA256 css_sha256 "${css}")
string(SHA256 script_sha256 "${script}")
set(text "#include \"output/view/page_parts.h\"\n\nnamespace tidewise {\n\n")
foreach(part IN ITEMS html css css_sha256 script script_sha256)
  string(APPEND text
    "const std::string_view page_${part} = R\"__page__(${${part}})__page__\";\n")
endforeach()
string(APPEND text "using namespace std::string_view_literals;\n")
foreach(part IN ITEMS coastline depth_200 depth_1000 names)
  read_as_literals(${DATA}/${part}.bin bytes)
  string(APPEND text "const std::string_view page_${part} =\n${bytes};\n")
endforeach()
string(APPEND text "\n}  // namespace tidewise\n")
file(WRITE ${OUT} "${text}")
