// An eval's folder read as judged runs: the attempt of each run that counts, joined with one judge's and one
// annotator's word. Reads records twice and keeps none, so that memory grows with the number of runs and not with their
// texts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "exports/judged_run.hpp"

namespace pasb {

class JudgedRuns {
  public:
    // An empty `judge` or `annotator` means the only one. Throws InputError when there are several, when the named one
    // is not there, and when a line cannot be read, naming it.
    JudgedRuns(const std::filesystem::path& folder, const std::string& judge, const std::string& annotator);

    // In the order of records.jsonl. Throws InputError when a judgement was made of another text of its record.
    void each(const std::function<void(const JudgedRun&)>& take) const;

    // Empty where nobody judged or annotated.
    [[nodiscard]] const std::string& judge() const { return judge_; }
    [[nodiscard]] const std::string& annotator() const { return annotator_; }

  private:
    struct Place {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };
    struct Chosen {
        int line = 0;  // of records.jsonl
        bool valid = false;
    };
    using Places = std::map<std::string, Place>;

    void choose_attempts();
    void index_judgements(const std::string& wanted);
    void index_annotations(const std::string& wanted);

    std::filesystem::path records_;
    std::filesystem::path judgements_;
    std::filesystem::path annotations_;
    std::map<std::string, Chosen> attempts_;  // by run id
    std::string judge_;
    std::string annotator_;
    Places judgement_places_;   // by run id and attempt
    Places annotation_places_;  // by run id and digest of the record's line
};

}  // namespace pasb
