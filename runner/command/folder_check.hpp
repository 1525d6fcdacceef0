// Do the files of one eval hold: every line of records, judgements and annotations against its digest, its seal, the
// plan, the exchanges and the baseline. Derives no numbers: that is verify_command.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "run/project_files.hpp"

namespace pasb {

// What does not hold, each with its place, and how much was looked at.
class Findings {
  public:
    void add(const std::string& where, const std::string& what) { lines_.push_back(where + ": " + what); }
    void counted(const std::string& what, std::size_t count);
    [[nodiscard]] bool none() const { return lines_.empty(); }
    void print() const;  // on standard output

  private:
    std::vector<std::string> lines_;
    std::string checked_;
};

struct CheckedFolder {
    std::filesystem::path path;
    std::string name;  // as the report names it
};

// `digests`: name in the report -> SHA-256, of lines ("file:line") and of small files ("file"). What is found to be
// there is taken out of it. Throws InputError for a framework without adapter or baseline.
void check_folder(const CheckedFolder& folder, const ProjectFiles& files, std::map<std::string, std::string>& digests,
                  Findings& findings);

}  // namespace pasb
