# Writes OUT, a source that holds files of FOLDER as they are: FILES, with commas between their names.
string(REPLACE "," ";" files "${FILES}")
set(text "#include \"app/example/files.h\"\n\nnamespace tidewise {\n\n")
string(APPEND text "const std::vector<ExampleFile>& example_files() {\n  using namespace std::string_view_literals;\n")
string(APPEND text "  static const std::vector<ExampleFile> files{\n")
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} bytes HEX)
  # A literal for each 64 bytes, for compilers' and readers' sake.
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(REGEX REPLACE "((\\\\x..)(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?)" "\"\\1\"\n" bytes "${bytes}")
  string(APPEND text "      {\"${file}\",\n${bytes}\"\"sv},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n\n}  // namespace tidewise\n")
file(WRITE ${OUT} "${text}")
