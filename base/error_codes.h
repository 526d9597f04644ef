#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(output_folder_not_folder,
               "{}: cannot be written ({} is no folder); choose another place");
TIDEWISE_ERROR(output_is_folder, "{}: cannot be written (it is a folder); name a file");
TIDEWISE_ERROR(output_not_permitted,
               "{}: cannot be written (no permission in {}); choose another place");
TIDEWISE_ERROR(output_not_regular,
               "{}: cannot be written (it is no regular file, or has no name); name a file");
TIDEWISE_ERROR(output_exists, "{}: is there already; name another file");
TIDEWISE_ERROR(folder_not_created, "--out {}: cannot be made a folder ({}); name another");
TIDEWISE_ERROR(file_unreadable, "{}: cannot be read ({}); check that it is there and may be read");
TIDEWISE_ERROR(file_damaged,
               "{}: cannot be read (it is damaged: reading it crashes, takes all memory, or does "
               "not end); make it anew");
TIDEWISE_ERROR(file_claims_too_much,
               "{}: claims more than it can hold (it is damaged); make it anew");
TIDEWISE_ERROR(lock_file_foreign,
               "{}: {}, not a lock file of this program; remove it, or choose another place");
TIDEWISE_ERROR(folder_foreign,
               "{}: {}, and this program did not make it; remove it, or choose another place");
TIDEWISE_ERROR(file_missing, "{}: there is no such file; check the path");
TIDEWISE_ERROR(file_not_opened,
               "{}: cannot be opened for reading ({}); check the path and its permissions");
TIDEWISE_ERROR(file_is_folder, "{}: is a folder, not a file; name the file in it");
TIDEWISE_ERROR(file_not_regular, "{}: is no regular file; name one");
TIDEWISE_ERROR(output_is_input, "{} {}: is the file {}, which is read; name another file");
TIDEWISE_ERROR(file_read_failed, "{}: cannot be read ({}); check the disk and its permissions");
TIDEWISE_ERROR(file_too_large,
               "{}: has {} bytes, and {} has {} at most; check that it is the right file");
TIDEWISE_ERROR(vector_length_outside,
               "variable {}: has the shape ({}) and needs one dimension of {} to {} values");
TIDEWISE_ERROR(variable_shape_differs,
               "variable {}: has the shape ({}) and needs ({}), that is {}");
TIDEWISE_ERROR(variable_kind_differs, "variable {}: {}");
TIDEWISE_ERROR(variable_value_outside,
               "variable {}: holds {} at {} of {}, and its values are {:.7g} to {:.7g}{}");
TIDEWISE_ERROR(not_hdf5,
               "{}: cannot be read as HDF5 (it is another kind of file, cut short, or damaged); "
               "make it anew, or bring a NetCDF forecast in with 'tidewise env import'");
TIDEWISE_ERROR(hdf5_variable_unreadable, "{}: variable {}: {}");
TIDEWISE_ERROR(nesting_too_deep, "{}:{}: goes more than {} levels deep; write it with fewer");
TIDEWISE_ERROR(too_many_threads,
               "{}: {} threads are asked for, and this machine has {} core(s); give at most {}, or "
               "leave it out to take one a core");

}  // namespace tidewise::errors
