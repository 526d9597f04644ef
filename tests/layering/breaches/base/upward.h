#pragma once

  #  include "solver/mission.h"
