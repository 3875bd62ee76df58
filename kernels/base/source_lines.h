#pragma once
// Lines of a source that consists of several files, each as one int.
//
// A kernel's file and the headers of the user's own that it includes are read together. A line of any of them is a
// *unit line*: the file's own lines are 1, 2, ...; those of a header are counted on from a base that no file before it
// reaches. The bases are multiples of a million, so that a header keeps its numbers while the file is edited.
//
//   half2.cu:12            12              line 12
//   device_part.hpp:4      1000004         device_part.hpp:4
//
// All internal lines are unit lines; this table translates them for output.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope {

struct SourceFileLines {
  std::string name;    ///< as shown: relative to the first file's folder where it lies below it
  std::string path;    ///< as diagnostics name it
  int first_line = 1;  ///< unit line of its line 1
  int line_count = 0;
  bool operator==(const SourceFileLines&) const = default;
};

struct SourceLines {
  std::vector<SourceFileLines> files;  ///< the kernel's own file first; empty: there is only that

  struct Place {
    std::size_t file = 0;  ///< into `files`
    int line = 0;          ///< in that file
  };
  /// A line of no further file is one of the first.
  Place place(int unit_line) const;
  bool in_header(int unit_line) const { return place(unit_line).file > 0; }
  /// The unit line of a file's line; the line itself where the path is none of the headers'.
  int unit_line(std::string_view path, int line) const;
  /// The name of the header that the line is in; empty: it is in the first file.
  std::string_view header_name(int unit_line) const;

  std::string number(int unit_line) const;  ///< "12", "device_part.hpp:4"
  std::string words(int unit_line) const;   ///< "line 12", "device_part.hpp:4"
  /// "lines 12 to 14", "device_part.hpp:4 to 6"
  std::string range(int first, int last) const;
  /// A sentence with each `line N` and `lines N to M` of a header as words() and range() say them.
  std::string sentence(std::string_view text) const;

  /// Adds a file after all others.
  void add(std::string name, std::string path, int line_count);

  bool operator==(const SourceLines&) const = default;
};

/// Replaces the unit lines of diagnostics, of the first file or of none, by file and line.
void put_into_files(Diagnostics& diagnostics, const SourceLines& lines);

}  // namespace lanescope
