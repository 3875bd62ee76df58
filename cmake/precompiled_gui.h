#pragma once
// precompiled_app.h for the folders of the window that draw.

#include "cmake/precompiled_app.h"

#include "app/gui/commands/command.h"
#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"
