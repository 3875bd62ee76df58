#pragma once
// precompiled.h for the folders of app: what a run is and yields, which takes longer to parse than the files themselves.

#include "cmake/precompiled.h"

#include <nlohmann/json.hpp>

#include "app/engine/requests/questions.h"
#include "app/engine/summary/summarize.h"
