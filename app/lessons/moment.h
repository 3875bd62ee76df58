#pragma once
// A moment that somebody bookmarked, as it stands in a file: where it is in the source, never a number of a step. It finds
// its step again in any later run (place.h), also where lines were inserted above it.

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::lessons {

struct SavedMoment {
  std::string name;      ///< unique in its file: letters, digits, - and _; empty: written into a lesson, without a name
  std::string kernel;    ///< path of the kernel's file
  int line = 0;          ///< of that file, from 1
  std::string text;      ///< that line without the blanks around it: finds it again; empty: the number alone counts
  int nth = -1;          ///< among the lines with this text, from 0; -1: not said
  int visit = 0;         ///< which time the warp comes to the line, from 0
  int instruction = -1;  ///< of that visit, from 0: its step; -1: the last one, after which the line has had its effect
  int launch = -1;       ///< from 0; -1: the one that is shown by itself (the first with claims, else the first)
  int warp = 0;
  std::uint32_t block = 0;
  float share = 1;                        ///< position between before (0) and after the step (1)
  std::string picture;                    ///< name of a panel (picture_names); empty: registers
  std::string arrangement;                ///< "Learn", "Debug", "Profile", "Design"; empty: as it is
  std::string colour, label;              ///< axis that colours stand for; what is written in the cells
  std::string select;                     ///< "y1 lane 5", "q[17]", "shared 64"; several with ; between them
  std::vector<std::string> panels, pins;  ///< shown beside the picture; followed elements "p[3]", "p[64..67]"
  float zoom = 1;
  std::string caption, notes;  ///< for the class; for the presenter

  bool operator==(const SavedMoment&) const = default;
};

}  // namespace lanescope::lessons
