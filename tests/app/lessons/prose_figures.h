#pragma once
// Numbers that stand in the text of the lessons, and what vouches for each: an answer or a fact that the program computes, a
// kernel's source, the documents and stored results that the lessons cite, or a line of the table below, which computes it. Whole
// numbers up to 32, powers of two up to 2,048, and 100 say how many of something the text speaks of and pass by themselves.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/answer.h"

namespace lanescope::lessons {

/// Numbers of a text without commas, "1,024" as "1024"; what is in `code` is left out.
std::vector<std::string> numbers_in(std::string_view text);
/// Of a lesson that is reported its facts: each number of its words that nothing vouches for, with the words.
std::vector<std::string> unfounded_numbers(const Lesson& lesson, const LessonCheck& check);

}  // namespace lanescope::lessons
