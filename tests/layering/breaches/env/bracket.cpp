#include <app/program.h>
#include "base/error.h"
#include <cmath>
