#include "learning/track/table/date_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "env/units/text.h"

namespace tidewise {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Removes and returns the digits at the beginning of a text.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

int number_of(std::string_view digits) {
  int number = 0;
  for (const char c : digits) number = 10 * number + (c - '0');
  return number;
}

bool is_month_and_day(std::string_view month, std::string_view day) {
  return month.size() <= 2 && day.size() <= 2 && number_of(month) >= 1 && number_of(month) <= 12 &&
         number_of(day) >= 1 && number_of(day) <= 31;
}

bool is_year(std::string_view year) {
  return year.size() == 4 && number_of(year) >= 1900 && number_of(year) < 2200;
}

/// True for a time of day, "06:00" or "06:00:30.5", with an optional "Z", "UTC", "+02:00" or "PM".
bool begins_with_clock(std::string_view text) {
  const std::string_view hour = take_digits(text);
  if (hour.empty() || hour.size() > 2 || number_of(hour) > 24 || !take(text, ':')) return false;
  const std::string_view minute = take_digits(text);
  return minute.size() == 2 && number_of(minute) < 60 && (text.empty() || !is_digit(text.front()));
}

bool has_month_name(const std::string& text) {
  constexpr std::array months{"jan", "feb", "mar", "apr", "may", "jun",
                              "jul", "aug", "sep", "oct", "nov", "dec"};
  constexpr std::array full{"january", "february", "march",     "april",   "may",      "june",
                            "july",    "august",   "september", "october", "november", "december"};
  const std::string lower = lower_case(text);
  for (std::size_t begin = 0; begin < lower.size();) {
    std::size_t end = begin;
    while (end < lower.size() && std::isalpha(static_cast<unsigned char>(lower[end])) != 0) ++end;
    const std::string word = lower.substr(begin, end - begin);
    if (std::find(months.begin(), months.end(), word) != months.end() ||
        std::find(full.begin(), full.end(), word) != full.end()) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

/// The three numbers of a date with one separator, and the text after them.
struct ThreeNumbers {
  std::string_view first, second, third, rest;
};

bool split_date(std::string_view text, ThreeNumbers& numbers) {
  numbers.first = take_digits(text);
  if (numbers.first.empty() || text.empty()) return false;
  const char separator = text.front();
  if (separator != '-' && separator != '/' && separator != '.') return false;
  text.remove_prefix(1);
  numbers.second = take_digits(text);
  if (numbers.second.empty() || !take(text, separator)) return false;
  numbers.third = take_digits(text);
  numbers.rest = text;
  return !numbers.third.empty();
}

bool separates_clock(char c) { return c == 'T' || c == 't' || c == ' '; }

/// Inserts "-" and ":" into a text such as "20250301T060030Z"; empty for other text.
std::string spread_digits(const std::string& text) {
  std::string_view rest = text;
  const std::string_view digits = take_digits(rest);
  if (digits.size() == 8 && !rest.empty() && separates_clock(rest.front())) {
    rest.remove_prefix(1);
    const std::string date = date_of_digits(std::string(digits));
    if (begins_with_clock(rest)) return date.empty() ? "" : fmt::format("{}T{}", date, rest);
    const std::string clock = clock_of_digits(std::string(take_digits(rest)));
    return date.empty() || clock.empty() ? "" : fmt::format("{}T{}{}", date, clock, rest);
  }
  if ((digits.size() != 12 && digits.size() != 14) || !rest.empty()) return "";
  const std::string date = date_of_digits(std::string(digits.substr(0, 8)));
  const std::string clock = clock_of_digits(std::string(digits.substr(8)));
  return date.empty() || clock.empty() ? "" : fmt::format("{}T{}", date, clock);
}

}  // namespace

bool is_blank(const std::string& text) {
  constexpr std::array words{"", "nan", "na", "n/a", "nat", "null", "none", "-", "--"};
  const std::string lower = lower_case(trimmed(text));
  return std::find(words.begin(), words.end(), lower) != words.end();
}

DateText date_text_of(const std::string& cell) {
  const std::string text = trimmed(cell);
  if (text.empty()) return DateText::none;
  if (begins_with_clock(text)) return DateText::clock;
  if (!spread_digits(text).empty()) return DateText::date_and_clock;
  ThreeNumbers date;
  if (!split_date(text, date)) {
    const bool has_digits = std::any_of(text.begin(), text.end(), is_digit);
    return has_digits && has_month_name(text) ? DateText::other_date : DateText::none;
  }
  const bool has_clock = date.rest.size() > 1 && separates_clock(date.rest.front());
  if (is_year(date.first) && is_month_and_day(date.second, date.third)) {
    return has_clock ? DateText::date_and_clock : DateText::date;
  }
  const bool ends_in_year =
      is_year(date.third) || (date.third.size() == 2 && has_clock && date.first.size() <= 2);
  const bool is_other = ends_in_year && (is_month_and_day(date.first, date.second) ||
                                         is_month_and_day(date.second, date.first));
  return is_other ? DateText::other_date : DateText::none;
}

std::string iso_text(const std::string& cell) {
  std::string text = trimmed(cell);
  if (std::string spread = spread_digits(text); !spread.empty()) return spread;
  ThreeNumbers date;
  if (!split_date(text, date) || !is_year(date.first)) return text;
  text[date.first.size()] = '-';
  text[date.first.size() + 1 + date.second.size()] = '-';
  return text;
}

std::string date_of_digits(const std::string& text) {
  if (text.size() != 8 || !std::all_of(text.begin(), text.end(), is_digit)) return "";
  const std::string year = text.substr(0, 4);
  const std::string month = text.substr(4, 2);
  const std::string day = text.substr(6);
  if (!is_year(year) || !is_month_and_day(month, day)) return "";
  return fmt::format("{}-{}-{}", year, month, day);
}

std::string clock_of_digits(const std::string& text) {
  if (text.size() > 6 || text.size() < 3 || !std::all_of(text.begin(), text.end(), is_digit)) {
    return "";
  }
  const std::string padded = text.size() % 2 == 0 ? text : "0" + text;  // spreadsheets drop zeros
  const std::string hour = padded.substr(0, 2);
  const std::string minute = padded.substr(2, 2);
  const std::string second = padded.size() == 6 ? padded.substr(4) : "00";
  if (number_of(hour) > 23 || number_of(minute) > 59 || number_of(second) > 59) return "";
  return fmt::format("{}:{}:{}", hour, minute, second);
}

}  // namespace tidewise
