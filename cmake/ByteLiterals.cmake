# Sets NAME to a file's bytes as C++ literals, one for each 64 bytes, for compilers' and readers' sake.
function(read_as_literals file name)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(REGEX REPLACE "((\\\\x..)(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?(\\\\x..)?)" "\"\\1\"\n" bytes "${bytes}")
  set(${name} "${bytes}\"\"sv" PARENT_SCOPE)
endfunction()
