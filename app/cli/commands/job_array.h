#pragma once
// A sweep as a job array of a cluster's own scheduler. The scheduler starts tasks, each of which is this program with a
// part of the jobs; their output is in files of a folder that this machine and the nodes share, and is combined here.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanescope::cli {

struct JobArray {
  /// A shell command that takes a script on its standard input, starts it once for each number of a list, and ends when
  /// all of them have ended: "sbatch --wait --array={tasks}". {tasks} becomes "0,1,2". A task finds its number in
  /// SLURM_ARRAY_TASK_ID.
  std::string command;
  std::size_t tasks = 1;
  std::vector<std::string> words;  ///< of the command line, without options of the array
  std::vector<std::string> after;  ///< options of the compiler
  std::string folder = ".";        ///< where the files are; it must be one that the nodes see
};

struct ArrayLine {
  std::size_t job = 0;
  std::string text;  ///< JSON
  int status = 0;
};

/// The result. `lost`: jobs without a line, although their tasks were started twice.
struct ArrayEnd {
  std::vector<std::size_t> lost;
  std::string why{};  ///< of those: the last message of the command or a task
};

/// `arrived` gets each line once, in the order of arrival. Tasks whose jobs are missing when the command has ended are
/// started a second time, with those jobs only; `repeats` gets their number.
ArrayEnd run_array(const JobArray& array, std::size_t jobs, const std::function<void(ArrayLine)>& arrived,
                   const std::function<void(std::size_t)>& repeats);

/// "0,3,4" in ascending order; nothing where it is no such list.
std::vector<std::size_t> numbers_of_list(const std::string& text);

}  // namespace lanescope::cli
