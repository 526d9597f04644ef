#include "env/import/source/joined_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/calendar_time.h"

namespace tidewise::ingest {
namespace {

struct MemberNumbers {
  std::vector<std::vector<std::string>> of_file;  // (file, member)
  std::vector<std::string> all;                   // in the order of the members
  std::string by;
  bool is_by_position = false;  // the files have no labels
};

std::string count_files(std::size_t count) {
  return count == 1 ? std::string() : fmt::format(" of {} files", count);
}

/// Members without labels: numbered by their position in a file, or over all files if these differ
/// in member.
MemberNumbers number_by_position(const std::vector<FileExtent>& files, FilesDiffer differ) {
  const bool continues = differ == FilesDiffer::in_member;
  MemberNumbers numbers;
  numbers.is_by_position = true;
  std::size_t first = 0;
  for (const FileExtent& file : files) {
    auto& labels = numbers.of_file.emplace_back();
    for (std::size_t n = first; n < first + file.member_count; ++n) {
      labels.push_back(fmt::format("{}", n));
      if (n == numbers.all.size()) numbers.all.push_back(labels.back());
    }
    if (continues) first += file.member_count;
  }
  if (continues) {
    numbers.by = fmt::format("{} files of the same times and different values", files.size());
  } else if (numbers.all.size() > 1) {
    numbers.by = files.front().members.by;
  }
  return numbers;
}

MemberNumbers number_by_labels(const std::vector<FileExtent>& files) {
  MemberNumbers numbers;
  const auto labelled = std::find_if(files.begin(), files.end(), [](const FileExtent& file) {
    return !file.members.labels.empty();
  });
  std::set<std::string> distinct;
  for (const FileExtent& file : files) {
    distinct.insert(file.members.labels.begin(), file.members.labels.end());
  }
  const bool all_alike = distinct.size() == labelled->members.labels.size();
  for (const FileExtent& file : files) {
    if (!file.members.labels.empty()) {
      numbers.of_file.push_back(file.members.labels);
    } else if (all_alike && file.member_count == distinct.size()) {
      numbers.of_file.push_back(labelled->members.labels);
    } else {
      throw input_error(errors::member_number_missing, file.path.string(), labelled->path.string(),
                        labelled->members.by);
    }
  }
  numbers.all = labelled->members.labels;
  if (!all_alike) {
    numbers.all.assign(distinct.begin(), distinct.end());
    sort_labels(numbers.all);
    numbers.by = fmt::format("{}{}: {}", labelled->members.by, count_files(files.size()),
                             list_labels(numbers.all));
  } else if (numbers.all.size() > 1) {
    numbers.by = labelled->members.by;
  }
  return numbers;
}

MemberNumbers label_members(const std::vector<FileExtent>& files, FilesDiffer differ) {
  const bool none = std::all_of(files.begin(), files.end(),
                                [](const FileExtent& file) { return file.members.labels.empty(); });
  return none || differ == FilesDiffer::in_member ? number_by_position(files, differ)
                                                  : number_by_labels(files);
}

}  // namespace

bool JoinedFiles::uses(std::size_t file) const {
  return std::any_of(places.begin(), places.end(),
                     [&](const FieldPlace& place) { return place.file == file; });
}

JoinedFiles join_files(const std::vector<FileExtent>& files, FilesDiffer differ) {
  const MemberNumbers members = label_members(files, differ);
  JoinedFiles joined;
  joined.member_count = members.all.size();
  joined.members_by = members.by;
  if (!members.is_by_position) joined.labels = members.all;
  std::map<std::string, std::size_t> number;
  for (std::size_t n = 0; n < members.all.size(); ++n) number[members.all[n]] = n;
  std::map<std::pair<double, std::size_t>, FieldPlace> first_places;  // by time and member
  for (std::size_t n = 0; n < files.size(); ++n) {
    for (std::size_t time = 0; time < files[n].times.size(); ++time) {
      joined.times.push_back(files[n].times[time]);
      for (std::size_t member = 0; member < files[n].member_count; ++member) {
        const FieldPlace place{n, time, member};
        const auto [entry, is_new] = first_places.try_emplace(
            {files[n].times[time], number.at(members.of_file[n][member])}, place);
        if (!is_new) joined.repeated.push_back({entry->second, place});
      }
    }
  }
  std::sort(joined.times.begin(), joined.times.end());
  joined.times.erase(std::unique(joined.times.begin(), joined.times.end()), joined.times.end());
  for (const double time : joined.times) {
    for (std::size_t member = 0; member < joined.member_count; ++member) {
      const auto entry = first_places.find({time, member});
      if (entry != first_places.end()) {
        joined.places.push_back(entry->second);
        continue;
      }
      const auto same_time =
          std::find_if(first_places.begin(), first_places.end(),
                       [&](const auto& candidate) { return candidate.first.first == time; });
      throw input_error(errors::member_time_missing, files[same_time->second.file].path.string(),
                        members.all[same_time->first.second], format_iso_time(time),
                        members.all[member],
                        members.by.empty() ? "" : fmt::format(" (members by the {})", members.by));
    }
  }
  return joined;
}

bool are_unnumbered_twins(const std::vector<FileExtent>& files) {
  return files.size() > 1 && std::all_of(files.begin(), files.end(), [&](const FileExtent& file) {
           return file.members.labels.empty() && !file.times.empty() &&
                  file.times == files.front().times;
         });
}

}  // namespace tidewise::ingest
