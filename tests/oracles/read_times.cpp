// Prints times of NetCDF axes as the import reads them; test_calendars.py compares them with
// cftime's. A line of the input is CALENDAR;UNITS;VALUE. A line of the output is the time in
// seconds since 1970, or "refused: " and the reason.

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "base/error.h"
#include "env/units/calendar_time.h"

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto units = line.find(';') + 1;
    const auto value = line.rfind(';') + 1;
    try {
      const tidewise::TimeUnits axis(line.substr(units, value - 1 - units),
                                     line.substr(0, units - 1));
      std::cout << fmt::format("{:.0f}\n", axis.to_seconds(std::strtod(&line[value], nullptr)));
    } catch (const tidewise::InputError& error) {
      std::cout << "refused: " << error.what() << '\n';
    }
  }
  return 0;
}
