#pragma once

#include <string>
#include <vector>

#include "env/import/fineness.h"
#include "env/import/import_forecast.h"
#include "env/import/import_plan.h"

namespace tidewise::ingest {

/// Facts found during an import, for texts in the file and on the screen.
struct ImportFindings : FlowFineness {
  std::string u, v;             ///< variables of the velocity
  std::string how_chosen;       ///< "found by known names" or the like
  std::string members_by;       ///< "dimension number" or the like; "" for one member
  std::string source_text;      ///< title, source and institution of the first file
  double greatest_stretch = 0;  ///< greatest relative error of lengths on the plane
  double land_share = 0;        ///< share of cells that are land at the first level
  double outside_share = 0;     ///< share of cells outside the source's area
  double obstacle_share = 0;    ///< share of cells of water that obstacles close at the first level
  std::size_t obstacles = 0;    ///< polygons in the file
  std::size_t obstacles_used = 0;    ///< polygons that close a cell at some level
  std::string obstacles_across_180;  ///< note on polygons across 180°; "" for none
  std::size_t full_rank = 0;         ///< modes that would keep all the variance
  std::string error;                 ///< the model of error that was added; "" for none
  std::string past_error;            ///< the errors of earlier forecasts; "" for none
};

/// The command that makes the same file again, without paths: file names, and options in a fixed
/// order. Equal input gives equal text.
std::string history_of(const ImportOptions& options);
/// The text of the file's attribute `comment`: the origin of members and realizations, and the
/// rules for land and vectors.
std::string comment_of(const ImportReport& report, const ImportOptions& options,
                       const ImportPlan& plan, const ImportFindings& findings);
/// The lines of the report on the screen.
std::vector<std::string> report_lines(const ImportReport& report, const ImportOptions& options,
                                      const ImportPlan& plan, const ImportFindings& findings);

}  // namespace tidewise::ingest
