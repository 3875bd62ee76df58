#pragma once
// The blocks of a document as HTML, with attributes for the script.

#include <string>

#include "viz/page/document.h"
#include "viz/page/html/shapes.h"

namespace lanescope::page {

std::string text_markup(const Text& text);
std::string table_markup(const Table& table);

/// `number`: of the question in the document, from 0.
std::string question_markup(const Question& question, int number);
std::string question_json(const Question& question);

/// The first step as it is shown, with the controls. `number`: of the player in the document, from 0.
std::string player_markup(const Player& player, int number, const Document& document, Shapes& shapes);
/// All steps; pictures of one name as differences from the step before.
std::string player_json(const Player& player, const Document& document, Shapes& shapes);

}  // namespace lanescope::page
