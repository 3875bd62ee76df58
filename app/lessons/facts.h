#pragma once
// Values in the words of a lesson: {name} stands for what this program computes, as the answers of its questions do, and {gpu}
// for the GPU that the lesson is about. A lesson about a GPU is read again for another one (read_lesson).

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/answer.h"
#include "app/lessons/lesson.h"

namespace lanescope::lessons {

/// What stands for each fact. Whole numbers from 1,000 on have commas.
using FactValues = std::map<std::string, std::string>;

/// Errors: the program refused a command, or its answer has no such value, and the fact does not say what stands for that.
Expected<FactValues> compute_facts(const Lesson& lesson, Computer& computer);
/// The lesson with its facts; one without a value is an ellipsis.
Lesson with_facts(Lesson lesson, const FactValues& values);
/// A lesson whose facts are computed.
Expected<Lesson> told(Lesson lesson, Computer& computer);

/// The GPUs that a lesson can be about, oldest first: those of the table that have caches.
std::vector<std::string> lesson_gpus();
/// The GPU of the table that is meant: "K40" is "Tesla K40". Error: there is none, or it has no caches.
Expected<std::string> lesson_gpu(std::string_view name);
/// The rows of a lesson's choice for every such GPU: its name, then the columns.
Expected<std::vector<std::vector<std::string>>> gpu_rows(const Lesson& lesson, Computer& computer);

/// Calls `each` with every text of the lesson in which facts may stand.
void for_each_text(Lesson& lesson, const std::function<void(std::string&)>& each);
/// Puts `value` where {name} stands. Returns how often that was.
int put_value(std::string& text, std::string_view name, std::string_view value);

}  // namespace lanescope::lessons
