#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(output_folder_not_folder,
               "{}: cannot be written ({} is not a folder); choose another path");
TIDEWISE_ERROR(output_is_folder, "{}: cannot be written (it is a folder); name a file");
TIDEWISE_ERROR(output_not_permitted,
               "{}: cannot be written (no permission in {}); choose another path");
TIDEWISE_ERROR(output_not_regular,
               "{}: cannot be written (it is not a regular file, or has no name); name a file");
TIDEWISE_ERROR(output_exists, "{}: already exists; name another file");
TIDEWISE_ERROR(folder_not_created, "--out {}: cannot be created ({}); name another folder");
TIDEWISE_ERROR(file_unreadable, "{}: cannot be read ({}); check path and permissions");
TIDEWISE_ERROR(file_damaged,
               "{}: cannot be read (it is damaged: reading it crashes, takes all memory, or does "
               "not end); make it again");
TIDEWISE_ERROR(file_claims_too_much,
               "{}: declares more data than it can hold (it is damaged); make it again");
TIDEWISE_ERROR(lock_file_foreign,
               "{}: {}, not a lock file of this program; remove it, or choose another path");
TIDEWISE_ERROR(folder_foreign,
               "{}: {}, and this program did not make it; remove it, or choose another path");
TIDEWISE_ERROR(file_missing, "{}: there is no such file; check the path");
TIDEWISE_ERROR(file_not_opened,
               "{}: cannot be opened for reading ({}); check the path and its permissions");
TIDEWISE_ERROR(file_is_folder, "{}: is a folder, not a file; name the file in it");
TIDEWISE_ERROR(file_not_regular, "{}: is not a regular file; name a regular file");
TIDEWISE_ERROR(output_is_input, "{} {}: is the input file {}; name another file");
TIDEWISE_ERROR(file_read_failed, "{}: cannot be read ({}); check the disk and the permissions");
TIDEWISE_ERROR(file_too_large,
               "{}: has {} bytes, but {} has at most {}; check that it is the right file");
TIDEWISE_ERROR(vector_length_outside,
               "variable {}: has the shape ({}); it needs one dimension of {} to {} values");
TIDEWISE_ERROR(variable_shape_differs,
               "variable {}: has the shape ({}); it needs ({}), that is {}");
TIDEWISE_ERROR(variable_kind_differs, "variable {}: {}");
TIDEWISE_ERROR(variable_value_outside,
               "variable {}: holds {} at {} of {}; its values must be {:.7g} to {:.7g}{}");
TIDEWISE_ERROR(not_hdf5,
               "{}: cannot be read as HDF5 (it is another kind of file, cut short, or damaged); "
               "make it again, or convert a NetCDF forecast with 'tidewise env import'");
TIDEWISE_ERROR(hdf5_variable_unreadable, "{}: variable {}: {}");
TIDEWISE_ERROR(nesting_too_deep, "{}:{}: has more than {} nested levels; use fewer");
TIDEWISE_ERROR(
    too_many_threads,
    "{}: {} threads were requested, but this machine has {} core(s); give at most {}, or "
    "omit it for one thread per core");

}  // namespace tidewise::errors
