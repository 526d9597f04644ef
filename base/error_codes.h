#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

inline constexpr ErrorMessage output_folder_missing{
    "output_folder_missing",
    "{}: cannot be written (the folder {} does not exist); make it first: mkdir -p {}"};
inline constexpr ErrorMessage output_folder_not_folder{
    "output_folder_not_folder", "{}: cannot be written ({} is no folder); choose another place"};
inline constexpr ErrorMessage output_is_folder{
    "output_is_folder", "{}: cannot be written (it is a folder); name a file"};
inline constexpr ErrorMessage output_not_permitted{
    "output_not_permitted", "{}: cannot be written (no permission in {}); choose another place"};
inline constexpr ErrorMessage output_not_regular{
    "output_not_regular",
    "{}: cannot be written (it is no regular file, or has no name); name a file"};
inline constexpr ErrorMessage output_exists{"output_exists",
                                            "{}: is there already; name another file"};
inline constexpr ErrorMessage folder_not_created{
    "folder_not_created", "--out {}: cannot be made a folder ({}); name another"};
inline constexpr ErrorMessage file_unreadable{
    "file_unreadable", "{}: cannot be read ({}); check that it is there and may be read"};
inline constexpr ErrorMessage file_damaged{"file_damaged",
                                           "{}: cannot be read (it is damaged: reading it crashes, "
                                           "takes all memory, or does not end); make it anew"};
inline constexpr ErrorMessage lock_file_foreign{
    "lock_file_foreign",
    "{}: {}, not a lock file of this program; remove it, or choose another place"};
inline constexpr ErrorMessage folder_foreign{
    "folder_foreign",
    "{}: {}, and this program did not make it; remove it, or choose another place"};
inline constexpr ErrorMessage file_missing{"file_missing",
                                           "{}: there is no such file; check the path"};
inline constexpr ErrorMessage file_not_opened{
    "file_not_opened", "{}: cannot be opened for reading ({}); check the path and its permissions"};
inline constexpr ErrorMessage file_is_folder{"file_is_folder",
                                             "{}: is a folder, not a file; name the file in it"};
inline constexpr ErrorMessage file_not_regular{"file_not_regular",
                                               "{}: is no regular file; name one"};
inline constexpr ErrorMessage output_is_input{
    "output_is_input", "{} {}: is the file {}, which is read; name another file"};
inline constexpr ErrorMessage file_read_failed{
    "file_read_failed", "{}: cannot be read ({}); check the disk and its permissions"};
inline constexpr ErrorMessage file_too_large{
    "file_too_large", "{}: has {} bytes, and {} has {} at most; check that it is the right file"};
inline constexpr ErrorMessage vector_length_outside{
    "vector_length_outside",
    "variable {}: has the shape ({}) and needs one dimension of {} to {} values"};
inline constexpr ErrorMessage variable_shape_differs{
    "variable_shape_differs", "variable {}: has the shape ({}) and needs ({}), that is {}"};
inline constexpr ErrorMessage variable_kind_differs{"variable_kind_differs", "variable {}: {}"};
inline constexpr ErrorMessage variable_value_outside{
    "variable_value_outside",
    "variable {}: holds {} at {} of {}, and its values are {:.7g} to {:.7g}{}"};
inline constexpr ErrorMessage not_hdf5{
    "not_hdf5",
    "{}: cannot be read as HDF5 (it is another kind of file, cut short, or damaged); make it anew, "
    "or bring a NetCDF forecast in with 'tidewise env import'"};
inline constexpr ErrorMessage hdf5_variable_unreadable{"hdf5_variable_unreadable",
                                                       "{}: variable {}: {}"};
inline constexpr ErrorMessage nesting_too_deep{
    "nesting_too_deep", "{}:{}: goes more than {} levels deep; write it with fewer"};
inline constexpr ErrorMessage too_many_threads{
    "too_many_threads",
    "{}: {} threads are asked for, and this machine has {} core(s); give at most {}, or leave it "
    "out to take one a core"};

}  // namespace tidewise::errors
