#pragma once
// Files that try to have something run, written or read that the person who opens them did not name: a table of what is tried,
// in every kind of file that the program opens, with names written in several ways.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::security {

enum class Kind : std::uint8_t { kernel, ptx, lesson, layout, measurement, session };

struct Hostile {
  Kind kind = Kind::kernel;
  std::filesystem::path opened;  ///< what is opened; of a lesson its folder
  std::string tries;             ///< for messages
};

/// The folders of a test.
struct Ground {
  explicit Ground(std::filesystem::path root);
  std::filesystem::path root;
  std::filesystem::path projects = root / "projects";  ///< each file with those beside it is a project of its own
  std::filesystem::path secrets = root / "secrets";    ///< that no file may have read
  std::filesystem::path victims = root / "victims";    ///< that no file may have changed
  std::filesystem::path out = root / "out";            ///< for outputs that the person names
  /// The files in `victims` and in the home folder, with contents.
  std::string state_of_victims() const;
  /// Of the shell: caches, home and temporary files lie in `root`.
  std::string environment() const;
};

/// `count` of them, written into ground.projects. The same seed makes the same files.
std::vector<Hostile> hostile_files(const Ground& ground, std::size_t count, unsigned seed);

}  // namespace lanescope::security
