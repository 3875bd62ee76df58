#pragma once
// precompiled.h for folders where nearly every file writes or reads JSON.

#include "cmake/precompiled.h"

#include <nlohmann/json.hpp>
