# Sets NAME to a file's bytes as C++ literals of 64 bytes each, which compilers and readers can handle.
function(read_as_literals file name)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(REGEX REPLACE "((\\\\x..)(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?)" "\"\\1\"\n" bytes "${bytes}")
  set(${name} "${bytes}\"\"sv" PARENT_SCOPE)
endfunction()
