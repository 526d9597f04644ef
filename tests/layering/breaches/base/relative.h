#pragma once

#include "../env/grid.h"
